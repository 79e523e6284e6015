internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    static func signInWithCustomToken(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let token = try call.fields.nonEmptyText("token") else { throw .code(.missingCustomToken) }
        let tokens = try SignInWithCustomTokenRefusal.onWire(call.operation.signInWithCustomToken(token))
        call.record.reason = tokens.isNewUser ? "new-account" : "signed-in"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#VerifyCustomTokenResponse")
                json.member("isNewUser", tokens.isNewUser)
                json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
            }
        )
    }
}

extension SignInWithCustomTokenRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .tokenRefused(.invalid(let reason)): .code(.invalidCustomToken, reason)
        case .tokenRefused(.issuerUnknown): .code(.credentialMismatch)
        case .tokenRefused(.uidMissing): .code(.missingIdentifier)
        case .tokenRefused(.claims(let error)): error.wire
        case .accountDisabled: .code(.userDisabled)
        case .failed(let failure): failure.wire
        }
    }
}
