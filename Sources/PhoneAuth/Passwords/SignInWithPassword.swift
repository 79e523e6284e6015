public import Encodings
internal import Passwords
public import RedisStore

/// A request to sign in with an e-mail address and a password.
public struct SignInWithPasswordRequest: Sendable, Confidential {
    /// The e-mail address as the user entered it.
    public var email: String
    /// The password as the user entered it.
    public var password: String
    /// The front end's id of the request; it is the same when the front end retries the request.
    public var requestID: String
    /// The client that sends the request. Its address counts toward rate limits, and blocking hooks receive all of it.
    public var client: ClientDescription

    /// Creates a request to sign in.
    public init(email: String, password: String, client: ClientDescription, requestID: String) {
        self.email = email
        self.password = password
        self.client = client
        self.requestID = requestID
    }
}

/// The result of a correct e-mail address and password.
public enum PasswordSignIn: Sendable {
    case signedIn(IssuedTokens)
    /// The account has second factors, and its user must prove one of them.
    case secondFactorRequired(SecondFactorChallenge)
}

/// Why an e-mail address and a password were not accepted for sign-in.
public enum SignInWithPasswordRefusal: Error {
    case passwordSignInDisabled
    case emailInvalid
    /// The address is unknown or the password is wrong; the project does not reveal which (no user enumeration).
    case credentialsInvalid
    /// No account has the address and a password.
    case emailUnknown
    case passwordWrong
    /// A rate limit on wrong passwords was exceeded; this password was rejected without verification.
    case tooManyWrongPasswords(PasswordAttempt.Counter, retryAfter: Duration)
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Signs in to the account that has this e-mail address and this password.
    ///
    /// If the project protects against user enumeration (``Project/protectsEmails``), neither the response nor its
    /// timing reveals whether the account exists: unknown addresses are counted, looked up and hashed like known ones.
    /// Only a client with the correct password learns that an account is disabled.
    ///
    /// A hash that is weaker than new hashes, or from another system, is replaced in the same step. Users with second
    /// factors must prove one if the project has second factors (``Project/secondFactors``).
    /// - Throws: ``SignInWithPasswordRefusal``.
    public func signInWithPassword(
        _ request: SignInWithPasswordRequest,
        in project: Project
    ) throws(SignInWithPasswordRefusal) -> PasswordSignIn {
        guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
        guard let address = EmailAddress(request.email) else { throw .emailInvalid }
        let hooks = hooks(for: request.client, .password, in: project)
        // Checked whatever the password is and whether or not the account exists. While hooks are busy, nothing is
        // counted or hashed.
        do { try hooks?.checkRoom() } catch { throw .failed(error) }
        do { try admit(.passwordHash, in: project) } catch { throw .failed(error) }
        let email = identifier(address, in: project)
        let attempt = passwordAttempt(for: email.identity, request, in: project)
        try count(attempt)
        let isKnown = useKnownPasswordClient(of: email.identity, from: request.client.networkAddress, in: project)
        let judged: (outcome: TokenOutcome, account: AccountIdentity)?
        do {
            judged = try judge(request, email, for: isKnown ? .known : .signIn, askingHooks: hooks, in: project)
        } catch {
            try? store.forgetPasswordAttempt(attempt)
            throw .failed(error)
        }
        guard let judged else { throw try refusal(of: email.identity, in: project) }
        switch judged.outcome {
        case .issued(let tokens):
            try? store.forgetPasswordAttempt(attempt)
            rememberPasswordClient(of: email.identity, from: request.client.networkAddress, in: project)
            return .signedIn(tokens)
        case .secondFactorRequired(let record):
            try? store.forgetPasswordAttempt(attempt)
            rememberPasswordClient(of: email.identity, from: request.client.networkAddress, in: project)
            do {
                return .secondFactorRequired(
                    try secondFactorChallenge(for: judged.account, record, provenBy: .password, in: project)
                )
            } catch {
                throw .failed(error)
            }
        case .disabled:
            try? store.forgetPasswordAttempt(attempt)
            throw .accountDisabled
        case .tokenRevoked, .signInTooOld, .noAccount, .notHeld, .exists, .recycled, .secondFactorRefused:
            throw try refusal(of: email.identity, in: project)
        }
    }

    /// Verifies a password and signs in; nil if the password is wrong.
    private func judge(
        _ request: SignInWithPasswordRequest,
        _ email: AccountIdentifier<IdentitySubject.EmailAddress>,
        for share: HashingShare,
        askingHooks hooks: SignInHooks?,
        in project: Project
    ) throws(OperationFailure) -> (outcome: TokenOutcome, account: AccountIdentity)? {
        let holder: EmailHolder?
        do { holder = try self.holder(of: email.identity) } catch { throw .unavailable(error) }
        let sealed = holder?.record.sealedPassword ?? []
        let stored = holder.flatMap { storedPassword(sealed, of: $0.identity) }
        // A password that is too long to be hashed is never correct.
        let password = Password(request.password)
        let isRight = try verify(password ?? .placeholder, against: password == nil ? nil : stored, for: share)
        guard isRight, let holder, let stored, let password else { return nil }
        let now = environment.now()
        let outcome = try issueTokens(
            TokenRequest(
                account: holder.identity,
                provider: .password,
                signedInAt: now,
                identifier: try signInIdentifier(email, holder.claim, of: holder.identity, now),
                requiredPassword: sealed,
                secondFactorNeed: project.secondFactorNeed,
                changes: strengthened(password, stored, of: holder.identity),
                hooks: hooks
            ),
            in: project,
            now
        )
        return (outcome, holder.identity)
    }

    /// Returns a new hash that replaces a weaker one (rehash). If no thread is free for it, the next sign-in does it.
    private func strengthened(
        _ password: Password,
        _ stored: StoredPassword,
        of account: AccountIdentity
    ) -> AccountUpdate {
        guard let passwordHashing, stored.needsRehash(under: passwordHashing.parameters) else { return AccountUpdate() }
        return AccountUpdate(
            sealedPassword: (try? hash(password, for: .signIn)).flatMap { try? seal($0, for: account) }
        )
    }

    private func refusal(
        of email: EmailIdentity,
        in project: Project
    ) throws(SignInWithPasswordRefusal) -> SignInWithPasswordRefusal {
        do {
            if project.protectsEmails { return .credentialsInvalid }
            return try holder(of: email)?.record.sealedPassword == nil ? .emailUnknown : .passwordWrong
        } catch {
            throw .failed(.unavailable(error))
        }
    }
}
