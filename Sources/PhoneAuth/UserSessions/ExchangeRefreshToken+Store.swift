internal import Encodings
internal import Redis
internal import RedisScripts

/// The result of the script `exchange-refresh-token.lua`.
enum RefreshTokenOutcome {
    /// The session of a valid token.
    struct Session {
        let account: AccountIdentity
        let session: UserSession
        /// The token generation that the client is to use from now on.
        let generation: UInt32
        let record: AccountRecord
    }

    case refreshed(Session)
    case unknown
    case disabled
    case noAccount
    case revoked
    /// The session's own change has just revoked the token. Exchange one to replace it.
    case former
    /// Reuse was detected: an earlier generation was presented, so the token was copied. The session is now revoked.
    case reused
}

extension Store {
    /// Looks up a refresh token and restarts its session's idle time.
    ///
    /// The token is this `generation` of the `session`'s token. `secretHash` is the hash of its secret. If tokens
    /// rotate, the client gets the next generation, and the previous one stays valid for a while. `client` is the
    /// client name as the client reports it. After the outcome ``RefreshTokenOutcome/former``, `renewedHash` is the
    /// hash of the former secret, which the token replaces.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func exchangeRefreshToken(
        session: UserSessionIdentity,
        secretHash: String,
        renewing renewedHash: String = "",
        generation: UInt32 = 0,
        client: String? = nil,
        under policy: Policy,
        at now: Instant,
        audit: AuditContext?
    ) throws(StoreUnavailable) -> RefreshTokenOutcome {
        let rotates = policy.rotatesRefreshTokens
        let call = ScriptCall(
            .exchangeRefreshToken,
            keys: [
                "sessionKey": KeyNames.userSession(session),
                "accountPrefix": KeyNames.userPrefix(session.shard, session.project),
                "sessionsPrefix": KeyNames.userSessionsPrefix(session.shard, session.project),
            ],
            [
                "now": .integer(now.milliseconds),
                "idleLife": .integer(policy.refreshTokenIdleLifetime.milliseconds),
                "sessionID": .text(session.hash),
                "generation": .integer(Int64(generation)),
                "rotates": .flag(rotates),
                "grace": .integer(policy.refreshTokenGrace.milliseconds),
                "secret": .text(secretHash),
                "renewed": .text(renewedHash),
                "client": .text(client ?? ""),
                "network": .text(audit?.networkHash ?? ""),
            ],
            audit: audit,
            in: session.shard
        )
        // Without a rotation the script writes only when and from where the token was last used.
        let reply = try run(call, isConfirmed: rotates || generation > 0)
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "disabled": return .disabled
        case "no-account": return .noAccount
        case "revoked": return .revoked
        case "former": return .former
        case "reused": return .reused
        case "refreshed":
            return .refreshed(try RefreshTokenOutcome.Session(reply, of: session, among: shards))
        default: throw .unexpectedReply
        }
    }
}

extension RefreshTokenOutcome.Session {
    /// Reads the reply of a script that exchanges something for tokens of a session.
    init(
        _ reply: ScriptReply,
        of session: UserSessionIdentity,
        among shards: ShardCount
    ) throws(StoreUnavailable) {
        guard let signedInAt = Int64(try reply.text(at: 2)),
            let provider = SignInProvider(rawValue: try reply.text(at: 3)),
            let generation = UInt32(exactly: try reply.integer(at: 5)),
            let record = AccountRecord(fields: try reply.reply(at: 8).fields(from: 0))
        else { throw .unexpectedReply }
        account = AccountIdentity(project: session.project, uid: try reply.text(at: 1), among: shards)
        let mark = SecondFactorMark(method: try reply.text(at: 6), id: try reply.text(at: 7))
        self.session = UserSession(
            id: session.hash,
            provider: provider,
            signedInAt: Instant(milliseconds: signedInAt),
            claims: CustomClaims(stored: try reply.text(at: 4)),
            secondFactor: ProvenSecondFactor(mark)
        )
        self.generation = generation
        self.record = record
    }
}
