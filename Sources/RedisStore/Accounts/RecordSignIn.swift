internal import Redis

/// The input of the script `record-sign-in.lua`.
public struct SignInRecord: Sendable {
    /// An identifier that led to the account, or that the account is to take.
    public struct Identifier: Sendable {
        /// The kind of identifier.
        public let kind: IdentifierKind
        /// The identifier's name in audit events.
        let name: String
        /// The identifier's claim, or the claim that it is to get.
        public let claim: IdentifierClaim
        let isFresh: Bool
        let sealed: [UInt8]

        /// Names an identifier by its claim; `isFresh` is true if a worker may still be using the claim.
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

    /// Collects the arguments. Times are in milliseconds; `now` is since the Unix epoch.
    ///
    /// The sign-in begins the `session`, or continues it if it is the session of the `presented` ID token. `secretHash`
    /// is the hash of its refresh token's secret. `tokenClaims` are the session's own claims, a JSON object, or empty.
    /// `signedInAt` is `now`, or earlier if the user only gets new tokens. A new account's revocation counter starts at
    /// `firstRevocation`, a random number. `maker` identifies the sign-in if it may create the account; it is empty if
    /// the account must exist. For `markMilliseconds`, longer than claims are fresh, an account that does not exist
    /// cannot be created.
    ///
    /// If it `mustMake` the account, an account created by another sign-in is not accepted. A `requiredPassword`
    /// (sealed) must be the account's password, and a `requiredEmailClaim` the claim of its e-mail address. The rule on
    /// `recycledNumbers` is for sign-ins by a number. The session stores the `secondFactor`. The `changes` are made in
    /// the same step; if they disable the account, the sign-in fails.
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
    /// The result of the script.
    public enum Outcome: Sendable {
        /// `isNew`: whether this sign-in created the account; `former`: the identifiers to release.
        case signedIn(AccountRecord, isNew: Bool, former: [HeldIdentifier])
        /// The account is disabled; no sign-in was recorded.
        case disabled
        /// The ID token was revoked; nothing was recorded.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything; nothing was recorded.
        case signInTooOld
        /// The account does not exist and may not be created; nothing was recorded. `wasDeleted`: no identifier led to
        /// the account, and it was deleted recently.
        case noAccount(wasDeleted: Bool)
        /// The account exists, but this sign-in did not create it; nothing was recorded.
        case exists
        /// The account will never hold the identifier's claim, or has another password; nothing was recorded.
        case notHeld
        /// The account's e-mail address is not the required one; nothing was recorded.
        case changed
        /// The number may have been recycled; the user must sign in in another way.
        case recycled
        /// The account has second factors and must be asked for one; no sign-in was recorded, but the changes were
        /// made.
        case secondFactorRequired(AccountRecord)
        /// The second-factor need is not met; nothing was recorded except a wrong code.
        case secondFactorRefused(SecondFactorFault)
    }
}

extension Store {
    /// Records the sign-in with its refresh token, and creates the account if it does not exist, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
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
