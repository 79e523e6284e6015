internal import Redis

/// What the script `record-sign-in.lua` needs.
public struct SignInRecord: Sendable {
    /// A number that led to the account, or that the account is to take.
    public struct Number: Sendable {
        let claim: NumberClaim
        let isFresh: Bool
        let sealedNumber: [UInt8]

        /// A number under a claim that stands with it; `isFresh` where a worker may still be on its way with the claim.
        public init(claim: NumberClaim, isFresh: Bool, sealedNumber: [UInt8]) {
            self.claim = claim
            self.isFresh = isFresh
            self.sealedNumber = sealedNumber
        }
    }

    let account: AccountIdentity
    let provider: String
    let tokenClaims: String
    let refreshToken: RefreshTokenIdentity
    let now: Int64
    let signedInAt: Int64
    let refreshTokenIdleMilliseconds: Int64
    let maker: String
    let maximumRefreshTokens: Int
    let markMilliseconds: Int64
    let number: Number?

    /// Times are in milliseconds, `now` since the Unix epoch.
    ///
    /// `tokenClaims` are the token's own, a JSON object, or empty. `signedInAt` is `now`, or earlier where the account only gets
    /// a new token. `maker` is what the sign-in is known by where it may make the account, and empty where the account must be
    /// there. For `markMilliseconds` an account that is not there is not made; longer than claims are fresh.
    public init(
        account: AccountIdentity,
        provider: String,
        tokenClaims: String = "",
        refreshToken: RefreshTokenIdentity,
        now: Int64,
        signedInAt: Int64,
        refreshTokenIdleMilliseconds: Int64,
        maker: String,
        maximumRefreshTokens: Int,
        markMilliseconds: Int64,
        number: Number? = nil
    ) {
        self.account = account
        self.provider = provider
        self.tokenClaims = tokenClaims
        self.refreshToken = refreshToken
        self.now = now
        self.signedInAt = signedInAt
        self.refreshTokenIdleMilliseconds = refreshTokenIdleMilliseconds
        self.maker = maker
        self.maximumRefreshTokens = maximumRefreshTokens
        self.markMilliseconds = markMilliseconds
        self.number = number
    }
}

extension SignInRecord {
    /// What the script did.
    public enum Outcome: Sendable {
        /// `isNew`: whether this sign-in made the account; `former`: the number that is to let go of it.
        case signedIn(AccountRecord, isNew: Bool, former: HeldNumber?)
        /// The account may not sign in; nothing was recorded.
        case disabled
        /// There is no account, and none may be made; nothing was recorded.
        case noAccount
        /// The account does not hold the number's claim, and never will; nothing was recorded.
        case notHeld
    }
}

extension Store {
    /// Records the sign-in with its refresh token, and makes the account where there is none, in one atomic step.
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
                .integer(record.now), .text(record.account.uid), .text(record.provider),
                .integer(record.refreshTokenIdleMilliseconds), .text(record.refreshToken.hash),
                .integer(Int64(record.maximumRefreshTokens)), .text(record.maker), .integer(record.signedInAt),
                .text(record.tokenClaims), .integer(record.markMilliseconds), .text(record.number?.claim.id ?? ""),
                .integer(record.number?.isFresh == true ? 1 : 0), .bytes(record.number?.sealedNumber ?? []),
            ]
        )
        switch try reply.outcome() {
        case "disabled": return .disabled
        case "no-account": return .noAccount
        case "not-held": return .notHeld
        case "signed-in":
            guard let account = AccountRecord(fields: reply.fields(from: 4)) else { throw .unexpectedReply }
            return .signedIn(
                account,
                isNew: try reply.integer(at: 1) == 1,
                former: try HeldNumber(reply, at: 2, uid: record.account.uid)
            )
        default:
            throw .unexpectedReply
        }
    }
}
