internal import Redis

/// What the script `record-sign-in.lua` needs.
public struct SignInRecord: Sendable {
    let account: AccountIdentity
    let sealedNumber: [UInt8]
    let provider: String
    let refreshToken: RefreshTokenIdentity
    let now: Int64
    let refreshTokenIdleMilliseconds: Int64
    let session: SessionID
    let maximumRefreshTokens: Int

    /// Everything is needed; times are in milliseconds, `now` since the Unix epoch.
    public init(
        account: AccountIdentity,
        sealedNumber: [UInt8],
        provider: String,
        refreshToken: RefreshTokenIdentity,
        now: Int64,
        refreshTokenIdleMilliseconds: Int64,
        session: SessionID,
        maximumRefreshTokens: Int
    ) {
        self.account = account
        self.sealedNumber = sealedNumber
        self.provider = provider
        self.refreshToken = refreshToken
        self.now = now
        self.refreshTokenIdleMilliseconds = refreshTokenIdleMilliseconds
        self.session = session
        self.maximumRefreshTokens = maximumRefreshTokens
    }
}

extension SignInRecord {
    /// What the script did.
    public enum Outcome: Sendable {
        /// `isNew`: whether this session made the account.
        case signedIn(AccountRecord, isNew: Bool)
        /// The account may not sign in; nothing was recorded.
        case disabled
        /// The account was deleted a moment ago; nothing was recorded.
        case deleted
    }
}

extension Store {
    /// Makes the account where there is none and records the sign-in with its refresh token, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func recordSignIn(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Outcome {
        let reply = try run(
            Scripts.recordSignIn,
            keys: [
                KeyNames.user(record.account),
                KeyNames.users(record.account.shard, record.account.project),
                KeyNames.refreshToken(record.refreshToken),
                KeyNames.refreshTokens(record.account),
                KeyNames.deletedUser(record.account),
            ],
            [
                .integer(record.now), .text(record.account.uid), .bytes(record.sealedNumber), .text(record.provider),
                .integer(record.refreshTokenIdleMilliseconds), .text(record.session.text),
                .text(record.refreshToken.hash), .integer(Int64(record.maximumRefreshTokens)),
            ]
        )
        switch try reply.outcome() {
        case "disabled":
            return .disabled
        case "deleted":
            return .deleted
        case "signed-in":
            guard let account = AccountRecord(fields: reply.fields(from: 2)) else { throw .unexpectedReply }
            return .signedIn(account, isNew: try reply.integer(at: 1) == 1)
        default:
            throw .unexpectedReply
        }
    }
}
