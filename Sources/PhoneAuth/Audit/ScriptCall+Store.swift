internal import Redis
internal import RedisScripts

extension ScriptCall {
    /// Creates a call of a script that writes audit events; `audit` is nil if events are not kept.
    init(
        _ script: LuaScript,
        keys: NamedValues<String>,
        _ arguments: NamedValues<Argument>,
        audit: AuditContext?,
        in shard: Shard
    ) {
        self.init(script, keys: keys, arguments)
        append(key: "auditKey", KeyNames.audit(shard))
        append("auditText", audit?.argument(in: shard) ?? "")
        append(key: "auditOverflowKey", KeyNames.auditOverflow(shard))
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
        append(key: "presentedSessionKey", session)
        append("presentedText", .bytes(token?.argument ?? []))
    }
}
