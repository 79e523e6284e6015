public import Encodings
internal import RedisStore

/// The tokens of a new or continued session.
public struct IssuedTokens: Sendable, Confidential {
    /// The ID token, which proves the user to other servers for an hour.
    public let idToken: String
    /// The refresh token, which is exchanged for new ID tokens.
    public let refreshToken: String
    /// The account in its current state.
    public let account: Account
    /// Whether this sign-in created the account.
    public let isNewUser: Bool
}

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
    var identifier: SignInRecord.Identifier?
    /// The phone number of the identifier, if the identifier is a number.
    var number: String?
    /// Whether the account must be created by this sign-in.
    var mustMake = false
    /// The sealed password that was verified; empty if no password was requested.
    var requiredPassword: [UInt8] = []
    /// The claim of the e-mail address that the account must still have; empty if it does not matter.
    var requiredEmailClaim = ""
    /// What happens to a sign-in with a number that may have been recycled; nil if that is not checked.
    var recycledNumbers: RecycledNumberRule?
    /// What is required of the account's second factors.
    var secondFactorNeed = SecondFactorNeed.nothing
    /// The second factor with which the session was started.
    var secondFactor: ProvenSecondFactor?
    /// The second factor to be enrolled, if hooks are called about the enrolment and not about a sign-in.
    var enrollment: SecondFactorEnrollment?
    /// The actor of the change, if it is not the requester.
    var actor: AuditActor?
    /// The user's ID token, which must still be valid when the change is made; nil for sign-ins.
    var presented: PresentedToken?
    /// The session that continues; nil starts a new session.
    var continuedSession: String?
    /// The known identifiers of the account.
    var auditedIdentifiers = AuditedIdentifiers()
    /// Other changes to the account.
    var changes = AccountUpdate()
    /// The blocking hooks to call before; nil if there are none.
    var hooks: SignInHooks?

    /// Revokes the tokens that were issued before.
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

extension Authenticator {
    enum TokenOutcome {
        case issued(IssuedTokens)
        case disabled
        /// The ID token was revoked; nothing was changed.
        case tokenRevoked
        /// The ID token's sign-in is too old to link anything; nothing was changed.
        case signInTooOld
        /// The account does not exist, and the request may not create it. `wasDeleted`: no identifier led to the
        /// account, and it was deleted recently.
        case noAccount(wasDeleted: Bool = false)
        /// The account exists and was not created by this sign-in.
        case exists
        /// The account does not have the identifier's claim, and never will, or has another password.
        case notHeld
        /// The number may have been recycled, and the user must sign in in another way.
        case recycled
        /// The first factor was verified, and a second factor is required.
        case secondFactorRequired(AccountRecord)
        /// A requirement on the account's second factors is not met.
        case secondFactorRefused(SecondFactorFault)
    }

    /// Records a sign-in and signs its tokens, if the project's blocking hooks allow it.
    func issueTokens(
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenOutcome {
        guard let hooks = request.hooks else { return try recordSignIn(request, in: project, now) }
        return try issueTokens(request, asking: hooks, in: project, now)
    }

    /// Records a sign-in that all hooks have allowed, and signs its tokens.
    func recordSignIn(
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenOutcome {
        let refreshToken = RefreshToken.make(
            for: request.account,
            continuing: request.continuedSession,
            environment
        )
        let outcome: SignInRecord.Outcome
        do {
            outcome = try store.recordSignIn(signInRecord(request, refreshToken, in: project, now))
        } catch {
            throw .unavailable(error)
        }
        switch outcome {
        case .disabled: return .disabled
        case .tokenRevoked: return .tokenRevoked
        case .signInTooOld: return .signInTooOld
        case .noAccount(let wasDeleted): return .noAccount(wasDeleted: wasDeleted)
        case .exists: return .exists
        case .notHeld: return .notHeld
        case .changed: throw .interrupted
        case .recycled: return .recycled
        case .secondFactorRequired(let record): return .secondFactorRequired(record)
        case .secondFactorRefused(let fault): return .secondFactorRefused(fault)
        case .signedIn(let record, let isNew, let former):
            release(former, of: request.account, in: project)
            let account = Account(request.account, record, keys, number: request.number(of: record))
            let idToken = IDToken(
                of: account,
                session: refreshToken.identity(in: project).hash,
                revocation: record.revocation ?? 0,
                signedInAt: request.signedInAt,
                with: request.provider,
                request.tokenClaims,
                secondFactor: request.secondFactor,
                issuedAt: now,
                issuerPrefix: policy.issuerPrefix,
                in: project
            )
            do {
                return .issued(
                    IssuedTokens(
                        idToken: try idToken.signed(with: keys.signingKey(at: now), policy),
                        refreshToken: refreshToken.text(in: project, keys),
                        account: account,
                        isNewUser: isNew
                    )
                )
            } catch {
                throw .cryptographyFailed
            }
        }
    }

    func signInRecord(
        _ request: TokenRequest,
        _ refreshToken: RefreshToken,
        in project: Project,
        _ now: Instant
    ) -> SignInRecord {
        SignInRecord(
            account: request.account,
            provider: request.provider.rawValue,
            tokenClaims: request.tokenClaims?.text ?? "",
            session: refreshToken.identity(in: project),
            secretHash: refreshToken.secretHash,
            client: requester.client ?? "",
            firstRevocation: refreshToken.firstRevocation,
            now: now.milliseconds,
            signedInAt: request.signedInAt.milliseconds,
            sessionIdleMilliseconds: policy.refreshTokenIdleLifetime.milliseconds,
            maker: request.maker,
            maximumSessions: Policy.maximumSessions,
            markMilliseconds: Policy.deletionMarkLifetime.milliseconds,
            identifier: request.identifier,
            mustMake: request.mustMake,
            requiredPassword: request.requiredPassword,
            requiredEmailClaim: request.requiredEmailClaim,
            recycledNumbers: request.recycledNumbers,
            secondFactorNeed: request.secondFactorNeed,
            secondFactor: request.secondFactor?.mark,
            changes: request.changes,
            presented: request.presented,
            audit: audit(by: request.actor, about: request.auditedIdentifiers, in: project)
        )
    }
}
