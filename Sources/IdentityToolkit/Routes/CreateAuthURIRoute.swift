internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Returns how the owner of an e-mail address may sign in; the SDKs' `fetchSignInMethodsForEmail`.
    static func createAuthURI(_ call: Call) throws(WireError) -> Response {
        try call.refuseTenants()
        guard let identifier = try call.fields.nonEmptyText("identifier") else {
            throw .code(.missingIdentifier)
        }
        guard let continueURI = try call.fields.nonEmptyText("continueUri") else {
            throw .code(.missingContinueURI)
        }
        guard isURI(continueURI) else { throw .code(.invalidContinueURI) }
        let sessionID = try call.fields.nonEmptyText("sessionId")
        let methods = try SignInMethodsRefusal.onWire(call.operation.signInMethods(of: identifier))
        call.record.reason = "answered"
        return .json(
            JSONWriter.object { json in
                json.member("kind", "identitytoolkit#CreateAuthUriResponse")
                json.member(
                    "sessionId",
                    sessionID ?? Base64URL.string(call.operation.authenticator.environment.randomBytes(20))
                )
                guard case .known(let providers) = methods else { return }
                json.member("registered", providers != nil)
                // Passwords and links are methods of one provider.
                json.array("allProviders") { json in
                    if providers?.isEmpty == false { json.value(SignInProvider.password.rawValue) }
                }
                json.array("signinMethods") { json in
                    for provider in providers ?? [] { json.value(provider.rawValue) }
                }
            }
        )
    }

    /// Returns whether a text has the form of an absolute URI (RFC 3986 § 3) with something after its scheme.
    private static func isURI(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        let rest = text.utf8[text.utf8.index(after: colon)...]
        return scheme.first?.isASCIILetter == true && scheme.allSatisfy(isAllowedInScheme)
            && !rest.isEmpty && rest.allSatisfy { $0 > UInt8(ascii: " ") && $0 < 0x7F }
    }

    private static func isAllowedInScheme(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "+-.".utf8.contains(byte)
    }
}

extension SignInMethodsRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .emailInvalid: .code(.invalidIdentifier)
        case .unavailable(let store): store.wire
        }
    }
}
