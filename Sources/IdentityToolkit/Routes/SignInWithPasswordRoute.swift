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
                    json.secondFactorRequired(challenge)
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

extension IdentityToolkitHandler {
    /// Returns the rules for passwords, which `validatePassword` of the JS SDK applies while a user types one.
    ///
    /// Firebase enforces the length even if the state is `OFF`, and so do sign-ups here. The list of characters matters
    /// only to policies that require one of them. Dialtone accepts every character.
    static func passwordPolicy(_ call: Call) -> Response {
        .json(
            JSONWriter.object { json in
                json.object("customStrengthOptions") { json in
                    json.member("minPasswordLength", Int64(CredentialRefusal.minimumPasswordCharacters))
                    json.member("maxPasswordLength", Int64(CredentialRefusal.maximumPasswordBytes))
                }
                json.array("allowedNonAlphanumericCharacters") { json in
                    for character in nonAlphanumericCharacters { json.value(String(character)) }
                }
                json.member("enforcementState", "OFF")
                json.member("forceUpgradeOnSignin", false)
                // The only version that SDKs accept.
                json.member("schemaVersion", 1)
            }
        )
    }

    /// Firebase's list.
    private static let nonAlphanumericCharacters = #"^$*.[]{}()?"!@#%&/\,><':;|_~"#
}
