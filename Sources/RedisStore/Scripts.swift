internal import Redis

/// The scripts of the folder `Scripts`, each under the name of its file.
///
/// A script is repeatable if a call may be resent after its reply was lost (``Script/isRepeatable``). How a second
/// execution recognizes the first one (idempotency):
///
/// | script | by |
/// |---|---|
/// | send-verification-code | the session's id, with which the lock is held |
/// | answer-session, use-temporary-proof, redeem-challenge-token, issue-challenge-token | the request id |
/// | count-password-attempt, count-provider-check | the attempt's or request's id in the window |
/// | use-push-receipt, revert-second-factor | the request id in the receipt, in the account |
/// | record-sign-in | the hash of the refresh token's secret |
/// | exchange-refresh-token | the token's generation, which stays valid for a grace period |
/// | claim-identifier, propose-identifier, check-claim, delete-if-equal | the claim, which belongs to one attempt |
/// | update-account, delete-account, end-session, verify-client | `executed-calls.lua` |
/// | use-known-network, count-challenge, admit | `executed-calls.lua` |
/// | release-reservation | the request id, which is no longer in the window |
/// | read-debt | it only reads |
///
/// The others are not repeatable:
///
/// | script | because |
/// |---|---|
/// | create-account | for operators: an account deleted in the meantime would be recreated |
/// | take-identifier | for operators: another operator's change of the identifier in the meantime would be undone |
/// | set-configuration | for operators: the version would have changed, and the operator reads it again |
/// | set-test-number | for operators: a number removed in the meantime would be restored |
/// | remember-known-network | its request succeeds without it |
/// | follow-up-message | gateways resend a delivery receipt that was answered with 503; it then counts as repeated |
/// | record-push, finish-message, postpone-item, take-waiting, leave-outbox | a dispatcher's calls have no deadline |
/// | check-rights | for a command, which has no deadline |
/// | mark-second-try | it is part of a second try |
enum Scripts {
    private static let accountChanges =
        PackageResources.full_memory_lua + PackageResources.audit_lua + idToken + PackageResources.second_factors_lua
        + PackageResources.described_account_lua + PackageResources.account_changes_lua
    private static let idToken = PackageResources.revocation_lua + PackageResources.id_token_lua

