public import Encodings
internal import Passwords
internal import RedisScripts

/// A request to create an account with an e-mail address and a password.
public struct PasswordSignUpRequest: Sendable, Confidential {
    /// The e-mail address as the user entered it.
    var email: String
    /// The password as the user entered it.
    var password: String
    /// The user's display name.
    var displayName: String?
    /// The client that sends the request; only blocking hooks receive it.
    public var client = ClientDescription()
    /// The proof of the app, if the project requires one.
    public var appProof: AppProofRequest?

    /// Creates a request to sign up.
    public init(email: String, password: String, displayName: String?) {
        self.email = email
        self.password = password
        self.displayName = displayName
    }
}

extension OperationContext {
    /// Creates an account with an e-mail address and a password.
    ///
    /// One of several concurrent requests for the same address creates the account, whichever claim is stored with the
    /// address; the others fail with "e-mail exists". A request that is retried because its worker died returns the
    /// account that it created.
    /// - Throws: ``SignUpRefusal``.
    public func signUpWithPassword(_ request: PasswordSignUpRequest) throws(SignUpRefusal) -> IssuedTokens {
        guard project.isPasswordSignInEnabled else { throw .credential(.passwordSignInDisabled) }
        let email: AccountIdentifier<EmailIdentity>
        let password: Password
        do {
            email = identifier(try EmailAddress.new(request.email))
            password = try Password.new(request.password)
        } catch {
            throw .credential(error)
        }
        guard DisplayName.isLegal(request.displayName) else { throw .displayNameTooLong }
        let tokens = try creatingAccount(by: .signUp, .passwordHash) { () throws(SignUpRefusal) in
            try requireAppProof(request.appProof)
            return try makeAccount(email, password, request)
        }
        rememberPasswordClient(of: email.identity, from: request.client.networkAddress)
        return tokens
    }

    private func makeAccount(
        _ email: AccountIdentifier<EmailIdentity>,
        _ password: Password,
        _ request: PasswordSignUpRequest
    ) throws(SignUpRefusal) -> IssuedTokens {
        let outcome: TokenOutcome
        do {
            let hash = try hash(password, for: .signUp)
            outcome = try resumed().makeAccount(email, hash, request)
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .issued(let tokens): return tokens
        case .hindered(.exists): throw .credential(.emailExists)
        // The account was created by this request or by its retry.
        case .hindered(.disabled): throw .accountDisabled
        case .hindered: throw .failed(.interrupted)
        }
    }

    /// Creates the account under the claim that is stored with the address. A claim that leads to an account without
    /// that claim is replaced.
    private func makeAccount(
        _ email: AccountIdentifier<EmailIdentity>,
        _ password: StoredPassword,
        _ request: PasswordSignUpRequest
    ) throws(OperationFailure) -> TokenOutcome {
        let hooks = hooks(for: request.client, .signUp)
        var void: IdentifierClaim?
        for _ in 0..<IdentifierClaim.attempts {
            let proposed = newClaim(uid: AccountID.make(environment))
            let claim = try OperationFailure.wrapping(
                store.claimIdentifier(email.identity, proposed, replacing: void)
            )
            let account = AccountIdentity(project: project.id, uid: claim.uid, among: store.shards)
            var changes = try passwordChange(password, for: account)
            if let name = request.displayName { changes.fields[.displayName] = .some(name) }
            let outcome = try issueTokens(
                TokenRequest(
                    account: account,
                    provider: .password,
                    signedInAt: now,
                    maker: repeatID,
                    identifier: try signInIdentifier(email, claim, of: account),
                    mustCreate: true,
                    changes: changes,
                    hooks: hooks
                )
            )
            switch outcome {
            case .issued, .hindered(.exists), .hindered(.disabled), .hindered(.token): return outcome
            case .hindered: void = claim
            }
        }
        return .hindered(.notHeld)
    }
}
