public import Encodings
internal import Passwords

/// A request to sign in with an e-mail address and a password.
public struct SignInWithPasswordRequest: Sendable, Confidential {
    /// The e-mail address as the user entered it.
    var email: String
    /// The password as the user entered it.
    var password: String
    /// The client that sends the request. Its address counts toward rate limits, and blocking hooks receive all of it.
    var client: ClientDescription

    /// Creates a request to sign in.
    public init(email: String, password: String, client: ClientDescription) {
        self.email = email
        self.password = password
        self.client = client
    }
}

/// The result of a correct e-mail address and password.
public enum PasswordSignIn: Sendable {
    case signedIn(IssuedTokens)
    /// The account has second factors, and its user must prove one of them.
    case secondFactorRequired(SecondFactorChallenge)
}

/// Why an e-mail address and a password were not accepted for sign-in.
public enum SignInWithPasswordRefusal: OperationRefusal {
    case passwordSignInDisabled
    case emailInvalid
    /// The address is unknown or the password is wrong; the project does not reveal which (no user enumeration).
    case credentialsInvalid
    /// No account has the address and a password.
    case emailUnknown
    case passwordWrong
    /// A rate limit on wrong passwords was exceeded; this password was rejected without verification.
    case tooManyWrongPasswords(RateLimitRefusal)
    case accountDisabled
    case failed(OperationFailure)
}

extension OperationContext {
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
        _ request: SignInWithPasswordRequest
    ) throws(SignInWithPasswordRefusal) -> PasswordSignIn {
        guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
        guard let address = EmailAddress(request.email) else { throw .emailInvalid }
        let hooks = hooks(for: request.client, .password)
        // Checked whatever the password is and whether or not the account exists. While hooks are busy, nothing is
        // counted or hashed.
        try SignInWithPasswordRefusal.wrapping(failureOf: hooks?.checkRoom())
        try SignInWithPasswordRefusal.wrapping(failureOf: admit(.passwordHash))
        let email = identifier(address)
        let attempt = try countPasswordAttempt(for: email.identity, from: request.client.networkAddress)
        let isKnown = useKnownPasswordClient(of: email.identity, from: request.client.networkAddress)
        let checked: (outcome: TokenOutcome, account: AccountIdentity)?
        do {
            checked = try verify(request, email, for: isKnown ? .known : .signIn, callingHooks: hooks)
        } catch {
            refund(attempt)
            throw .failed(error)
        }
        guard let checked else { throw try refusal(of: email.identity) }
        switch checked.outcome {
        case .issued(let tokens):
            refund(attempt)
            rememberPasswordClient(of: email.identity, from: request.client.networkAddress)
            return .signedIn(tokens)
        case .hindered(.secondFactor(.required(let record))):
            refund(attempt)
            rememberPasswordClient(of: email.identity, from: request.client.networkAddress)
            return try SignInWithPasswordRefusal.wrapping(
                failureOf: .secondFactorRequired(
                    secondFactorChallenge(for: checked.account, record, provenBy: .password)
                )
            )
        case .hindered(.disabled):
            refund(attempt)
            throw .accountDisabled
        case .hindered: throw try refusal(of: email.identity)
        }
    }

    /// Verifies a password and signs in; nil if the password is wrong.
    private func verify(
        _ request: SignInWithPasswordRequest,
        _ email: AccountIdentifier<EmailIdentity>,
        for share: HashingShare,
        callingHooks hooks: SignInHooks?
    ) throws(OperationFailure) -> (outcome: TokenOutcome, account: AccountIdentity)? {
        let holder = try OperationFailure.wrapping(self.holder(of: email.identity))
        let sealed = holder?.record.sealedPassword ?? []
        let stored = holder.flatMap { storedPassword(sealed, of: $0.identity) }
        // A password that is too long to be hashed is never correct.
        let password = Password(request.password)
        let isRight = try verify(password ?? .placeholder, against: password == nil ? nil : stored, for: share)
        guard isRight, let holder, let stored, let password else { return nil }
        let operation = resumed()
        let outcome = try operation.issueTokens(
            TokenRequest(
                account: holder.identity,
                provider: .password,
                signedInAt: operation.now,
                identifier: try operation.signInIdentifier(email, holder.claim, of: holder.identity),
                requiredPassword: sealed,
                secondFactorNeed: project.secondFactorNeed,
                changes: strengthened(password, stored, of: holder.identity),
                hooks: hooks
            )
        )
        return (outcome, holder.identity)
    }

    /// Returns a new hash that replaces a weaker one (rehash). If no thread is free for it, the next sign-in does it.
    private func strengthened(
        _ password: Password,
        _ stored: StoredPassword,
        of account: AccountIdentity
    ) -> AccountUpdate {
        guard let passwordHashing = authenticator.passwordHashing, stored.needsRehash(under: passwordHashing.parameters)
        else { return AccountUpdate() }
        return AccountUpdate(
            sealedPassword: (try? hash(password, for: .signIn)).flatMap { try? seal($0, for: account) }
        )
    }

    private func refusal(of email: EmailIdentity) throws(SignInWithPasswordRefusal) -> SignInWithPasswordRefusal {
        if project.protectsEmails { return .credentialsInvalid }
        let holder = try SignInWithPasswordRefusal.wrapping(holder(of: email))
        return holder?.record.sealedPassword == nil ? .emailUnknown : .passwordWrong
    }
}
