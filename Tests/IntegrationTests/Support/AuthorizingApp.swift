import Encodings
import TestServers

/// An app that gets users from the sign-in page by redirects, simulated with plain requests.
struct AuthorizingApp {
    let server: RunningServer
    var redirectURI = "http://127.0.0.1:5173/signed-in"
    var apiKey = RunningServer.apiKey

    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// Sends the page's request for a code, for a user who has signed in.
    func issue(_ idToken: String, state: String? = "xyz", other: String = "") throws -> HTTPAnswer {
        let state = state.map { #","state":"\#($0)""# } ?? ""
        return try server.post(
            "/v2/accounts/authorizationCodes:issue",
            #"{"idToken":"\#(idToken)","redirect_uri":"\#(redirectURI)"\#(state),"code_challenge":"\#(Self.challenge)""#
                + #","code_challenge_method":"S256"\#(other)}"#,
            apiKey: apiKey
        )
    }

    /// Returns the parameters that the app receives.
    func response(_ idToken: String, state: String? = "xyz") throws -> FormFields {
        let answer = try issue(idToken, state: state)
        guard let location = answer["location"], location.hasPrefix(redirectURI + "?"),
            let fields = FormFields(location.utf8.dropFirst(redirectURI.utf8.count + 1))
        else { throw ServerFailure(description: "\(answer.status) \(answer.errorMessage ?? "")") }
        return fields
    }

    func code(_ idToken: String) throws -> String {
        guard let code = try response(idToken)["code"] else { throw ServerFailure(description: "no code") }
        return code
    }

    /// Exchanges a code as the app does.
    func exchange(
        _ code: String,
        verifier: String = AuthorizingApp.verifier,
        redirectURI: String? = nil,
        more: String = "",
        target: String? = nil
    ) throws -> HTTPAnswer {
        let fields = FormFields.encode([
            ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier),
            ("redirect_uri", redirectURI ?? self.redirectURI),
        ])
        return try HTTPClient(port: server.port).request(
            "POST",
            target ?? "/v1/token?key=\(apiKey)",
            headers: [("Content-Type", FormFields.mediaType)],
            body: Array((fields + more).utf8)
        )
    }
}
