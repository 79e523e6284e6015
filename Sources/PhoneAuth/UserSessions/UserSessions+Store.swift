internal import Redis
public import RedisScripts

extension Store {
    /// Returns an account and one of its sessions, in one round trip; nil if they do not exist, or if no session is
    /// given.
    /// - Throws: ``StoreUnavailable``.
    public func account(
        _ account: AccountIdentity,
        session: UserSessionIdentity?
    ) throws(StoreUnavailable) -> (AccountRecord?, UserSessionRecord?) {
        guard let session else { return (try self.account(account), nil) }
        let replies = try sendAll("HGETALL", [[KeyNames.user(account)], [KeyNames.userSession(session)]])
        return (
            AccountRecord(fields: replies[0].fields(from: 0)), UserSessionRecord(fields: replies[1].fields(from: 0))
        )
    }

    /// Returns an account's sessions, the last used first, each with its id and the time of its last use (milliseconds
    /// since the Unix epoch). Revoked sessions are included.
    /// - Throws: ``StoreUnavailable``.
    public func userSessions(
        of account: AccountIdentity
    ) throws(StoreUnavailable) -> [(id: String, lastUsedAt: Int64, record: UserSessionRecord)] {
        let found = try send("ZRANGE", KeyNames.userSessions(account), "0", "-1", "REV", "WITHSCORES").texts()
        let ids = stride(from: 0, to: found.count - 1, by: 2).map { (id: found[$0], lastUsedAt: found[$0 + 1]) }
        guard !ids.isEmpty else { return [] }
        let replies = try sendAll("HGETALL", ids.map { [KeyNames.userSession(account, $0.id)] })
        return zip(ids, replies).compactMap { session, reply in
            guard let record = UserSessionRecord(fields: reply.fields(from: 0)), let time = Int64(session.lastUsedAt)
            else { return nil }
            return (session.id, time, record)
        }
    }

    /// The result of the script `end-session.lua`.
    public enum SessionEnding: String, Sendable {
        case ended
        /// The account does not have this session.
        case noSession = "no-session"
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked = "revoked"
    }

    /// Ends a session in one atomic step: its refresh token, and its ID tokens in this deployment.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func endSession(
        _ id: String,
        of account: AccountIdentity,
        onBehalfOf token: PresentedToken?,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> SessionEnding {
        let call = ScriptCall(
            .endSession,
            keys: [
                "accountKey": KeyNames.user(account),
                "sessionKey": KeyNames.userSession(account, id),
                "sessionsKey": KeyNames.userSessions(account),
            ],
            ["uid": .text(account.uid), "sessionID": .text(id)],
            onBehalfOf: token,
            of: account,
            audit: audit
        )
        let reply = try run(call, isConfirmed: true)
        guard let ending = SessionEnding(rawValue: try reply.text()) else { throw .unexpectedReply }
        return ending
    }
}
