internal import Encodings

/// A request for tokens for an authenticated user.
struct TokenRequest {
    let account: AccountIdentity
    var provider: SignInProvider
    /// When the user was authenticated.
    let signedInAt: Instant
    /// Identifies the sign-in if it may create the account; empty if the account must exist.
    var maker = ""
    var tokenClaims: CustomClaims?
    /// The identifier that led to the account or that is being linked to it.
    var identifier: NamedIdentifier?
    /// The phone number of the identifier, if the identifier is a number.
    var number: String?
    /// Whether the account must be created by this sign-in: an account that another one has created is not accepted.
    var mustCreate = false
    /// The number of sessions of the account beyond which the least recently used one ends.
    var maximumSessions = UserSession.maximumPerAccount
    /// The sealed password that was verified; empty if no password was requested.
    var requiredPassword: [UInt8] = []
    /// The ``AccountRecord/waysToSignIn`` that the account must still have; empty if they do not matter.
    var requiredWaysToSignIn = ""
    /// What happens to a sign-in with a number that may have been recycled; nil if that is not checked.
    var recycledNumbers: RecycledNumberRule?
    /// What is required of the account's second factors.
    var secondFactorNeed = SecondFactorNeed.nothing
    /// The second factor with which the session was started.
    var secondFactor: ProvenSecondFactor?
    /// The second factor to be enrolled, if hooks are called about the enrollment and not about a sign-in.
    var enrollment: SecondFactorEnrollment?
    /// The actor of the change, if it is not the requester.
    var actor: AuditActor?
    /// The user's ID token, which must still be valid when the change is made; nil for sign-ins.
    var presented: PresentedToken?
    /// Whether the session began at Firebase, so the user does not sign in now.
    var isTakenOver = false
    /// The session that continues; nil starts a new session.
    var continuedSession: String?
    /// The known identifiers of the account.
    var auditedIdentifiers = AuditedIdentifiers()
    /// Other changes to the account, made in the same step. If they disable the account, the sign-in fails.
    var changes = AccountUpdate()
    /// The blocking hooks to call first; nil if there are none.
    var hooks: SignInHooks?

    /// Revokes all earlier tokens.
    mutating func revokeEarlierTokens(at now: Instant) {
        changes.fields[.validSince] = .some(String(now.seconds))
    }

    /// Returns the account's number if it is the number that led to the account, so that it need not be decrypted.
    func number(of record: AccountRecord) -> String? {
        record.numberClaimID == identifier?.claim.id ? number : nil
    }

    /// The second factor that the user has proven before the change that hooks are called about.
    var sessionFactor: ProvenSecondFactor? {
        guard let enrollment else { return secondFactor }
        return enrollment.sessionFactor
    }
}

extension TokenRequest {
    /// Creates a request for new tokens of a user's session, which continues. Changes are made only if the user's ID
    /// token is still valid then.
    init(continuing user: AuthenticatedUser, identifiers: AuditedIdentifiers) {
        self.init(
            account: user.identity,
            provider: user.session.provider,
            signedInAt: user.session.signedInAt,
            tokenClaims: user.session.claims,
            secondFactor: user.session.secondFactor,
            auditedIdentifiers: identifiers
        )
        presented = user.presented
        presented?.formerMilliseconds = UserSession.formerTokenLifetime.milliseconds
        continuedSession = user.session.id
    }
}
