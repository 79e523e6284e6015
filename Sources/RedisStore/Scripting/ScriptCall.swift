internal import Redis

/// A script with the keys and arguments of one call, by name. Several calls can be sent in one pipeline.
struct ScriptCall: Sendable {
    let script: LuaScript
    /// The script with its rules prepended; nil if it has no rules.
    private var withRules: Script?
    private(set) var keys: NamedValues<String>
    private(set) var arguments: NamedValues<Argument>
    /// Whether the call has an id: see `executed-calls.lua`.
    private(set) var isIdentified = false

    init(_ script: LuaScript, keys: NamedValues<String>, _ arguments: NamedValues<Argument>) {
        self.script = script
        self.keys = keys
        self.arguments = arguments
    }

    /// Creates a call of a script with rules.
    init<Rules: ScriptRules>(
        _ script: LuaScript,
        _ rules: Rules,
        among scripts: inout RuleScripts<Rules>,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>
    ) {
        self.init(script, keys: keys, arguments)
        withRules = scripts.script(script, rules, keys: keys, arguments)
    }

    /// What Redis executes.
    var text: Script { withRules ?? script.script(keys, arguments) }

    /// Creates a call of a script that writes audit events; `audit` is nil if events are not kept.
    init(
        _ script: LuaScript,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>,
        audit: AuditContext?,
        in shard: Shard
    ) {
        self.init(script, keys: keys, arguments)
        append("auditKey", KeyNames.audit(shard), "auditText", audit?.argument(in: shard) ?? "")
        self.keys.append("auditOverflowKey", KeyNames.auditOverflow(shard))
    }

    /// Creates a call of a script that changes an account. `token` is nil if no ID token authorizes the change; `audit`
    /// is nil if events are not kept.
    init(
        _ script: LuaScript,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>,
        onBehalfOf token: PresentedToken? = nil,
        of account: AccountIdentity,
        audit: AuditContext?
    ) {
        self.init(script, keys: keys, arguments, audit: audit, in: account.shard)
        append(token, of: account)
    }

    /// Creates a call of a script that changes an account and writes no events.
    init(
        _ script: LuaScript,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>,
        onBehalfOf token: PresentedToken?,
        of account: AccountIdentity
    ) {
        self.init(script, keys: keys, arguments)
        append(token, of: account)
    }

    private mutating func append(_ token: PresentedToken?, of account: AccountIdentity) {
        let session = (token?.session).map(KeyNames.userSession) ?? KeyNames.user(account)
        append("presentedSessionKey", session, "presentedText", .bytes(token?.argument ?? []))
    }

    private mutating func append(_ keyName: StaticString, _ key: String, _ name: StaticString, _ value: Argument) {
        keys.append(keyName, key)
        arguments.append(name, value)
    }

    /// Adds an argument.
    mutating func append(_ name: StaticString, _ value: Argument) { arguments.append(name, value) }

    /// Adds the key under which the script remembers this call.
    mutating func append(callID: String) {
        isIdentified = true
        keys.append("executedKey", KeyNames.executedCall(callID, inSlotOf: keys.first ?? ""))
    }
}