    /// Without the rules that precede it, see ``SendRules``.
    static let sendVerificationCode =
        PackageResources.sliding_windows_lua + PackageResources.number_ranges_lua
        + PackageResources.send_verification_code_lua
    static let answerSession = Script(
        name: "answer-session",
        source: PackageResources.full_memory_lua + PackageResources.number_ranges_lua
            + PackageResources.answer_session_lua,
        isRepeatable: true
    )
    static let recordSignIn = Script(
        name: "record-sign-in",
        source: accountChanges + PackageResources.recycled_numbers_lua + PackageResources.user_session_lua
            + PackageResources.record_sign_in_lua,
        isRepeatable: true
    )
    static let exchangeRefreshToken = Script(
        name: "exchange-refresh-token",
        source: PackageResources.full_memory_lua + PackageResources.audit_lua + PackageResources.revocation_lua
            + PackageResources.described_account_lua + PackageResources.user_session_lua
            + PackageResources.exchange_refresh_token_lua,
        isRepeatable: true
    )
    static let endSession = OnceScript(
        name: "end-session",
        source: PackageResources.audit_lua + idToken + PackageResources.end_session_lua
    )
    static let deleteIfEqual = Script(
        name: "delete-if-equal",
        source: PackageResources.delete_if_equal_lua,
        isRepeatable: true
    )
    static let deleteAccount = OnceScript(
        name: "delete-account",
        source: accountChanges + PackageResources.delete_account_lua
    )
    static let createAccount = Script(
        name: "create-account",
        source: accountChanges + PackageResources.create_account_lua
    )
    static let takeIdentifier = Script(
        name: "take-identifier",
        source: accountChanges + PackageResources.take_identifier_lua
    )
    static let updateAccount = OnceScript(
        name: "update-account",
        source: accountChanges + PackageResources.update_account_lua
    )
    static let revertSecondFactor = Script(
        name: "revert-second-factor",
        source: accountChanges + PackageResources.revert_second_factor_lua,
        isRepeatable: true
    )
    static let claimIdentifier = Script(
        name: "claim-identifier",
        source: PackageResources.claim_identifier_lua,
        isRepeatable: true
    )
    static let replaceIndexKeyState = Script(
        name: "replace-index-key-state",
        source: PackageResources.replace_index_key_state_lua,
        isRepeatable: true
    )
    static let replaceField = Script(name: "replace-field", source: PackageResources.replace_field_lua)
    static let holdLock = Script(name: "hold-lock", source: PackageResources.hold_lock_lua, isRepeatable: true)
    static let proposeIdentifier = Script(
        name: "propose-identifier",
        source: PackageResources.full_memory_lua + idToken + PackageResources.propose_identifier_lua,
        isRepeatable: true
    )
    static let countPasswordAttempt = Script(
        name: "count-password-attempt",
        source: PackageResources.sliding_windows_lua + PackageResources.count_password_attempt_lua,
        isRepeatable: true
    )
    static let useKnownNetwork = OnceScript(
        name: "use-known-network",
        source: PackageResources.use_known_network_lua
    )
    static let rememberKnownNetwork = Script(
        name: "remember-known-network",
        source: PackageResources.remember_known_network_lua
    )
    static let admit = OnceScript(
        name: "admit",
        source: PackageResources.sliding_windows_lua + PackageResources.admit_lua
    )
    static let releaseReservation = Script(
        name: "release-reservation",
        source: PackageResources.release_reservation_lua,
        isRepeatable: true
    )
    static let checkRights = Script(name: "check-rights", source: PackageResources.check_rights_lua)
    static let checkClaim = Script(
        name: "check-claim",
        source: PackageResources.audit_lua + PackageResources.recycled_numbers_lua + PackageResources.check_claim_lua,
        isRepeatable: true
    )
    static let useTemporaryProof = Script(
        name: "use-temporary-proof",
        source: PackageResources.use_temporary_proof_lua,
        isRepeatable: true
    )
    static let setConfiguration = Script(name: "set-configuration", source: PackageResources.set_configuration_lua)
    static let setTestNumber = Script(name: "set-test-number", source: PackageResources.set_test_number_lua)
    static let verifyClient = OnceScript(
        name: "verify-client",
        source: PackageResources.sliding_windows_lua + PackageResources.verify_client_lua
    )
    static let usePushReceipt = Script(
        name: "use-push-receipt",
        source: PackageResources.use_push_receipt_lua,
        isRepeatable: true
    )
    static let recordPush = Script(name: "record-push", source: PackageResources.record_push_lua)
    static let finishMessage = Script(
        name: "finish-message",
        source: PackageResources.number_ranges_lua + PackageResources.finish_message_lua
    )
    static let readDebt = Script(
        name: "read-debt",
        source: PackageResources.number_ranges_lua + PackageResources.read_debt_lua,
        isRepeatable: true
    )
    static let postponeItem = Script(name: "postpone-item", source: PackageResources.postpone_item_lua)
    static let takeWaiting = Script(name: "take-waiting", source: PackageResources.take_waiting_lua)
    static let leaveOutbox = Script(name: "leave-outbox", source: PackageResources.leave_outbox_lua)
    static let followUpMessage = Script(name: "follow-up-message", source: PackageResources.follow_up_message_lua)
    static let countChallenge = OnceScript(
        name: "count-challenge",
        source: PackageResources.count_challenge_lua
    )
    static let countProviderCheck = Script(
        name: "count-provider-check",
        source: PackageResources.sliding_windows_lua + PackageResources.count_provider_check_lua,
        isRepeatable: true
    )
    static let issueChallengeToken = Script(
        name: "issue-challenge-token",
        source: PackageResources.issue_challenge_token_lua,
        isRepeatable: true
    )
    static let redeemChallengeToken = Script(
        name: "redeem-challenge-token",
        source: PackageResources.redeem_challenge_token_lua,
        isRepeatable: true
    )
    static let markSecondTry = Script(
        name: "mark-second-try",
        source: PackageResources.full_memory_lua + PackageResources.mark_second_try_lua
    )
}
