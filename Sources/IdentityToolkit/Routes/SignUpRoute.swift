internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import PhoneNumbers

extension IdentityToolkitHandler {
    /// Creates an anonymous account, or an account with an e-mail address and a password. With an ID token, adds the
    /// e-mail address and the password to the token's account.
    static func signUp(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard try call.fields.nonEmptyText("localId") == nil else {
            throw .code(.unexpectedParameter, "User ID")
        }
        let idToken = try call.fields.nonEmptyText("idToken")
        let email = try call.fields.nonEmptyText("email")
        let password = try call.fields.nonEmptyText("password")
        let proof = try call.project.requiresAppProofAtSignUp ? call.appProofRequest() : nil
        let tokens: IssuedTokens
        if idToken == nil, email == nil, password == nil {
            // An app that sends a form's empty fields is not requesting an anonymous account.
            guard try call.fields.text("email") == nil else { throw .code(.invalidEmail) }
            guard try call.fields.text("password") == nil else { throw .code(.missingEmail) }
            tokens = try SignUpRefusal.onWire(for: call, call.operation.signUpAnonymously(provenBy: proof))
        } else {
            guard call.project.isPasswordSignInEnabled else { throw CredentialRefusal.passwordSignInDisabled.wire }
            guard let email else { throw .code(.missingEmail) }
            guard let password else { throw .code(.missingPassword) }
            if let idToken {
                tokens = try linkPassword(email, password, to: idToken, call)
                call.record.reason = "linked"
                return signedUp(tokens)
            }
            var request = PasswordSignUpRequest(
                email: email,
                password: password,
                displayName: try call.fields.nonEmptyText("displayName")
            )
            request.client = call.client
            request.appProof = proof
            tokens = try SignUpRefusal.onWire(for: call, call.operation.signUpWithPassword(request))
            if call.isDevelopment { try assignSecondFactors(to: tokens, call) }
        }
        call.record.reason = "new-account"
        return signedUp(tokens)
    }

    private static func signedUp(_ tokens: IssuedTokens) -> Response {
        .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#SignupNewUserResponse")
                json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                json.member("localId", tokens.account.uid)
                json.names(of: tokens.account)
            }
        )
    }

    private static func linkPassword(
        _ email: String,
        _ password: String,
        to idToken: String,
        _ call: Call
    ) throws(WireError) -> IssuedTokens {
        var request = UpdateAccountRequest(idToken: idToken)
        request.client = call.client
        request.email = .set(email)
        request.password = .set(password)
        let tokens = try UpdateAccountRefusal.onWire(call.operation.updateAccount(request).tokens)
        // A new password returns new tokens, unless the session is to end. Then the user signs in with the password.
        guard let tokens else { throw IDTokenRefusal.tokenRevoked.wire }
        return tokens
    }
}

extension SignUpRefusal: CallRefusal {
    var phone: E164? { nil }

    func wire(for call: Call) -> WireError {
        switch self {
        case .appNotProven(let failure): .appNotProven(failure, call.platform)
        case .anonymousSignInDisabled: .code(.adminOnlyOperation, logDetail: "anonymous sign-in is disabled")
        case .credential(let refusal): refusal.wire
        case .displayNameTooLong: .displayNameTooLong
        case .accountDisabled: .code(.userDisabled)
        case .failed(let failure): failure.wire
        }
    }
}
