internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    func signInWithCustomToken(_ call: Call, _ record: inout RequestRecord) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let token = try call.fields.nonEmptyText("token") else { throw .badRequest("MISSING_CUSTOM_TOKEN") }
        do {
            let tokens = try authenticator.signInWithCustomToken(token, in: call.project)
            record.reason = tokens.isNewUser ? "new-account" : "signed-in"
            return .json(
                JSONWriter.object { json in
                    json.member("kind", "identitytoolkit#VerifyCustomTokenResponse")
                    json.member("isNewUser", tokens.isNewUser)
                    json.tokens(idToken: tokens.idToken, refreshToken: tokens.refreshToken)
                }
            )
        } catch {
            throw error.wire
        }
    }
}

extension SignInWithCustomTokenRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .tokenRefused(.invalid(let reason)): .badRequest("INVALID_CUSTOM_TOKEN : \(reason)")
        case .tokenRefused(.issuerUnknown): .badRequest("CREDENTIAL_MISMATCH")
        case .tokenRefused(.uidMissing): .badRequest("MISSING_IDENTIFIER")
        case .tokenRefused(.claims(let error)): error.wire
        case .accountDisabled: .badRequest("USER_DISABLED")
        case .failed(let failure): failure.wire
        }
    }
}

extension CustomClaimsError {
    /// The protocol's error, the same wherever claims are set.
    var wire: WireError {
        switch self {
        case .tooLarge: .badRequest("CLAIMS_TOO_LARGE")
        case .malformed: .badRequest("INVALID_CLAIMS")
        case .reserved(let name): .badRequest("FORBIDDEN_CLAIM : \(name)")
        }
    }
}
