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
    let session: UserSessionIdentity
    let secretHash: String
    let client: String
    let firstRevocation: Int64
    let now: Int64
    let signedInAt: Int64
    let sessionIdleMilliseconds: Int64
    let maker: String
    let maximumSessions: Int
    let markMilliseconds: Int64
    let identifier: Identifier?
    let mustMake: Bool
    let requiredPassword: [UInt8]
    let requiredEmailClaim: String
    let recycledNumbers: RecycledNumberRule?
    let secondFactorNeed: SecondFactorNeed
    let secondFactor: SecondFactorMark?
    let changes: AccountUpdate
    let presented: PresentedToken?
    let audit: AuditContext?

    /// Times are in milliseconds, `now` since the Unix epoch.
    ///
    /// The sign-in begins the `session`, unless that is the one of the `presented` ID token, which then goes on. Its
    /// refresh token has a secret of this hash. `tokenClaims` are the session's own, a JSON object, or empty.
    /// `signedInAt` is `now`, or earlier where the account only gets a new token. An account that is made counts its
    /// revocations from `firstRevocation`, a random number. `maker` is what the sign-in is known by where it may make
    /// the account, and empty where the account must be there. For `markMilliseconds` an account that is not there is
    /// not made; longer than claims are fresh.
    ///
    /// Where it `mustMake` the account, one that another sign-in made will not do. With a `requiredPassword`, sealed, only an
    /// account will do that has just this one; with a `requiredEmailClaim`, only one that holds its e-mail address by that. The
    /// rule on `recycledNumbers` is for sign-ins by a number. The session remembers the `secondFactor`. The `changes`
    /// are made in the same step; an account that they disable signs nobody in.
    public init(
        account: AccountIdentity,
        provider: String,
        tokenClaims: String = "",
        session: UserSessionIdentity,
        secretHash: String = "",
        client: String = "",
        firstRevocation: Int64,
        now: Int64,
        signedInAt: Int64,
        sessionIdleMilliseconds: Int64,
        maker: String,
        maximumSessions: Int,
        markMilliseconds: Int64,
        identifier: Identifier? = nil,
        mustMake: Bool = false,
        requiredPassword: [UInt8] = [],
        requiredEmailClaim: String = "",
        recycledNumbers: RecycledNumberRule? = nil,
        secondFactorNeed: SecondFactorNeed = .nothing,
        secondFactor: SecondFactorMark? = nil,
        changes: AccountUpdate = AccountUpdate(),
        presented: PresentedToken? = nil,
        audit: AuditContext?
    ) {
        self.account = account
        self.provider = provider
        self.tokenClaims = tokenClaims
        self.session = session
        self.secretHash = secretHash
        self.client = client
        self.firstRevocation = firstRevocation
        self.now = now
        self.signedInAt = signedInAt
        self.sessionIdleMilliseconds = sessionIdleMilliseconds
        self.maker = maker
        self.maximumSessions = maximumSessions
        self.markMilliseconds = markMilliseconds
        self.identifier = identifier
        self.mustMake = mustMake
        self.requiredPassword = requiredPassword
        self.requiredEmailClaim = requiredEmailClaim
        self.recycledNumbers = recycledNumbers
        self.secondFactorNeed = secondFactorNeed
        self.secondFactor = secondFactor
        self.changes = changes
        self.presented = presented
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
        /// The ID token was revoked; nothing was recorded.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything; nothing was recorded.
        case signInTooOld
        /// There is no account, and none may be made; nothing was recorded. `wasDeleted`: no identifier led to it, and
        /// it was deleted a short while ago.
        case noAccount(wasDeleted: Bool)
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
        case "revoked": return .tokenRevoked
        case "too-old": return .signInTooOld
        case "no-account": return .noAccount(wasDeleted: try reply.integer(at: 1) == 1)
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
        let call = ScriptCall(
            keys: [
                KeyNames.user(record.account),
                KeyNames.users(record.account.shard, record.account.project),
                KeyNames.userSession(record.session),
                KeyNames.userSessions(record.account),
                KeyNames.deletedUser(record.account),
            ],
            arguments: [
                .integer(record.now), .text(record.account.uid), .text(record.provider),
                .integer(record.sessionIdleMilliseconds), .text(record.session.hash),
                .integer(Int64(record.maximumSessions)), .text(record.maker), .integer(record.signedInAt),
                .text(record.tokenClaims), .integer(record.markMilliseconds),
                .text(record.identifier?.kind.rawValue ?? ""),
                .text(record.identifier?.claim.id ?? ""), .integer(record.identifier?.isFresh == true ? 1 : 0),
                .bytes(record.identifier?.sealed ?? []), .integer(record.mustMake ? 1 : 0),
                .bytes(record.requiredPassword), .integer(onlyLooks ? 1 : 0), .text(record.requiredEmailClaim),
                .text(record.recycledNumbers?.answer.rawValue ?? ""),
                .integer(record.recycledNumbers?.provenBefore ?? 0), .bytes(record.secondFactorNeed.argument),
                .text(record.secondFactor?.method ?? ""), .text(record.secondFactor?.id ?? ""),
                .text(record.secretHash), .integer(record.firstRevocation), .text(record.client),
            ] + record.changes.arguments,
            onBehalfOf: record.presented,
            of: record.account,
            audit: record.audit?.naming(record.identifier)
        )
        return try run(Scripts.recordSignIn, isConfirmed: true, call)
    }
}
