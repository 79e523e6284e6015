internal import RedisScripts

extension LuaScript {
    private convenience init(_ name: String, _ text: [UInt8]) {
        self.init(name, text, functions: Self.functions)
    }

    @Sendable
    private static func functions(_ name: String) -> [UInt8]? {
        switch name {
        case "account-changes": PackageResources.account_changes_lua
        case "account-list": PackageResources.account_list_lua
        case "anonymous-users": PackageResources.anonymous_users_lua
        case "audit": PackageResources.audit_lua
        case "audit-event": PackageResources.audit_event_lua
        case "described-account": PackageResources.described_account_lua
        case "id-token": PackageResources.id_token_lua
        case "new-account": PackageResources.new_account_lua
        case "number-ranges": PackageResources.number_ranges_lua
        case "rate-limits": PackageResources.rate_limits_lua
        case "recycled-numbers": PackageResources.recycled_numbers_lua
        case "revocation": PackageResources.revocation_lua
        case "second-factors": PackageResources.second_factors_lua
        case "sign-in-obstacles": PackageResources.sign_in_obstacles_lua
        case "user-session": PackageResources.user_session_lua
        case "verification-session": PackageResources.verification_session_lua
        default: nil
        }
    }

    static let answerVerification = LuaScript("answer-verification", PackageResources.answer_verification_lua)
    static let checkClaim = LuaScript("check-claim", PackageResources.check_claim_lua)
    static let claimIdentifier = LuaScript("claim-identifier", PackageResources.claim_identifier_lua)
    static let countChallenge = LuaScript("count-challenge", PackageResources.count_challenge_lua)
    static let countEvent = LuaScript("count-event", PackageResources.count_event_lua)
    static let createAccount = LuaScript("create-account", PackageResources.create_account_lua)
    static let deleteAccount = LuaScript("delete-account", PackageResources.delete_account_lua)
    static let deleteIfEqual = LuaScript("delete-if-equal", PackageResources.delete_if_equal_lua)
    static let endSession = LuaScript("end-session", PackageResources.end_session_lua)
    static let exchangeAuthorizationCode = LuaScript(
        "exchange-authorization-code",
        PackageResources.exchange_authorization_code_lua
    )
    static let exchangeRefreshToken = LuaScript("exchange-refresh-token", PackageResources.exchange_refresh_token_lua)
    static let finishMail = LuaScript("finish-mail", PackageResources.finish_mail_lua)
    static let finishPush = LuaScript("finish-push", PackageResources.finish_push_lua)
    static let finishMessage = LuaScript("finish-message", PackageResources.finish_message_lua)
    static let followUpMessage = LuaScript("follow-up-message", PackageResources.follow_up_message_lua)
    static let issueAuthorizationCode = LuaScript(
        "issue-authorization-code",
        PackageResources.issue_authorization_code_lua
    )
    static let issueChallengeToken = LuaScript("issue-challenge-token", PackageResources.issue_challenge_token_lua)
    static let leaveOutbox = LuaScript("leave-outbox", PackageResources.leave_outbox_lua)
    static let listAccounts = LuaScript("list-accounts", PackageResources.list_accounts_lua)
    static let lookAheadAtSignIn = LuaScript("look-ahead-at-sign-in", PackageResources.look_ahead_at_sign_in_lua)
    static let postponeItem = LuaScript("postpone-item", PackageResources.postpone_item_lua)
    static let proposeIdentifier = LuaScript("propose-identifier", PackageResources.propose_identifier_lua)
    static let queueEmailAction = LuaScript("queue-email-action", PackageResources.queue_email_action_lua)
    static let queuePush = LuaScript("queue-push", PackageResources.queue_push_lua)
    static let requeueItem = LuaScript("requeue-item", PackageResources.requeue_item_lua)
    static let recordPush = LuaScript("record-push", PackageResources.record_push_lua)
    static let recordOperatorChange = LuaScript(
        "record-operator-change",
        PackageResources.record_operator_change_lua
    )
    static let recordSignIn = LuaScript("record-sign-in", PackageResources.record_sign_in_lua)
    static let redeemChallengeToken = LuaScript("redeem-challenge-token", PackageResources.redeem_challenge_token_lua)
    static let refundEvent = LuaScript("refund-event", PackageResources.refund_event_lua)
    static let rememberKnownNetwork = LuaScript("remember-known-network", PackageResources.remember_known_network_lua)
    static let replaceField = LuaScript("replace-field", PackageResources.replace_field_lua)
    static let retakeItems = LuaScript("retake-items", PackageResources.retake_items_lua)
    static let revertSecondFactor = LuaScript("revert-second-factor", PackageResources.revert_second_factor_lua)
    static let sendVerificationCode = LuaScript("send-verification-code", PackageResources.send_verification_code_lua)
    static let setConfiguration = LuaScript("set-configuration", PackageResources.set_configuration_lua)
    static let takeEmailAction = LuaScript("take-email-action", PackageResources.take_email_action_lua)
    static let takeIdentifier = LuaScript("take-identifier", PackageResources.take_identifier_lua)
    static let takeWaiting = LuaScript("take-waiting", PackageResources.take_waiting_lua)
    static let updateAccount = LuaScript("update-account", PackageResources.update_account_lua)
    static let useKnownNetwork = LuaScript("use-known-network", PackageResources.use_known_network_lua)
    static let useOnce = LuaScript("use-once", PackageResources.use_once_lua)
    static let usePushReceipt = LuaScript("use-push-receipt", PackageResources.use_push_receipt_lua)
    static let verifyClient = LuaScript("verify-client", PackageResources.verify_client_lua)
}
