internal import Redis

/// What the script `exchange-refresh-token.lua` found.
public enum RefreshTokenOutcome: Sendable {
    /// A token that is good.
    public struct Session: Sendable {
        /// Whose it is.
        public let account: AccountIdentity
        /// When the user signed in; milliseconds since the Unix epoch.
        public let signedInAt: Int64
        /// How the user signed in.
        public let provider: String
        /// The account.
        public let record: AccountRecord
    }

    case refreshed(Session)
    case unknown
    case disabled
    case noAccount
    case revoked
}

extension Store {
    /// Looks a refresh token up and starts its idle time anew.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func exchangeRefreshToken(
        _ token: RefreshTokenIdentity,
        now: Int64,
        idleMilliseconds: Int64
    ) throws(StoreUnavailable) -> RefreshTokenOutcome {
        let reply = try run(
            Scripts.exchangeRefreshToken,
            keys: [
                KeyNames.refreshToken(token),
                KeyNames.userPrefix(token.shard, token.project),
                KeyNames.refreshTokensPrefix(token.shard, token.project),
            ],
            [.integer(now), .integer(idleMilliseconds), .text(token.hash)]
        )
        switch try reply.outcome() {
        case "unknown": return .unknown
        case "disabled": return .disabled
        case "no-account": return .noAccount
        case "revoked": return .revoked
        case "refreshed":
            guard let signedInAt = Int64(try reply.text(at: 2)),
                let record = AccountRecord(fields: reply.fields(from: 4))
            else { throw .unexpectedReply }
            return .refreshed(
                RefreshTokenOutcome.Session(
                    account: AccountIdentity(project: token.project, uid: try reply.text(at: 1), among: shards),
                    signedInAt: signedInAt,
                    provider: try reply.text(at: 3),
                    record: record
                )
            )
        default: throw .unexpectedReply
        }
    }
}
