internal import Foundation

extension Auth {
    /// Signs in with a credential, such as a verification code. If the number has no account, one is created.
    ///
    /// A sign-in that has begun runs to its end even if the calling task is cancelled: the code is used up. If
    /// ``signOut()`` is called meanwhile, no one is signed in.
    ///
    /// - Throws: an error whose code is an ``AuthErrorCode``; ``AuthErrorCode/secondFactorRequired`` carries the
    ///   ``MultiFactorResolver`` with which the sign-in continues. Or `CancellationError`, also after a sign-out.
    @discardableResult public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        try await signIn(with: credential, since: signOuts)
    }

    /// Signs in with a credential; see ``signIn(with:)``.
    public func signIn(with credential: AuthCredential, completion: AuthCompletion<AuthDataResult>? = nil) {
        let signOuts = signOuts
        complete(completion) { try await self.signIn(with: credential, since: signOuts) }
    }

    private func signIn(with credential: AuthCredential, since signOuts: Int) async throws -> AuthDataResult {
        try await runToEnd {
            try self.requireNoSignOut(since: signOuts)
            let response = try await self.exchange(credential)
            let provider = credential.provider
            return try await self.finish(response, provider, since: signOuts) { tokens, isNewUser, signOuts in
                let result = try await self.signedIn(tokens, provider, isNewUser, since: signOuts)
                self.verificationEnded(by: credential)
                return result
            }
        }
    }

    /// Signs in with an e-mail address and a password.
    @discardableResult public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// Signs in with an e-mail address and a password.
    public func signIn(withEmail email: String, password: String, completion: AuthCompletion<AuthDataResult>? = nil) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, password: password), completion: completion)
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    @discardableResult public func createUser(withEmail email: String, password: String) async throws -> AuthDataResult
    {
        try await createUser(email, password, since: signOuts)
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    public func createUser(withEmail email: String, password: String, completion: AuthCompletion<AuthDataResult>? = nil)
    {
        let signOuts = signOuts
        complete(completion) { try await self.createUser(email, password, since: signOuts) }
    }

    private func createUser(_ email: String, _ password: String, since signOuts: Int) async throws -> AuthDataResult {
        try await runToEnd {
            let fields = JSONFields(["email": email, "password": password])
            return try await self.signUp(fields, EmailAuthProvider.id, since: signOuts)
        }
    }

    /// Signs in without a credential. A user who is signed in anonymously stays signed in. Concurrent calls create one
    /// account.
    @discardableResult public func signInAnonymously() async throws -> AuthDataResult {
        try await signInAnonymously(since: signOuts)
    }

    /// Signs in without a credential; see ``signInAnonymously()``.
    public func signInAnonymously(completion: AuthCompletion<AuthDataResult>? = nil) {
        let signOuts = signOuts
        complete(completion) { try await self.signInAnonymously(since: signOuts) }
    }

    private func signInAnonymously(since signOuts: Int) async throws -> AuthDataResult {
        try await anonymousSignIns.value(signOuts) {
            if let user = self.currentUser, user.isAnonymous {
                return AuthDataResult(user, AdditionalUserInfo("anonymous", isNewUser: false))
            }
            return try await runToEnd { try await self.signUp(JSONFields(), "anonymous", since: signOuts) }
        }
    }

    /// Signs in with a custom token that your server has signed.
    @discardableResult public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        try await signIn(customToken: token, since: signOuts)
    }

    /// Signs in with a custom token that your server has signed.
    public func signIn(withCustomToken token: String, completion: AuthCompletion<AuthDataResult>? = nil) {
        let signOuts = signOuts
        complete(completion) { try await self.signIn(customToken: token, since: signOuts) }
    }

    private func signIn(customToken token: String, since signOuts: Int) async throws -> AuthDataResult {
        try await runToEnd {
            try self.requireNoSignOut(since: signOuts)
            let response = try await self.exchange(customToken: token)
            return try await self.finish(response, "custom", since: signOuts) {
                try await self.signedIn($0, "custom", $1, since: $2)
            }
        }
    }

    // MARK: Steps

    /// Posts a request without a user.
    ///
    /// - Throws: also ``AuthErrorCode/unsupportedTenantOperation`` if ``tenantID`` is set: no one may be signed in
    ///   outside the tenant that the app has named.
    func post<Response: Decodable & Sendable>(
        _ path: String,
        _ fields: JSONFields,
        key: String? = nil,
        as type: Response.Type
    ) async throws -> Response {
        guard tenantID == nil else {
            throw AuthErrorCode.unsupportedTenantOperation.error("Dialtone has no tenants. Set Auth.tenantID to nil.")
        }
        return try await api().post(path, fields, language: languageCode, key: key, as: type)
    }

    /// Gets a document without a user.
    func get<Response: Decodable & Sendable>(_ path: String, as type: Response.Type) async throws -> Response {
        try await api().get(path, as: type)
    }

    /// Exchanges a credential for tokens, or for a second-factor challenge.
    func exchange(_ credential: AuthCredential) async throws -> SignInResponse {
        switch credential.kind {
        case .phoneCode(let verificationID, let code):
            guard !verificationID.isEmpty else { throw AuthErrorCode.missingVerificationID.error() }
            guard !code.isEmpty else { throw AuthErrorCode.missingVerificationCode.error() }
        case .phoneProof: break
        case .password:
            var fields = credential.fields
            fields["returnSecureToken"] = .flag(true)
            let path = "/v1/accounts:signInWithPassword"
            return try await post(path, fields, key: credential.key, as: SignInResponse.self)
        case .emailLink:
            let path = "/v1/accounts:signInWithEmailLink"
            return try await post(path, credential.fields, key: credential.key, as: SignInResponse.self)
        }
        let path = "/v1/accounts:signInWithPhoneNumber"
        return try await post(path, credential.fields, key: credential.key, as: SignInResponse.self)
    }

    /// Exchanges a custom token for tokens.
    func exchange(customToken: String) async throws -> SignInResponse {
        var fields = JSONFields(["token": customToken])
        fields["returnSecureToken"] = .flag(true)
        let path = "/v1/accounts:signInWithCustomToken"
        return try await post(path, fields, key: APIClient.newKey(), as: SignInResponse.self)
    }

    private func signUp(_ fields: JSONFields, _ provider: String, since signOuts: Int) async throws -> AuthDataResult {
        try requireNoSignOut(since: signOuts)
        let key = APIClient.newKey()
        var fields = fields
        fields["returnSecureToken"] = .flag(true)
        let form = fields
        let response: SignInResponse
        do {
            response = try await post("/v1/accounts:signUp", form, key: key, as: SignInResponse.self)
        } catch let error where AuthErrorCode(error) == .missingAppCredential {
            // The project requires a proof of the app at sign-up as well.
            response = try await withAppProof { proof in
                try await self.post("/v1/accounts:signUp", form.merging(proof), key: key, as: SignInResponse.self)
            }
        }
        return try await finish(response, provider, since: signOuts) { tokens, _, signOuts in
            try await self.signedIn(tokens, provider, true, since: signOuts)
        }
    }

    /// Continues with the tokens of a response, or throws the error that asks for the second factor.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - provider: how the user signs in.
    ///   - isSignIn: whether the user becomes the current one; false if the current user links a credential or
    ///     reauthenticates.
    ///   - signOuts: the number of sign-outs when the sign-in began.
    ///   - signedIn: called with the tokens, now or after the second factor, and the number of sign-outs when that
    ///     step began.
    /// - Returns: the result of `signedIn`.
    /// - Throws: ``AuthErrorCode/secondFactorRequired``, or the error of `signedIn`.
    func finish(
        _ response: SignInResponse,
        _ provider: String,
        isSignIn: Bool = true,
        since signOuts: Int,
        _ signedIn:
            @escaping @Sendable (_ tokens: Tokens, _ isNewUser: Bool, _ signOuts: Int) async throws ->
            AuthDataResult
    ) async throws -> AuthDataResult {
        if let idToken = response.idToken, let refreshToken = response.refreshToken {
            return try await signedIn(
                Tokens(idToken: idToken, refreshToken: refreshToken),
                response.isNewUser ?? false,
                signOuts
            )
        }
        guard let pending = response.mfaPendingCredential else {
            throw AuthErrorCode.internalError.error("The server's response has no tokens.")
        }
        let resolver = MultiFactorResolver(
            self,
            PendingSignIn(
                credential: pending,
                provider: provider,
                factors: response.mfaInfo ?? [],
                isSignIn: isSignIn
            )
        ) { tokens, signOuts in try await signedIn(tokens, false, signOuts) }
        throw AuthErrorCode.secondFactorRequired.error(info: [AuthErrors.userInfoMultiFactorResolverKey: resolver])
    }

    /// Makes the owner of tokens the current user.
    ///
    /// If the account cannot be read now, the user has the attributes of the ID token until it can be read. The sign-in
    /// must not fail here, because the code is used up.
    func signedIn(
        _ tokens: Tokens,
        _ provider: String,
        _ isNewUser: Bool,
        since signOuts: Int
    ) async throws -> AuthDataResult {
        // After a change of the server, the tokens must not reach the new one.
        try requireNoSignOut(since: signOuts)
        let claims = try IDTokenClaims(tokens.idToken)
        if let project = state.withLock({ $0.place.project }), claims.audience != project {
            throw AuthErrorCode.internalError.error(
                "The server's project is \(claims.audience ?? "unknown"), but DialtoneOptions.projectID, or PROJECT_ID in "
                    + "the property list, is \(project)."
            )
        }
        var account = Account(claims)
        if provider == PhoneAuthProvider.id, let phoneNumber = account.phoneNumber {
            account.providers = [
                UserInfoOfProvider(
                    providerID: provider,
                    uid: phoneNumber,
                    displayName: nil,
                    photoURL: nil,
                    email: nil,
                    phoneNumber: phoneNumber
                )
            ]
        }
        let user = User(self, account, tokens)
        try await user.fetchAccountIfPossible()
        try become(user, since: signOuts)
        return AuthDataResult(user, AdditionalUserInfo(provider, isNewUser: isNewUser))
    }
}
