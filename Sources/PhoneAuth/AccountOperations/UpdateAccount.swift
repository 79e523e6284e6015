public import Encodings
internal import Passwords

/// A user's changes to their own account.
public struct UpdateAccountRequest: Sendable, Confidential {
    /// A change of a text attribute.
    public enum Change: Sendable {
        case unchanged
        case set(String)
        case removed
    }

    /// The ID token, which authenticates the user.
    var idToken: String
    /// The display name.
    public var displayName = Change.unchanged
    /// The URL of the picture.
    public var photoURL = Change.unchanged
    /// The e-mail address.
    public var email = Change.unchanged
    /// The password.
    public var password = Change.unchanged
    /// Whether the phone number is unlinked from the account.
    public var removesPhoneNumber = false
    /// Whether all earlier tokens are revoked; the user gets new tokens.
    public var revokesTokens = false
    /// The client, as described to blocking hooks.
    public var client = ClientDescription()
    /// The link of the notice to a former e-mail address; nil to send none.
    public var recoveryLink: ActionLink?

    /// Creates a request without changes.
    public init(idToken: String) {
        self.idToken = idToken
    }
}

/// An account after a change.
public struct UpdatedAccount: Sendable, Confidential {
    /// The account after the change.
    public let account: Account
    /// New tokens, if the earlier tokens were revoked; nil also if the session ends because it lacks a second factor
    /// that the project requires.
    public let tokens: IssuedTokens?
}

/// Why an account was not changed.
public enum UpdateAccountRefusal: OperationRefusal, UserRefusal {
    case notAuthenticated(IDTokenRefusal)
    case displayNameTooLong
    case photoURLTooLong
    /// The e-mail address or the password was rejected.
    case credential(CredentialRefusal)
    case failed(OperationFailure)
}

