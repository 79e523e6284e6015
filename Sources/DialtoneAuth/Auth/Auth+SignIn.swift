internal import Foundation

extension Auth {
    /// Signs in with a credential, such as a verification code. If the number has no account, one is created.
    ///
    /// - Throws: an error whose code is an ``AuthErrorCode``; ``AuthErrorCode/secondFactorRequired`` carries the
    ///   ``MultiFactorResolver`` with which the sign-in continues.
    @discardableResult public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        let response = try await exchange(credential)
        return try await finish(response, credential.provider) { tokens, isNewUser in
            let result = try await self.signedIn(tokens, credential.provider, isNewUser)
            self.verificationEnded(by: credential)
            return result
        }
    }

    /// Signs in with a credential; see ``signIn(with:)``.
    public func signIn(with credential: AuthCredential, completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.signIn(with: credential) }
    }

    /// Signs in with an e-mail address and a password.
    @discardableResult public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// Signs in with an e-mail address and a password.
    public func signIn(withEmail email: String, password: String, completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.signIn(withEmail: email, password: password) }
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    @discardableResult public func createUser(withEmail email: String, password: String) async throws -> AuthDataResult
    {
        try await signUp(JSONFields(["email": email, "password": password]), EmailAuthProvider.id)
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    public func createUser(withEmail email: String, password: String, completion: AuthCompletion<AuthDataResult>? = nil)
    {
        complete(completion) { try await self.createUser(withEmail: email, password: password) }
    }

    /// Signs in without a credential. A user who is signed in anonymously stays signed in. Concurrent calls create one
    /// account.
    @discardableResult public func signInAnonymously() async throws -> AuthDataResult {
        try await anonymousSignIns.value("anonymous") {
            if let user = self.currentUser, user.isAnonymous {
                return AuthDataResult(user, AdditionalUserInfo("anonymous", isNewUser: false))
            }
            return try await self.signUp(JSONFields(), "anonymous")
        }
    }

    /// Signs in without a credential; see ``signInAnonymously()``.
    public func signInAnonymously(completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.signInAnonymously() }
    }

    /// Signs in with a custom token that your server has signed.
    @discardableResult public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        let response = try await exchange(customToken: token)
        return try await finish(response, "custom") { try await self.signedIn($0, "custom", $1) }
    }

    /// Signs in with a custom token that your server has signed.
    public func signIn(withCustomToken token: String, completion: AuthCompletion<AuthDataResult>? = nil) {
        complete(completion) { try await self.signIn(withCustomToken: token) }
    }

    // MARK: Steps

    /// Posts a request without a user.
    ///
    /// - Throws: also ``AuthErrorCode/unsupportedTenantOperation`` if ``tenantID`` is set: no one may be signed in
    ///   outside the tenant that the app has named.
    func post<Response: Decodable & Sendable>(
        _ path: String,
        _ fields: JSONFields,
        as type: Response.Type
    ) async throws -> Response {
        guard tenantID == nil else {
            throw AuthErrorCode.unsupportedTenantOperation.error("Dialtone has no tenants. Set Auth.tenantID to nil.")
        }
        return try await api().post(path, fields, language: languageCode, as: type)
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
            return try await post("/v1/accounts:signInWithPhoneNumber", credential.fields, as: SignInResponse.self)
        case .phoneProof:
            return try await post("/v1/accounts:signInWithPhoneNumber", credential.fields, as: SignInResponse.self)
        case .password:
            var fields = credential.fields
            fields["returnSecureToken"] = .flag(true)
            return try await post("/v1/accounts:signInWithPassword", fields, as: SignInResponse.self)
        }
    }

    /// Exchanges a custom token for tokens.
    func exchange(customToken: String) async throws -> SignInResponse {
        var fields = JSONFields(["token": customToken])
        fields["returnSecureToken"] = .flag(true)
        return try await post("/v1/accounts:signInWithCustomToken", fields, as: SignInResponse.self)
    }

    private func signUp(_ fields: JSONFields, _ provider: String) async throws -> AuthDataResult {
        var fields = fields
        fields["returnSecureToken"] = .flag(true)
        let form = fields
        let response: SignInResponse
        do {
            response = try await post("/v1/accounts:signUp", form, as: SignInResponse.self)
        } catch let error where AuthErrorCode(error) == .missingAppCredential {
            // The project requires a proof of the app at sign-up as well.
            response = try await withAppProof { proof in
                try await self.post("/v1/accounts:signUp", form.merging(proof), as: SignInResponse.self)
            }
        }
        return try await finish(response, provider) { tokens, _ in
            try await self.signedIn(tokens, provider, true)
        }
    }

    /// Continues with the tokens of a response, or throws the error that asks for the second factor.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - provider: how the user signs in.
    ///   - isSignIn: whether the user becomes the current one; false if the current user links a credential or
    ///     reauthenticates.
    ///   - signedIn: called with the tokens, now or after the second factor.
    /// - Returns: the result of `signedIn`.
    /// - Throws: ``AuthErrorCode/secondFactorRequired``, or the error of `signedIn`.
    func finish(
        _ response: SignInResponse,
        _ provider: String,
        isSignIn: Bool = true,
        _ signedIn: @escaping @Sendable (_ tokens: Tokens, _ isNewUser: Bool) async throws -> AuthDataResult
    ) async throws -> AuthDataResult {
        if let idToken = response.idToken, let refreshToken = response.refreshToken {
            return try await signedIn(
                Tokens(idToken: idToken, refreshToken: refreshToken),
                response.isNewUser ?? false
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
        ) { tokens in try await signedIn(tokens, false) }
        throw AuthErrorCode.secondFactorRequired.error(info: [AuthErrors.userInfoMultiFactorResolverKey: resolver])
    }

    /// Makes the owner of tokens the current user.
    ///
    /// If the account cannot be read now, the user has the attributes of the ID token until it can be read. The sign-in
    /// must not fail here, because the code is used up.
    func signedIn(_ tokens: Tokens, _ provider: String, _ isNewUser: Bool) async throws -> AuthDataResult {
        var account = Account(try IDTokenClaims(tokens.idToken))
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
        try become(user)
        return AuthDataResult(user, AdditionalUserInfo(provider, isNewUser: isNewUser))
    }
}
