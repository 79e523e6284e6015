internal import Redis

/// The input of the script `exchange-refresh-token.lua`.
public struct RefreshTokenExchange: Sendable {
    let session: UserSessionIdentity
    let secretHash: String
    let generation: UInt32
    let now: Int64
    let idleMilliseconds: Int64
    let rotates: Bool
    let graceMilliseconds: Int64
    let client: String
    let audit: AuditContext?

    /// Describes the exchange of this `generation` of the `session`'s token. `secretHash` is the hash of its secret,
    /// empty for tokens of the previous version, whose sessions are identified by it. If the exchange `rotates`, the
    /// client gets the next generation. The previous generation stays valid for `graceMilliseconds`. Times are in
    /// milliseconds; `now` is since the Unix epoch. `client` is the client name as the client reports it, or empty.
    public init(
        session: UserSessionIdentity,
        secretHash: String = "",
        generation: UInt32 = 0,
        now: Int64,
        idleMilliseconds: Int64,
        rotates: Bool = false,
        graceMilliseconds: Int64 = 0,
        client: String = "",
        audit: AuditContext?
    ) {
        self.session = session
        self.secretHash = secretHash
        self.generation = generation
        self.now = now
        self.idleMilliseconds = idleMilliseconds
        self.rotates = rotates
        self.graceMilliseconds = graceMilliseconds
        self.client = client
        self.audit = audit
    }
}

/// The result of the script `exchange-refresh-token.lua`.
public enum RefreshTokenOutcome: Sendable {
    /// The session of a valid token.
    public struct Session: Sendable {
        /// The session's account.
        public let account: AccountIdentity
        /// When the user signed in; milliseconds since the Unix epoch.
        public let signedInAt: Int64
        /// The sign-in provider.
        public let provider: String
        /// The session's own claims, a JSON object; empty if there are none.
        public let tokenClaims: String
        /// The second factor of the sign-in; nil if none was used.
        public let secondFactor: SecondFactorMark?
        /// The token generation that the client is to use from now on.
        public let generation: UInt32
        /// The account.
        public let record: AccountRecord
    }

    case refreshed(Session)
    case unknown
    case disabled
    case noAccount
    case revoked
    /// Reuse was detected: an earlier generation was presented, so the token was copied. The session is now revoked.
    case reused
}

extension Store {
    /// Looks up a refresh token and restarts its session's idle time.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func exchangeRefreshToken(_ exchange: RefreshTokenExchange) throws(StoreUnavailable) -> RefreshTokenOutcome {
        let session = exchange.session
        let reply = try run(
            Scripts.exchangeRefreshToken,
            // Otherwise the script writes only when and from where the token was last used.
            isConfirmed: exchange.rotates || exchange.generation > 0,
            keys: [
                KeyNames.userSession(session),
                KeyNames.userPrefix(session.shard, session.project),
                KeyNames.userSessionsPrefix(session.shard, session.project),
            ],
            [
                .integer(exchange.now), .integer(exchange.idleMilliseconds), .text(session.hash),
                .integer(Int64(exchange.generation)), .integer(exchange.rotates ? 1 : 0),
                .integer(exchange.graceMilliseconds), .text(exchange.secretHash), .text(exchange.client),
                .text(exchange.audit?.networkHash ?? ""),
            ],
            audit: exchange.audit,
            in: session.shard
        )
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "disabled": return .disabled
        case "no-account": return .noAccount
        case "revoked": return .revoked
        case "reused": return .reused
        case "refreshed":
            guard let signedInAt = Int64(try reply.text(at: 2)),
                let generation = UInt32(exactly: try reply.integer(at: 5)),
                let record = AccountRecord(fields: reply.fields(from: 8))
            else { throw .unexpectedReply }
            return .refreshed(
                RefreshTokenOutcome.Session(
                    account: AccountIdentity(project: session.project, uid: try reply.text(at: 1), among: shards),
                    signedInAt: signedInAt,
                    provider: try reply.text(at: 3),
                    tokenClaims: try reply.text(at: 4),
                    secondFactor: SecondFactorMark(method: try reply.text(at: 6), id: try reply.text(at: 7)),
                    generation: generation,
                    record: record
                )
            )
        default: throw .unexpectedReply
        }
    }
}
