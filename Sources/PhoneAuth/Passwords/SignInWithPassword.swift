public import Encodings
internal import Passwords
public import RedisStore

/// An e-mail address and a password that are to sign in.
public struct SignInWithPasswordRequest: Sendable, Confidential {
    /// The address as it was typed.
    public var email: String
    /// The password as it was typed.
    public var password: String
    /// The front end's name for the request, the same when it repeats it.
    public var requestID: String
    /// Who sends it; its address is counted, and blocking hooks are told all of it.
    public var client: ClientDescription

    /// An address and a password.
    public init(email: String, password: String, client: ClientDescription, requestID: String) {
        self.email = email
        self.password = password
        self.client = client
        self.requestID = requestID
    }
}

/// What came of an e-mail address and a password that are right.
public enum PasswordSignIn: Sendable {
    case signedIn(IssuedTokens)
    /// The account has second factors, and its user is to prove one of them.
    case secondFactorRequired(SecondFactorChallenge)
}

/// Why an e-mail address and a password did not sign in.
public enum SignInWithPasswordRefusal: Error {
    case passwordSignInDisabled
    case emailInvalid
    /// The address is unknown or the password wrong; which of them the project keeps to itself.
    case credentialsInvalid
    /// No account has the address and a password.
    case emailUnknown
    case passwordWrong
    /// There were as many wrong passwords as are judged; this one was not.
    case tooManyWrongPasswords(PasswordAttempt.Counter, retryAfter: Duration)
    case accountDisabled
    case failed(OperationFailure)
}

extension Authenticator {
    /// Signs in the account that has this e-mail address and this password.
    ///
    /// Whether there is such an account shows in neither the answer nor its time, where the project keeps it to itself
    /// (``Project/protectsEmails``): unknown addresses are counted, looked up and hashed as known ones are. That an account is
    /// disabled hears only who knows its password.
    ///
    /// A hash that is weaker than new ones, or another system's, is replaced in the same step. Who has second factors is asked for
    /// one where the project has them (``Project/secondFactors``).
    /// - Throws: ``SignInWithPasswordRefusal``.
    public func signInWithPassword(
        _ request: SignInWithPasswordRequest,
        in project: Project
    ) throws(SignInWithPasswordRefusal) -> PasswordSignIn {
        guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
        guard let address = EmailAddress(request.email) else { throw .emailInvalid }
        let hooks = hooks(for: request.client, .password, in: project)
        // Whatever the password is, and whether the account exists: while hooks are busy, nothing is counted or hashed.
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

    /// What comes of a password; nil where it is wrong.
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
        // One that is too long to be hashed is nobody's.
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

    /// A new hash in place of one that is weaker than new ones are. Where no thread is free for it, the next sign-in does it.
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
