public import Encodings
internal import RedisStore

/// The tokens of a session that began or goes on.
public struct IssuedTokens: Sendable, Confidential {
    /// Proves the user to other servers for an hour.
    public let idToken: String
    /// Gets new ID tokens.
    public let refreshToken: String
    /// The account as it is now.
    public let account: Account
    /// Whether this sign-in made the account.
    public let isNewUser: Bool
}

/// A user who has been proven and is to get tokens.
struct TokenRequest {
    let account: AccountIdentity
    var provider: SignInProvider
    /// When the user was proven.
    let signedInAt: Instant
    /// What the sign-in is known by where it may make the account; empty where the account must be there.
    var maker = ""
    var tokenClaims: CustomClaims?
    /// The identifier that led to the account or that the account is to take.
    var identifier: SignInRecord.Identifier?
    /// The number that the identifier stands for, where it is one.
    var number: String?
    /// Whether only an account will do that this sign-in makes.
    var mustMake = false
    /// The sealed password that was found right; empty where none was asked for.
    var requiredPassword: [UInt8] = []
    /// The claim of the e-mail address that the account must still have; empty where that does not matter.
    var requiredEmailClaim = ""
    /// What becomes of a sign-in by a number that may have another holder by now; nil where that is not asked.
    var recycledNumbers: RecycledNumberRule?
    /// What is needed of the account's second factors.
    var secondFactorNeed = SecondFactorNeed.nothing
    /// The second factor that the session was begun with.
    var secondFactor: ProvenSecondFactor?
    /// The second factor that the account is to get, where hooks are asked about that and not about a sign-in.
    var enrollment: SecondFactorEnrollment?
    /// Who makes the change, where it is not the requester.
    var actor: AuditActor?
    /// The user's ID token, which must still be good when it is done; nil for sign-ins.
    var presented: PresentedToken?
    /// The session that goes on; a new one begins if it is nil.
    var continuedSession: String?
    /// The identifiers that the account is known to have.
    var auditedIdentifiers = AuditedIdentifiers()
    /// What else changes in the account.
    var changes = AccountUpdate()
    /// Who is to be asked before; nil where nobody is.
    var hooks: SignInHooks?

    /// Ends the tokens that were issued before.
    mutating func revokeEarlierTokens(at now: Instant) {
        changes.fields[.validSince] = .some(String(now.seconds))
    }

    /// The account's number where that is the one that led to it, so that it need not be opened.
    func number(of record: AccountRecord) -> String? {
        record.numberClaimID == identifier?.claim.id ? number : nil
    }

    /// What the user has proven before the change that is asked about.
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
        /// There is none, and the request may not make it. `wasDeleted`: no identifier led to it, and it was deleted a
        /// short while ago.
        case noAccount(wasDeleted: Bool = false)
        /// There is an account that this sign-in did not make.
        case exists
        /// The account does not hold the identifier's claim, and never will, or has another password.
        case notHeld
        /// The number may have another holder by now, and the user must sign in in another way.
        case recycled
        /// The first factor is right, and a second one is to be asked for.
        case secondFactorRequired(AccountRecord)
        /// What is needed of second factors is not there.
        case secondFactorRefused(SecondFactorFault)
    }

    /// Records a sign-in and signs its tokens, where the project's hooks allow it.
    func issueTokens(
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenOutcome {
        guard let hooks = request.hooks else { return try recordSignIn(request, in: project, now) }
        return try issueTokens(request, asking: hooks, in: project, now)
    }

    /// Records a sign-in that all have allowed who are to be asked, and signs its tokens.
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
