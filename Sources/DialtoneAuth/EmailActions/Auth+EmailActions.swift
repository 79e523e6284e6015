extension Auth {
    /// Sends an e-mail with a link that sets a new password.
    ///
    /// If the project does not reveal who has an account, the call also succeeds for an unknown address.
    public func sendPasswordReset(withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await run("sendOobCode", JSONFields(requestType: "PASSWORD_RESET", email: email, actionCodeSettings))
    }

    /// Sends an e-mail with a link that sets a new password; see ``sendPasswordReset(withEmail:actionCodeSettings:)``.
    public func sendPasswordReset(withEmail email: String, completion: AuthErrorCompletion? = nil) {
        sendPasswordReset(withEmail: email, actionCodeSettings: nil, completion: completion)
    }

    /// Sends an e-mail with a link that sets a new password; see ``sendPasswordReset(withEmail:actionCodeSettings:)``.
    public func sendPasswordReset(
        withEmail email: String,
        actionCodeSettings: ActionCodeSettings?,
        completion: AuthErrorCompletion? = nil
    ) {
        complete(completion) {
            try await self.sendPasswordReset(withEmail: email, actionCodeSettings: actionCodeSettings)
        }
    }

    /// Sends an e-mail with a link that signs in. Keep the address on the device: ``signIn(withEmail:link:)`` needs it.
    ///
    /// The settings need a ``ActionCodeSettings/url``, and ``ActionCodeSettings/handleCodeInApp`` must be true.
    public func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {
        guard actionCodeSettings.handleCodeInApp else {
            throw AuthErrorCode.internalError.error("Set ActionCodeSettings.handleCodeInApp to true.")
        }
        try await run("sendOobCode", JSONFields(requestType: "EMAIL_SIGNIN", email: email, actionCodeSettings))
    }

    /// Sends an e-mail with a link that signs in; see ``sendSignInLink(toEmail:actionCodeSettings:)``.
    public func sendSignInLink(
        toEmail email: String,
        actionCodeSettings: ActionCodeSettings,
        completion: AuthErrorCompletion? = nil
    ) {
        complete(completion) { try await self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings) }
    }

    /// Returns whether a link is from an e-mail of ``sendSignInLink(toEmail:actionCodeSettings:)``.
    public func isSignIn(withEmailLink link: String) -> Bool {
        ActionCodeURL(link: link).map { $0.operation == .emailLink && $0.code != nil } ?? false
    }

    /// Signs in with the link from an e-mail. If the address has no account, one is created.
    @discardableResult public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
    }

    /// Signs in with the link from an e-mail; see ``signIn(withEmail:link:)``.
    public func signIn(withEmail email: String, link: String, completion: AuthCompletion<AuthDataResult>? = nil) {
        signIn(with: EmailAuthProvider.credential(withEmail: email, link: link), completion: completion)
    }

    /// Returns what an action code does. The code stays valid.
    ///
    /// - Throws: ``AuthErrorCode/invalidActionCode`` or ``AuthErrorCode/expiredActionCode``.
    public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
        let path = "/v1/accounts:resetPassword"
        return ActionCodeInfo(try await post(path, JSONFields(["oobCode": code]), as: ActionCodeResponse.self))
    }

    /// Passes on what an action code does; see ``checkActionCode(_:)``.
    public func checkActionCode(_ code: String, completion: AuthCompletion<ActionCodeInfo>?) {
        complete(completion) { try await self.checkActionCode(code) }
    }

    /// Returns the address of the account whose password a code can reset. The code stays valid.
    public func verifyPasswordResetCode(_ code: String) async throws -> String { try await checkActionCode(code).email }

    /// Passes on the address of a code; see ``verifyPasswordResetCode(_:)``.
    public func verifyPasswordResetCode(_ code: String, completion: AuthCompletion<String>?) {
        complete(completion) { try await self.verifyPasswordResetCode(code) }
    }

    /// Sets a new password with a code. All sessions of the account end; its second factors stay.
    public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
        try await run("resetPassword", JSONFields(["oobCode": code, "newPassword": newPassword]))
    }

    /// Sets a new password with a code; see ``confirmPasswordReset(withCode:newPassword:)``.
    public func confirmPasswordReset(withCode code: String, newPassword: String, completion: AuthErrorCompletion?) {
        complete(completion) { try await self.confirmPasswordReset(withCode: code, newPassword: newPassword) }
    }

    /// Does what an action code is for, such as the verification of an address. Call ``User/reload()`` afterwards.
    public func applyActionCode(_ code: String) async throws {
        try await run("update", JSONFields(["oobCode": code]))
    }

    /// Does what an action code is for; see ``applyActionCode(_:)``.
    public func applyActionCode(_ code: String, completion: AuthErrorCompletion?) {
        complete(completion) { try await self.applyActionCode(code) }
    }

    private func run(_ operation: String, _ fields: JSONFields) async throws {
        _ = try await runToEnd {
            let path = "/v1/accounts:" + operation
            return try await self.post(path, fields, key: APIClient.newKey(), as: EmptyResponse.self)
        }
    }

    /// Returns how the account with an address signs in. Empty if the project does not reveal who has an account, which
    /// is the default.
    public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
        let fields = JSONFields(["identifier": email, "continueUri": "http://localhost"])
        let path = "/v1/accounts:createAuthUri"
        return try await post(path, fields, as: SignInMethodsResponse.self).signinMethods ?? []
    }

    /// Passes on how the account with an address signs in; see ``fetchSignInMethods(forEmail:)``.
    public func fetchSignInMethods(forEmail email: String, completion: AuthCompletion<[String]>? = nil) {
        complete(completion) { try await self.fetchSignInMethods(forEmail: email) }
    }
}
