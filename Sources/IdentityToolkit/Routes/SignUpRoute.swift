internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Creates an anonymous account, or an account with an e-mail address and a password. With an ID token, adds the
    /// e-mail address and the password to the token's account.
    func signUp(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard try call.fields.nonEmptyText("localId") == nil else {
            throw .badRequest("UNEXPECTED_PARAMETER : User ID")
        }
        let idToken = try call.fields.nonEmptyText("idToken")
        let email = try call.fields.nonEmptyText("email")
        let password = try call.fields.nonEmptyText("password")
        let proof = try call.project.requiresAppProofAtSignUp ? call.appProofRequest() : nil
        let tokens: IssuedTokens
        if idToken == nil, email == nil, password == nil {
            // An app that sends a form's empty fields is not requesting an anonymous account.
            guard try call.fields.text("email") == nil else { throw .badRequest("INVALID_EMAIL") }
            guard try call.fields.text("password") == nil else { throw .badRequest("MISSING_EMAIL") }
            tokens = try refusing(for: call.platform) { () throws(SignUpRefusal) in
                try authenticator.signUpAnonymously(provenBy: proof, in: call.project)
            }
        } else {
            guard call.project.isPasswordSignInEnabled else { throw CredentialRefusal.passwordSignInDisabled.wire }
            guard let email else { throw .badRequest("MISSING_EMAIL") }
            guard let password else { throw .badRequest("MISSING_PASSWORD") }
            if let idToken {
                tokens = try linkPassword(email, password, to: idToken, call)
                record.reason = "linked"
                return signedUp(tokens)
            }
            var request = PasswordSignUpRequest(
                email: email,
                password: password,
                displayName: try call.fields.nonEmptyText("displayName"),
                requestID: call.requestID
            )
            request.client = call.client
            request.appProof = proof
            tokens = try refusing(for: call.platform) { () throws(SignUpRefusal) in
                try authenticator.signUpWithPassword(request, in: call.project)
            }
            if case .development = projects.mode { try giveSecondFactors(to: tokens, call) }
        }
        record.reason = "new-account"
        return signedUp(tokens)
    }

    private func signedUp(_ tokens: IssuedTokens) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SignupNewUserResponse")
                json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                json.member("localId", tokens.account.uid)
                json.names(of: tokens.account)
            }
        )
    }

    private func linkPassword(
        _ email: String,
        _ password: String,
        to idToken: String,
        _ call: Call
    ) throws(WireError) -> IssuedTokens {
        var request = UpdateAccountRequest(idToken: idToken)
        request.client = call.client
        request.email = .set(email)
        request.password = .set(password)
        do throws(UpdateAccountRefusal) {
            // A new password returns new tokens, unless the session is to end. The user then signs in with the new
            // password.
            guard let tokens = try authenticator.updateAccount(request, in: call.project).tokens else {
                throw UpdateAccountRefusal.notAuthenticated(.tokenRevoked)
            }
            return tokens
        } catch {
            throw error.wire
        }
    }

    private func refusing(
        for platform: AppPlatform,
        _ signUp: () throws(SignUpRefusal) -> IssuedTokens
    ) throws(WireError) -> IssuedTokens {
        do { return try signUp() } catch { throw error.wire(for: platform) }
    }
}

extension JSONWriter {
    /// Writes the user's e-mail address and display name, if set.
    mutating func names(of account: Account) {
        if let email = account.email { member("email", email) }
        if let displayName = account.displayName { member("displayName", displayName) }
    }
}

extension SignUpRefusal {
    fileprivate func wire(for platform: AppPlatform) -> WireError {
        switch self {
        case .appNotProven(let failure): .appNotProven(failure, platform)
        case .anonymousSignInDisabled: .badRequest("ADMIN_ONLY_OPERATION", logDetail: "anonymous sign-in is disabled")
        case .credential(let refusal): refusal.wire
        case .displayNameTooLong: .displayNameTooLong
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .failed(let failure): failure.wire
        }
    }
}
