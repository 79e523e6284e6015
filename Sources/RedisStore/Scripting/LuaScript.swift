internal import Redis
internal import Synchronization

/// A script in the folder `Scripts`, with the name of its file. Calls name its keys and arguments, and its text uses
/// these names: they are declared as local variables before the text when the script is first called.
final class LuaScript: Sendable {
    private let file: LuaFile
    private let packsArguments: Bool
    private let completed = AtomicLazyReference<Script>()
    /// Whether the script stores under `executedKey` what its reply needs, as `executed-calls.lua` describes.
    let remembersCalls: Bool

    private init(_ name: String, _ text: [UInt8]) {
        file = LuaFile(name: name, text: text)
        packsArguments = file.packsArguments
        remembersCalls = file.usedNames.contains("executed-calls")
    }

    /// Returns the script for calls with these names. All calls of a script have the same names.
    func script(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>) -> Script {
        if let script = completed.load() {
            assert(script.source.starts(with: declarations(keys, arguments).utf8), "two calls of \(file.name) differ")
            return script
        }
        return completed.storeIfNil(script(keys, arguments, constants: ""))
    }

    /// Returns the script with `constants`, Lua that declares values shared by many calls.
    func script(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>, constants: String) -> Script {
        assert(
            file.withUsedFiles.reduce(into: []) { $0.formUnion($1.documentedNames) }
                == Set(keys.names + arguments.names),
            "the header of \(file.name) has other names than its call: \(keys.names + arguments.names)"
        )
        let source = (declarations(keys, arguments) + constants).utf8 + file.completeText
        return Script(
            name: file.name,
            source: source,
            isRepeatable: file.isRepeatable,
            packsArguments: packsArguments
        )
    }

    private func declarations(_ keys: NamedValues<String>, _ arguments: NamedValues<Argument>) -> String {
        keys.declarations(from: "KEYS")
            + (packsArguments ? arguments.packedDeclarations : arguments.declarations(from: "ARGV")) + "\n"
    }
}

extension LuaScript {
    static let answerSession = LuaScript("answer-session", PackageResources.answer_session_lua)
    static let checkClaim = LuaScript("check-claim", PackageResources.check_claim_lua)
    static let checkRights = LuaScript("check-rights", PackageResources.check_rights_lua)
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
    static let markSlot = LuaScript("mark-slot", PackageResources.mark_slot_lua)
    static let postponeItem = LuaScript("postpone-item", PackageResources.postpone_item_lua)
    static let proposeIdentifier = LuaScript("propose-identifier", PackageResources.propose_identifier_lua)
    static let queuePush = LuaScript("queue-push", PackageResources.queue_push_lua)
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
    static let takeIdentifier = LuaScript("take-identifier", PackageResources.take_identifier_lua)
    static let takeWaiting = LuaScript("take-waiting", PackageResources.take_waiting_lua)
    static let updateAccount = LuaScript("update-account", PackageResources.update_account_lua)
    static let useKnownNetwork = LuaScript("use-known-network", PackageResources.use_known_network_lua)
    static let useOnce = LuaScript("use-once", PackageResources.use_once_lua)
    static let usePushReceipt = LuaScript("use-push-receipt", PackageResources.use_push_receipt_lua)
    static let verifyClient = LuaScript("verify-client", PackageResources.verify_client_lua)
}

/// Settings that many calls of a script share.
///
/// They are declared in Lua before the script's text, not passed as arguments in each call. An argument is copied four
/// times on its way into a script and usually parsed as a number: forty arguments took a tenth of a worker's
/// instructions for a send.
protocol ScriptRules: Equatable, Sendable {
    /// Lua that declares the rules.
    var constants: String { get }
}

/// The variants of one script for the rules seen so far, which are few.
struct RuleScripts<Rules: ScriptRules> {
    private var scripts: [(rules: Rules, script: Script)] = []

    /// Returns the script with these rules prepended, for calls with these names.
    mutating func script(
        _ script: LuaScript,
        _ rules: Rules,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>
    ) -> Script {
        if let known = scripts.first(where: { $0.rules == rules }) { return known.script }
        let script = script.script(keys, arguments, constants: rules.constants)
        scripts.append((rules, script))
        return script
    }
}
