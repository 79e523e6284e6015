public import Encodings
internal import Passwords
internal import RedisStore

/// A wish for an account with an e-mail address and a password.
public struct PasswordSignUpRequest: Sendable, Confidential {
    /// The address as it was typed.
    public var email: String
    /// The password as it was typed.
    public var password: String
    /// What the user wants to be called.
    public var displayName: String?
    /// The front end's name for the request, the same when it repeats it.
    public var requestID: String
    /// Who sends it; only blocking hooks are told so.
    public var client = ClientDescription()
    /// What proves the app, where the project demands that.
    public var appProof: AppProofRequest?

    /// A wish for an account.
    public init(email: String, password: String, displayName: String?, requestID: String) {
        self.email = email
        self.password = password
        self.displayName = displayName
        self.requestID = requestID
    }
}

extension Authenticator {
    /// Makes an account with an e-mail address and a password.
    ///
    /// Of racing requests for one address one makes the account, whoever's claim stands with the address, and the others hear
    /// that it exists. A request that is repeated because its worker died is told of the account that it made.
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
        // It was made by this request, or by its repetition.
        case .disabled: throw .accountDisabled
        case .tokenRevoked, .signInTooOld, .noAccount, .notHeld, .recycled, .secondFactorRequired,
            .secondFactorRefused:
            throw .failed(.interrupted)
        }
    }

    /// The account is made under the claim that stands with the address. One that leads to an account which does not hold it,
    /// or not any more, is replaced.
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
