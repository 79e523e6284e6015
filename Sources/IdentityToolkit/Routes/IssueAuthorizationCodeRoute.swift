internal import ChallengePages
internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// `POST /v2/accounts/authorizationCodes:issue`: returns the URL that takes the sign-in page's user to the app,
    /// with a one-time code. The fields are the parameters of the page. An extension of the protocol.
    static func issueAuthorizationCode(_ call: Call) throws(WireError) -> Response {
        let idToken = try call.requiredIDToken()
        let request = try authorizationRequest(of: call)
        let code = try IDTokenRefusal.onWire(
            call.operation.issueAuthorizationCode(
                idToken: idToken,
                clientID: call.apiKey,
                redirectURI: request.redirectURI,
                challenge: request.challenge
            )
        )
        call.record.reason = "issued"
        return .json(
            JSONWriter.object { json in
                json.member("location", request.response.url(code: code))
                json.member("expiresIn", String(code.lifetime.components.seconds))
            }
        )
    }

    private static func authorizationRequest(of call: Call) throws(WireError) -> AuthorizationRequest {
        var fields: [(name: String, value: String)] = []
        for name in AuthorizationRequest.names {
            if let text = try call.fields.text(name) { fields.append((name, text)) }
        }
        do {
            return try AuthorizationRequest(fields, in: call.project, acceptsLoopback: call.isDevelopment)
        } catch {
            switch error {
            case .shown(let reason): throw .code(.invalidArgument, reason.code)
            case .redirected(_, let error): throw .code(.invalidArgument, error.explanation)
            }
        }
    }
}
