internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func signInWithPassword(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard call.project.isPasswordSignInEnabled else { throw SignInWithPasswordRefusal.passwordSignInDisabled.wire }
        guard let email = try call.fields.text("email") else { throw .code(.missingEmail) }
        guard !email.isEmpty else { throw SignInWithPasswordRefusal.emailInvalid.wire }
        guard let password = try call.fields.nonEmptyText("password") else { throw .code(.missingPassword) }
        let request = SignInWithPasswordRequest(
            email: email,
            password: password,
            client: call.client
        )
        let signIn = try SignInWithPasswordRefusal.onWire(call.operation.signInWithPassword(request))
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#VerifyPasswordResponse")
                json.member("registered", true)
                switch signIn {
                case .signedIn(let tokens):
                    call.record.reason = "signed-in"
                    json.member("localId", tokens.account.uid)
                    json.names(of: tokens.account)
                    json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                case .secondFactorRequired(let challenge):
                    call.record.reason = "second-factor-required"
                    json.member("localId", challenge.account.uid)
                    json.names(of: challenge.account)
                    json.member("mfaPendingCredential", challenge.pendingCredential)
                    json.secondFactors(of: challenge.account, for: .firstFactor)
                }
            }
        )
    }
}

extension SignInWithPasswordRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .passwordSignInDisabled: .code(.passwordLoginDisabled)
        case .emailInvalid: .code(.invalidEmail)
        case .credentialsInvalid: .code(.invalidLoginCredentials)
        case .emailUnknown: .code(.emailNotFound)
        case .passwordWrong: .code(.invalidPassword)
        case .tooManyWrongPasswords(let refusal):
            .limited(refusal.errorCode, retryAfter: refusal.retryAfter, logDetail: refusal.description)
        case .accountDisabled: .code(.userDisabled)
        case .failed(let failure): failure.wire
        }
    }
}
