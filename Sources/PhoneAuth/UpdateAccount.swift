public import Encodings
internal import Passwords
internal import RedisStore

/// What a user changes about the own account.
public struct UpdateAccountRequest: Sendable, Confidential {
    /// What becomes of a text.
    public enum Change: Sendable {
        case unchanged
        case set(String)
        case removed
    }

    /// Proves the user.
    public var idToken: String
    /// The name.
    public var displayName = Change.unchanged
    /// The address of the picture.
    public var photoURL = Change.unchanged
    /// The e-mail address.
    public var email = Change.unchanged
    /// The password.
    public var password = Change.unchanged
    /// Whether the account gives its number up.
    public var removesPhoneNumber = false
    /// Whether all tokens issued before are to end; the user gets new ones.
    public var revokesTokens = false

    /// A request that changes nothing yet.
    public init(idToken: String) {
        self.idToken = idToken
    }
}

/// An account after a change.
public struct UpdatedAccount: Sendable, Confidential {
    /// The account as it is now.
    public let account: Account
    /// New tokens, where the ones before have ended; nil also where the session is not to go on, because it lacks a second factor that
    /// the project requires.
    public let tokens: IssuedTokens?
}

/// Why an account was not changed.
public enum UpdateAccountRefusal: Error {
    case notAuthenticated(IDTokenRefusal)
    case displayNameTooLong
    case photoURLTooLong
    /// The sign-in is longer ago than ``Policy/recentSignIn``.
    case signInTooOld
    /// The e-mail address or the password is not taken.
    case credential(CredentialRefusal)
    case failed(OperationFailure)
}

extension Authenticator {
    /// Changes the account of an ID token's user.
    ///
    /// A changed e-mail address or password revokes the tokens issued before, as in Firebase; giving a number up does not. All
    /// changes are one step: where the address is another account's, nothing is changed.
    /// - Throws: ``UpdateAccountRefusal``.
    public func updateAccount(
        _ request: UpdateAccountRequest,
        in project: Project
    ) throws(UpdateAccountRefusal) -> UpdatedAccount {
        let user: AuthenticatedUser
        do { user = try authenticate(idToken: request.idToken, in: project) } catch { throw .notAuthenticated(error) }
        try checkSizes(request)
        let now = environment.now()
        let change: CredentialChange
        do {
            change = try CredentialChange(request, of: user.account, in: project)
        } catch {
            throw .credential(error)
        }
        let removesPhoneNumber = request.removesPhoneNumber && user.account.phoneNumber != nil
        if change.replacesSomething || removesPhoneNumber, !isRecent(user.token) { throw .signInTooOld }
        var update = AccountUpdate(removesNumber: request.removesPhoneNumber, removesEmail: change.removesEmail)
        if let password = change.newPassword {
            do {
                let hashed = try passwordChange(try hash(password), for: user.identity, now)
                update.fields = hashed.fields
                update.sealedPassword = hashed.sealedPassword
            } catch {
                throw .failed(error)
            }
        } else if change.removesPassword {
            update.change(.password, .removed)
            update.change(.passwordUpdatedAt, .removed)
        }
        update.change(.displayName, request.displayName)
        update.change(.photoURL, request.photoURL)
        let revokes = request.revokesTokens || change.isChange
        if revokes { update.change(.validSince, .set(String(now.seconds))) }
        var request = TokenRequest(
            account: user.identity,
            provider: user.token.provider,
            signedInAt: Instant(milliseconds: user.token.authTime * 1000),
            tokenClaims: user.token.sessionClaims(beside: user.account),
            secondFactor: user.token.secondFactor,
            auditedIdentifiers: identifiers(of: user, in: project)
        )
        let goesOn = project.renews(user.token.provider, user.token.secondFactor)
        // Whoever was nobody in particular has a name now.
        if user.token.provider == .anonymous, change.makesPasswordUser { request.provider = .password }
        if let email = change.newEmail {
            request.changes = update
            let tokens = try link(email, request, in: project, now)
            return UpdatedAccount(account: tokens.account, tokens: goesOn ? tokens : nil)
        }
        let account = try apply(update, to: user.identity, request.auditedIdentifiers, in: project)
        guard revokes, goesOn else { return UpdatedAccount(account: account, tokens: nil) }
        let tokens = try renewTokens(request, in: project, now)
        return UpdatedAccount(account: tokens.account, tokens: tokens)
    }

    /// Gives the account another e-mail address, with all other changes.
    private func link(
        _ email: EmailAddress,
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(UpdateAccountRefusal) -> IssuedTokens {
        let email = identifier(email, in: project)
        let standing: IdentifierClaim?
        do { standing = try store.claim(of: email.identity) } catch { throw .failed(.unavailable(error)) }
        let outcome: LinkOutcome
        do { outcome = try link(email, standing: standing, request, in: project, now) } catch { throw .failed(error) }
        switch outcome {
        case .linked(let tokens): return tokens
        case .ofAnother: throw .credential(.emailExists)
        case .disabled: throw .notAuthenticated(.accountDisabled)
        case .noAccount: throw .notAuthenticated(.accountUnknown)
        }
    }

    private func checkSizes(_ request: UpdateAccountRequest) throws(UpdateAccountRefusal) {
        if case .set(let name) = request.displayName, !DisplayName.isLegal(name) { throw .displayNameTooLong }
        if case .set(let url) = request.photoURL, url.utf8.count > Policy.maximumPhotoURLBytes {
            throw .photoURLTooLong
        }
    }

    private func apply(
        _ update: AccountUpdate,
        to identity: AccountIdentity,
        _ known: AuditedIdentifiers,
        in project: Project
    ) throws(UpdateAccountRefusal) -> Account {
        let outcome: AccountUpdate.Outcome
        do {
            outcome = try store.updateAccount(identity, update, audit: audit(about: known, in: project))
        } catch {
            throw .failed(.unavailable(error))
        }
        // It was there a moment ago.
        guard case .updated(let record, let former) = outcome else { throw .notAuthenticated(.accountUnknown) }
        release(former, of: identity, in: project)
        return Account(identity, record, keys)
    }

    /// The time of the sign-in stays what it was.
    private func renewTokens(
        _ request: TokenRequest,
        in project: Project,
        _ now: Instant
    ) throws(UpdateAccountRefusal) -> IssuedTokens {
        let outcome: TokenOutcome
        do { outcome = try issueTokens(request, in: project, now) } catch { throw .failed(error) }
        switch outcome {
        case .issued(let tokens): return tokens
        case .disabled: throw .notAuthenticated(.accountDisabled)
        case .noAccount, .notHeld, .exists, .recycled, .secondFactorRequired, .secondFactorRefused:
            throw .notAuthenticated(.accountUnknown)
        }
    }
}
