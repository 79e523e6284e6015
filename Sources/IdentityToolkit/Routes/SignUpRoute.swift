internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    func signUp(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard try call.fields.nonEmptyText("localId") == nil else {
            throw .badRequest("UNEXPECTED_PARAMETER : User ID")
        }
        for name in ["email", "password", "idToken"] where try call.fields.nonEmptyText(name) != nil {
            throw .badRequest("OPERATION_NOT_ALLOWED")
        }
        do {
            let tokens = try authenticator.signUpAnonymously(in: call.project)
            record.reason = "new-account"
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#SignupNewUserResponse")
                    json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                    json.member("localId", tokens.account.uid)
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension SignUpRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .anonymousSignInDisabled: .badRequest("ADMIN_ONLY_OPERATION", logDetail: "anonymous sign-in is disabled")
        case .failed(let failure): failure.wire
        }
    }
}
