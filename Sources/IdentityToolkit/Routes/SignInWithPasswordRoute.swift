internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

extension IdentityToolkitHandler {
    func signInWithPassword(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard call.project.isPasswordSignInEnabled else { throw SignInWithPasswordRefusal.passwordSignInDisabled.wire }
        guard let email = try call.fields.text("email") else { throw .badRequest("MISSING_EMAIL") }
        guard !email.isEmpty else { throw SignInWithPasswordRefusal.emailInvalid.wire }
        guard let password = try call.fields.nonEmptyText("password") else { throw .badRequest("MISSING_PASSWORD") }
        let request = SignInWithPasswordRequest(
            email: email,
            password: password,
            client: call.client,
            requestID: call.requestID
        )
        do {
            let signIn = try authenticator.signInWithPassword(request, in: call.project)
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#VerifyPasswordResponse")
                    json.member("registered", true)
                    switch signIn {
                    case .signedIn(let tokens):
                        record.reason = "signed-in"
                        json.member("localId", tokens.account.uid)
                        json.names(of: tokens.account)
                        json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                    case .secondFactorRequired(let challenge):
                        record.reason = "second-factor-required"
                        json.member("localId", challenge.account.uid)
                        json.names(of: challenge.account)
                        json.member("mfaPendingCredential", challenge.pendingCredential)
                        json.secondFactors(of: challenge.account, for: .firstFactor)
                    }
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension SignInWithPasswordRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .passwordSignInDisabled: .badRequest("PASSWORD_LOGIN_DISABLED")
        case .emailInvalid: .badRequest("INVALID_EMAIL")
        case .credentialsInvalid: .badRequest("INVALID_LOGIN_CREDENTIALS")
        case .emailUnknown: .badRequest("EMAIL_NOT_FOUND")
        case .passwordWrong: .badRequest("INVALID_PASSWORD")
        case .tooManyWrongPasswords(let counter, let retryAfter):
            .limited(
                "TOO_MANY_ATTEMPTS_TRY_LATER",
                retryAfter: retryAfter,
                logDetail: "wrong passwords \(counter.words)"
            )
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .failed(let failure): failure.wire
        }
    }
}

extension PasswordAttempt.Counter {
    fileprivate var words: String {
        switch self {
        case .emailAndNetwork(let width): "for the e-mail address by this \(width.name)"
        case .email: "for the e-mail address"
        case .network(let width): "by this \(width.name)"
        }
    }
}
