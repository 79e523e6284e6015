public import Encodings
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
    /// New tokens, where the ones before have ended.
    public let tokens: IssuedTokens?
}

/// Why an account was not changed.
public enum UpdateAccountRefusal: Error {
    case notAuthenticated(IDTokenRefusal)
    case displayNameTooLong
    case photoURLTooLong
    /// The sign-in is longer ago than ``Policy/recentSignIn``.
    case signInTooOld
    case failed(OperationFailure)
}

extension Authenticator {
    /// Changes the account of an ID token's user.
    ///
    /// Giving a number up revokes nothing: other devices stay signed in, as they do in Firebase.
    /// - Throws: ``UpdateAccountRefusal``.
    public func updateAccount(
        _ request: UpdateAccountRequest,
        in project: Project
    ) throws(UpdateAccountRefusal) -> UpdatedAccount {
        let user: AuthenticatedUser
        do { user = try authenticate(idToken: request.idToken, in: project) } catch { throw .notAuthenticated(error) }
        try checkSizes(request)
        if request.removesPhoneNumber, user.account.phoneNumber != nil, !isRecent(user.token) { throw .signInTooOld }
        let now = environment.now()
        var update = AccountUpdate(removesNumber: request.removesPhoneNumber)
        update.change(.displayName, request.displayName)
        update.change(.photoURL, request.photoURL)
        if request.revokesTokens { update.change(.validSince, .set(String(now.seconds))) }
        let account = try apply(update, to: user.identity, in: project)
        guard request.revokesTokens else { return UpdatedAccount(account: account, tokens: nil) }
        return UpdatedAccount(account: account, tokens: try renewTokens(of: user, in: project, now))
    }

    private func checkSizes(_ request: UpdateAccountRequest) throws(UpdateAccountRefusal) {
        if case .set(let name) = request.displayName, name.unicodeScalars.count > Policy.maximumDisplayNameCharacters {
            throw .displayNameTooLong
        }
        if case .set(let url) = request.photoURL, url.utf8.count > Policy.maximumPhotoURLBytes {
            throw .photoURLTooLong
        }
    }

    private func apply(
        _ update: AccountUpdate,
        to identity: AccountIdentity,
        in project: Project
    ) throws(UpdateAccountRefusal) -> Account {
        let outcome: AccountUpdate.Outcome
        do { outcome = try store.updateAccount(identity, update) } catch { throw .failed(.unavailable(error)) }
        // It was there a moment ago.
        guard case .updated(let record, let former) = outcome else { throw .notAuthenticated(.accountUnknown) }
        if let former { release([former], of: identity, in: project) }
        return Account(identity, record, keys)
    }

    /// The time of the sign-in stays what it was.
    private func renewTokens(
        of user: AuthenticatedUser,
        in project: Project,
        _ now: Instant
    ) throws(UpdateAccountRefusal) -> IssuedTokens {
        let request = TokenRequest(
            account: user.identity,
            provider: user.token.provider,
            signedInAt: Instant(milliseconds: user.token.authTime * 1000)
        )
        let outcome: TokenOutcome
        do { outcome = try issueTokens(request, in: project, now) } catch { throw .failed(error) }
        switch outcome {
        case .issued(let tokens): return tokens
        case .disabled: throw .notAuthenticated(.accountDisabled)
        case .noAccount, .notHeld: throw .notAuthenticated(.accountUnknown)
        }
    }
}

extension AccountUpdate {
    fileprivate mutating func change(_ field: AccountField, _ change: UpdateAccountRequest.Change) {
        switch change {
        case .unchanged: break
        case .set(let text): fields[field] = .some(text)
        case .removed: fields[field] = .some(nil)
        }
    }
}
