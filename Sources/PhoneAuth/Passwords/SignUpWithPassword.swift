public import Encodings
internal import Passwords
internal import RedisStore

/// A request to create an account with an e-mail address and a password.
public struct PasswordSignUpRequest: Sendable, Confidential {
    /// The e-mail address as the user entered it.
    public var email: String
    /// The password as the user entered it.
    public var password: String
    /// The user's display name.
    public var displayName: String?
    /// The front end's id of the request; it is the same when the front end retries the request.
    public var requestID: String
    /// The client that sends the request; only blocking hooks receive it.
    public var client = ClientDescription()
    /// The proof of the app, if the project requires one.
    public var appProof: AppProofRequest?

    /// Creates a request to sign up.
    public init(email: String, password: String, displayName: String?, requestID: String) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.requestID = requestID
    }
}

extension Authenticator {
    /// Creates an account with an e-mail address and a password.
    ///
    /// Of concurrent requests for one address, one creates the account, whichever claim is stored with the address; the
    /// others fail with "e-mail exists". A request that is retried because its worker died returns the account that it
    /// created.
    /// - Throws: ``SignUpRefusal``.
    public func signUpWithPassword(
        _ request: PasswordSignUpRequest,
        in project: Project
    ) throws(SignUpRefusal) -> IssuedTokens {
        guard project.isPasswordSignInEnabled else { throw .credential(.passwordSignInDisabled) }
        let email: AccountIdentifier<IdentitySubject.EmailAddress>
        let password: Password
        do {
            email = identifier(try EmailAddress.new(request.email), in: project)
            password = try Password.new(request.password)
        } catch {
            throw .credential(error)
        }
        guard DisplayName.isLegal(request.displayName) else { throw .displayNameTooLong }
        let tokens = try creatingAccount(by: .signUp, .passwordHash, in: project) { () throws(SignUpRefusal) in
            try requireAppProof(request.appProof, in: project)
            return try makeAccount(email, password, request, in: project)
        }
        rememberPasswordClient(of: email.identity, from: request.client.networkAddress, in: project)
        return tokens
    }

    private func makeAccount(
        _ email: AccountIdentifier<IdentitySubject.EmailAddress>,
        _ password: Password,
        _ request: PasswordSignUpRequest,
        in project: Project
    ) throws(SignUpRefusal) -> IssuedTokens {
        let outcome: TokenOutcome
        do {
            outcome = try makeAccount(email, try hash(password, for: .signUp), request, in: project, environment.now())
        } catch {
            throw .failed(error)
        }
        switch outcome {
        case .issued(let tokens): return tokens
        case .exists: throw .credential(.emailExists)
        // The account was created by this request or by its retry.
        case .disabled: throw .accountDisabled
        case .tokenRevoked, .signInTooOld, .noAccount, .notHeld, .recycled, .secondFactorRequired,
            .secondFactorRefused:
            throw .failed(.interrupted)
        }
    }

    /// Creates the account under the claim that is stored with the address. A claim that leads to an account without
    /// that claim is replaced.
    private func makeAccount(
        _ email: AccountIdentifier<IdentitySubject.EmailAddress>,
        _ password: StoredPassword,
        _ request: PasswordSignUpRequest,
        in project: Project,
        _ now: Instant
    ) throws(OperationFailure) -> TokenOutcome {
        let hooks = hooks(for: request.client, .signUp, in: project)
        var void: IdentifierClaim?
        for _ in 0..<Policy.claimAttempts {
            let claim: IdentifierClaim
            do {
                let proposed = newClaim(uid: AccountID.make(environment), at: now)
                claim = try store.claimIdentifier(email.identity, proposed, replacing: void)
            } catch {
                throw .unavailable(error)
            }
            let account = AccountIdentity(project: project.id, uid: claim.uid, among: store.shards)
            var changes = try passwordChange(password, for: account, now)
            if let name = request.displayName { changes.fields[.displayName] = .some(name) }
            let outcome = try issueTokens(
                TokenRequest(
                    account: account,
                    provider: .password,
                    signedInAt: now,
                    maker: request.requestID,
                    identifier: try signInIdentifier(email, claim, of: account, now),
                    mustMake: true,
                    changes: changes,
                    hooks: hooks
                ),
                in: project,
                now
            )
            switch outcome {
            case .issued, .exists, .disabled: return outcome
            case .tokenRevoked, .signInTooOld, .noAccount, .notHeld, .recycled, .secondFactorRequired,
                .secondFactorRefused:
                void = claim
            }
        }
        return .notHeld
    }
}
