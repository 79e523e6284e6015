internal import Redis

/// What the script `exchange-refresh-token.lua` needs.
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

    /// The client has this `generation` of the `session`'s token, whose secret has this hash; it is empty for tokens of
    /// the version before, whose session is known by it. Where it `rotates`, the client is to get the next one. The
    /// generation before the current one is good for `graceMilliseconds`. Times are in milliseconds, `now` since the
    /// Unix epoch. `client` is what the client calls itself, or empty.
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

/// What the script `exchange-refresh-token.lua` found.
public enum RefreshTokenOutcome: Sendable {
    /// The session of a token that is good.
    public struct Session: Sendable {
        /// Whose it is.
        public let account: AccountIdentity
        /// When the user signed in; milliseconds since the Unix epoch.
        public let signedInAt: Int64
        /// How the user signed in.
        public let provider: String
        /// The session's own claims, a JSON object; empty where it has none.
        public let tokenClaims: String
        /// The second factor that was asked for then; nil where none was.
        public let secondFactor: SecondFactorMark?
        /// Which generation of the token the client is to have from now on.
        public let generation: UInt32
        /// The account.
        public let record: AccountRecord
    }

    case refreshed(Session)
    case unknown
    case disabled
    case noAccount
    case revoked
    /// An earlier generation came back: somebody copied the token. It is revoked now.
    case reused
}

extension Store {
    /// Looks a refresh token up and starts its idle time anew.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func exchangeRefreshToken(_ exchange: RefreshTokenExchange) throws(StoreUnavailable) -> RefreshTokenOutcome {
        let session = exchange.session
        let reply = try run(
            Scripts.exchangeRefreshToken,
            // What else it writes is when and from where the token was last used.
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
