internal import Redis

/// What the script `record-sign-in.lua` needs.
public struct SignInRecord: Sendable {
    /// An identifier that led to the account, or that the account is to take.
    public struct Identifier: Sendable {
        /// What it is.
        public let kind: IdentifierKind
        /// What events call it.
        let name: String
        /// What stands with it, or is to.
        public let claim: IdentifierClaim
        let isFresh: Bool
        let sealed: [UInt8]

        /// An identifier under a claim that stands with it; `isFresh` where a worker may still be on its way with the claim.
        public init<Subject: IdentifierSubject>(
            _ identity: HashedIdentity<Subject>,
            claim: IdentifierClaim,
            isFresh: Bool,
            sealed: [UInt8]
        ) {
            kind = Subject.kind
            name = AuditedIdentifiers.name(identity)
            self.claim = claim
            self.isFresh = isFresh
            self.sealed = sealed
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
    let identifier: Identifier?
    let mustMake: Bool
    let requiredPassword: [UInt8]
    let requiredEmailClaim: String
    let recycledNumbers: RecycledNumberRule?
    let secondFactorNeed: SecondFactorNeed
    let secondFactor: SecondFactorMark?
    let changes: AccountUpdate
    let audit: AuditContext?

    /// Times are in milliseconds, `now` since the Unix epoch.
    ///
    /// `tokenClaims` are the token's own, a JSON object, or empty. `signedInAt` is `now`, or earlier where the account only gets
    /// a new token. `maker` is what the sign-in is known by where it may make the account, and empty where the account must be
    /// there. For `markMilliseconds` an account that is not there is not made; longer than claims are fresh.
    ///
    /// Where it `mustMake` the account, one that another sign-in made will not do. With a `requiredPassword`, sealed, only an
    /// account will do that has just this one; with a `requiredEmailClaim`, only one that holds its e-mail address by that. The
    /// rule on `recycledNumbers` is for sign-ins by a number. The refresh token remembers the `secondFactor`. The `changes` are
    /// made in the same step; an account that they disable signs nobody in.
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
        identifier: Identifier? = nil,
        mustMake: Bool = false,
        requiredPassword: [UInt8] = [],
        requiredEmailClaim: String = "",
        recycledNumbers: RecycledNumberRule? = nil,
        secondFactorNeed: SecondFactorNeed = .nothing,
        secondFactor: SecondFactorMark? = nil,
        changes: AccountUpdate = AccountUpdate(),
        audit: AuditContext?
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
        self.identifier = identifier
        self.mustMake = mustMake
        self.requiredPassword = requiredPassword
        self.requiredEmailClaim = requiredEmailClaim
        self.recycledNumbers = recycledNumbers
        self.secondFactorNeed = secondFactorNeed
        self.secondFactor = secondFactor
        self.changes = changes
        self.audit = audit
    }
}

extension SignInRecord {
    /// What the script did.
    public enum Outcome: Sendable {
        /// `isNew`: whether this sign-in made the account; `former`: the identifiers that are to let go of it.
        case signedIn(AccountRecord, isNew: Bool, former: [HeldIdentifier])
        /// The account may not sign in; no sign-in was recorded.
        case disabled
        /// There is no account, and none may be made; nothing was recorded.
        case noAccount
        /// There is an account that this sign-in did not make; nothing was recorded.
        case exists
        /// The account does not hold the identifier's claim, and never will, or has another password; nothing was recorded.
        case notHeld
        /// The account has another e-mail address than the required one; nothing was recorded.
        case changed
        /// The number may have another holder by now, and the user must sign in in another way.
        case recycled
        /// The account has second factors, and one is to be asked for; no sign-in was recorded, but the changes were made.
        case secondFactorRequired(AccountRecord)
        /// What is needed of second factors is not there; nothing was recorded, but that a code was wrong.
        case secondFactorRefused(SecondFactorFault)
    }
}

extension Store {
    /// Records the sign-in with its refresh token, and makes the account where there is none, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func recordSignIn(_ record: SignInRecord) throws(StoreUnavailable) -> SignInRecord.Outcome {
        let reply = try run(record, onlyLooks: false)
        switch try reply.outcome() {
        case "disabled": return .disabled
        case "no-account": return .noAccount
        case "exists": return .exists
        case "not-held": return .notHeld
        case "changed": return .changed
        case "recycled": return .recycled
        case "signed-in":
            guard let account = AccountRecord(fields: reply.fields(from: 3)) else { throw .unexpectedReply }
            return .signedIn(
                account,
                isNew: try reply.integer(at: 1) == 1,
                former: try HeldIdentifier.list(try reply.reply(at: 2), uid: record.account.uid)
            )
        case "second-factor":
            guard let account = AccountRecord(fields: reply.fields(from: 1)) else { throw .unexpectedReply }
            return .secondFactorRequired(account)
        default:
            return .secondFactorRefused(try SecondFactorFault(reply))
        }
    }

    func run(_ record: SignInRecord, onlyLooks: Bool) throws(StoreUnavailable) -> ScriptReply {
        try run(
            Scripts.recordSignIn,
            isConfirmed: true,
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
                .text(record.tokenClaims), .integer(record.markMilliseconds),
                .text(record.identifier?.kind.rawValue ?? ""),
                .text(record.identifier?.claim.id ?? ""), .integer(record.identifier?.isFresh == true ? 1 : 0),
                .bytes(record.identifier?.sealed ?? []), .integer(record.mustMake ? 1 : 0),
                .bytes(record.requiredPassword), .integer(onlyLooks ? 1 : 0), .text(record.requiredEmailClaim),
                .text(record.recycledNumbers?.answer.rawValue ?? ""),
                .integer(record.recycledNumbers?.provenBefore ?? 0), .bytes(record.secondFactorNeed.argument),
                .text(record.secondFactor?.method ?? ""), .text(record.secondFactor?.id ?? ""),
            ] + record.changes.arguments,
            audit: record.audit?.naming(record.identifier),
            in: record.account.shard
        )
    }
}