extension OperationContext {
    /// Changes the account of an ID token's user.
    ///
    /// A changed e-mail address or password revokes all earlier tokens, as in Firebase; unlinking a number does not.
    /// All changes are atomic: if the address belongs to another account, nothing is changed.
    ///
    /// Blocking hooks are called for a new e-mail address and a first password, as for a new number
    /// (``BlockingHookEvent/beforeSignIn``). Unless they allow it, nothing is changed.
    /// - Throws: ``UpdateAccountRefusal``.
    public func updateAccount(_ request: UpdateAccountRequest) throws(UpdateAccountRefusal) -> UpdatedAccount {
        let identified = try UpdateAccountRefusal.wrapping(refusalOf: identify(idToken: request.idToken))
        try checkSizes(request)
        let change: CredentialChange
        do {
            change = try CredentialChange(request, of: identified.account, in: project)
        } catch {
            throw .credential(error)
        }
        var operations = [.changeProfile] + change.operations
        let removesNumber = request.removesPhoneNumber && identified.account.phoneNumber != nil
        if removesNumber { operations.append(.unlinkPhoneNumber) }
        if request.revokesTokens { operations.append(.revokeTokens) }
        let user = try UpdateAccountRefusal.wrapping(refusalOf: authorize(identified, for: operations))
        try UpdateAccountRefusal.wrapping(failureOf: admit(change))
        var update = AccountUpdate(removesNumber: removesNumber, removesEmail: change.removesEmail)
        if let password = change.newPassword {
            do {
                let hashed = try passwordChange(
                    try hash(password, for: user.session.provider == .anonymous ? .signUp : .signIn),
                    for: user.identity
                )
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
        // A repeated request finds nothing to change, but its client lacks the new tokens.
        let revokes = request.revokesTokens || change.isChange || identified.isRepeated
        if revokes { update.change(.validSince, .set(String(now.seconds))) }
        var renewal = TokenRequest(continuing: user, identifiers: identifiers(of: user))
        renewal.provider = change.provider(after: user.session.provider)
        renewal.changes = update
        // The user ends the session's own tokens, too.
        if request.revokesTokens { renewal.presented?.formerMilliseconds = nil }
        if change.linksIdentifier {
            // An anonymous session proves nothing: anyone can get as many as the rate limits on sign-ups allow.
            let share: BlockingHookShare = user.session.provider == .anonymous ? .signUp : .proven
            renewal.hooks = hooks(for: request.client, share)
        }
        let continuesSession = project.renews(user.session.provider, user.session.secondFactor)
        if let email = change.newEmail {
            let tokens = try link(email, renewal)
            if user.session.provider != .anonymous {
                notifyFormerAddress(
                    of: user.account,
                    user.record,
                    changedTo: email,
                    request.recoveryLink,
                    ifVerified: policy.development == nil
                )
            }
            return UpdatedAccount(account: tokens.account, tokens: continuesSession ? tokens : nil)
        }
        guard revokes, continuesSession || renewal.hooks != nil else {
            return UpdatedAccount(
                account: try apply(update, to: user, renewal.auditedIdentifiers),
                tokens: nil
            )
        }
        // Revocation and new tokens are atomic: a concurrent revocation cannot be undone.
        let tokens = try renewTokens(renewal)
        return UpdatedAccount(account: tokens.account, tokens: continuesSession ? tokens : nil)
    }

    private func admit(_ change: CredentialChange) throws(OperationFailure) {
        switch (change.newEmail, change.newPassword) {
        case (.some, .some): try admit(.emailAddress, .passwordHash)
        case (.some, nil): try admit(.emailAddress)
        case (nil, .some): try admit(.passwordHash)
        case (nil, nil): break
        }
    }

    /// Links another e-mail address to the account, together with all other changes.
    private func link(_ email: EmailAddress, _ request: TokenRequest) throws(UpdateAccountRefusal) -> IssuedTokens {
        let email = identifier(email)
        let currentClaim = try UpdateAccountRefusal.wrapping(store.claim(of: email.identity))
        let outcome = try UpdateAccountRefusal.wrapping(failureOf: link(email, currentClaim: currentClaim, request))
        switch outcome {
        case .taken(let tokens): return tokens
        case .ofAnother: throw .credential(.emailExists)
        case .hindered(let obstacle): throw .notAuthenticated(IDTokenRefusal(obstacle))
        }
    }

    private func checkSizes(_ request: UpdateAccountRequest) throws(UpdateAccountRefusal) {
        if case .set(let name) = request.displayName, !DisplayName.isLegal(name) { throw .displayNameTooLong }
        if case .set(let url) = request.photoURL, url.utf8.count > Account.maximumPhotoURLBytes {
            throw .photoURLTooLong
        }
    }

    private func apply(
        _ update: AccountUpdate,
        to user: AuthenticatedUser,
        _ known: AuditedIdentifiers
    ) throws(UpdateAccountRefusal) -> Account {
        let outcome = try UpdateAccountRefusal.wrapping(
            store.updateAccount(
                user.identity,
                update,
                onBehalfOf: user.presented,
                audit: audit(about: known)
            )
        )
        switch outcome {
        case .updated(let record, let former):
            release(former, of: user.identity)
            return Account(user.identity, record, keys)
        case .tokenRevoked: throw .notAuthenticated(.tokenRevoked)
        case .signInTooOld: throw .notAuthenticated(.signInTooOld)
        case .noAccount, .emailChanged, .secondFactorRefused: throw .notAuthenticated(.accountUnknown)
        }
    }

    /// Applies the changes and issues tokens atomically. The session continues: the time of the sign-in stays
    /// unchanged.
    private func renewTokens(_ request: TokenRequest) throws(UpdateAccountRefusal) -> IssuedTokens {
        let outcome = try UpdateAccountRefusal.wrapping(failureOf: issueTokens(request))
        switch outcome {
        case .issued(let tokens): return tokens
        case .hindered(let obstacle): throw .notAuthenticated(IDTokenRefusal(obstacle))
        }
    }
}

extension AccountUpdate {
    mutating func change(_ field: AccountField, _ change: UpdateAccountRequest.Change) {
        switch change {
        case .unchanged: break
        case .set(let text): fields[field] = .some(text)
        case .removed: fields[field] = .some(nil)
        }
    }
}
