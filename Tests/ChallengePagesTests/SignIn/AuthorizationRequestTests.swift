import Encodings
import PhoneAuth
import Testing

@testable import ChallengePages

/// Apps' requests to the sign-in page for an authorization code.
@Suite struct AuthorizationRequestTests {
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    private static let app = "https%3A%2F%2Fapp.example.com%2Fcb%3Fa%3Db"
    private static let required =
        "redirect_uri=\(app)&code_challenge=\(challenge)&code_challenge_method=S256&client_id=key"

    private let project: Project

    init() throws {
        project = Project(
            id: "demo-app",
            ownIssuer: try TokenIssuer("https://auth.example.com", of: "demo-app"),
            authorizedDomains: [],
            redirectURIs: [
                try #require(RedirectURI("https://app.example.com/cb?a=b")),
                try #require(RedirectURI("com.example.app:/cb")),
            ]
        )
    }

    private func request(_ query: String) throws -> AuthorizationRequest {
        let fields = try #require(FormFields(query.utf8))
        return try AuthorizationRequest(fields.fields, in: project, acceptsLoopback: false)
    }

    /// Returns the URL that the app gets, or "shown" and the error's code if only the page can show the error.
    private func refusal(_ query: String) throws -> String {
        do {
            _ = try request(query)
            return ""
        } catch AuthorizationRefusal.shown(let reason) {
            return "shown \(reason.code)"
        } catch AuthorizationRefusal.redirected(let response, let error) {
            return response.url(error: error)
        }
    }

    @Test("a request has a redirect URI, a challenge and optionally a state")
    func valid() throws {
        let plain = try request(Self.required)
        #expect(plain.redirectURI.text == "https://app.example.com/cb?a=b" && plain.state == nil)
        #expect(plain.challenge.text == Self.challenge)
        let more = "&state=a%20%26b%3D%23%25&response_type=code&scope=openid&unknown=1&unknown=2"
        let full = try request(Self.required + more)
        #expect(full.state == "a &b=#%")
        // A parameter without a value counts as absent.
        #expect(try request(Self.required + "&state=&response_type=").state == nil)
    }

    @Test("the app gets its state and the issuer in the query of its redirect URI")
    func response() throws {
        let full = try request(Self.required + "&state=a%20%26b%3D%23%25")
        #expect(
            full.response.url(error: .accessDenied)
                == "https://app.example.com/cb?a=b&error=access_denied&error_description=The%20user%20cancelled%20the"
                + "%20sign-in.&state=a%20%26b%3D%23%25&iss=https%3A%2F%2Fauth.example.com"
        )
        let query = Self.required.replacing(Self.app, with: "com.example.app%3A%2Fcb")
        #expect(
            try request(query).response.url(error: .accessDenied).hasPrefix("com.example.app:/cb?error=access_denied&")
        )
    }

    @Test(
        "without a registered redirect URI, only the page shows the error",
        arguments: [
            ("", "malformed-request"), ("redirect_uri=", "malformed-request"),
            ("redirect_uri=\(app)&redirect_uri=\(app)", "malformed-request"),
            ("redirect_uri=\(app)&redirect_uri=https%3A%2F%2Fevil.example", "malformed-request"),
            ("redirect_uri=https%3A%2F%2Fevil.example", "redirect-uri-not-registered"),
            ("redirect_uri=\(app)%26c%3Dd", "redirect-uri-not-registered"),
            ("redirect_uri=http%3A%2F%2F127.0.0.1%2F", "redirect-uri-not-registered"),
            ("redirect_uri=javascript%3Aalert(1)", "redirect-uri-not-registered"),
        ]
    )
    func shown(query: String, code: String) throws {
        let rest = "code_challenge=\(Self.challenge)&code_challenge_method=S256&client_id=key"
        #expect(try refusal("\(query)&\(rest)") == "shown \(code)")
        #expect(try refusal(query) == "shown \(code)")
    }

    @Test(
        "any other error goes to the app, and a request without an S256 challenge is rejected (downgrade)",
        arguments: [
            ("code_challenge_method=S256", "invalid_request"), ("code_challenge=\(challenge)", "invalid_request"),
            ("code_challenge=\(challenge)&code_challenge_method=plain", "invalid_request"),
            ("code_challenge=\(challenge)&code_challenge_method=s256", "invalid_request"),
            ("code_challenge=&code_challenge_method=S256", "invalid_request"),
            ("code_challenge=\(challenge)A&code_challenge_method=S256", "invalid_request"),
            ("code_challenge=\(challenge)&code_challenge=\(challenge)&code_challenge_method=S256", "invalid_request"),
            (
                "code_challenge=\(challenge)&code_challenge_method=S256&code_challenge_method=plain",
                "invalid_request"
            ),
            (
                "code_challenge=\(challenge)&code_challenge_method=S256&response_type=token",
                "unsupported_response_type"
            ),
            (
                "code_challenge=\(challenge)&code_challenge_method=S256&response_type=code&response_type=code",
                "invalid_request"
            ),
        ]
    )
    func redirected(query: String, code: String) throws {
        let url = try refusal("redirect_uri=\(Self.app)&state=xyz&\(query)")
        #expect(url.hasPrefix("https://app.example.com/cb?a=b&error=\(code)&"))
        #expect(url.hasSuffix("&state=xyz&iss=https%3A%2F%2Fauth.example.com"))
    }

    @Test("a state that is repeated, too long or not printable ASCII is not returned to the app")
    func states() throws {
        for state in [
            "state=a&state=b", "state=a%0D%0ALocation:x", "state=%C3%A9", "state=a%00",
            "state=" + String(repeating: "a", count: 2049),
        ] {
            let url = try refusal("\(Self.required)&\(state)")
            #expect(url.contains("?a=b&error=invalid_request&") && !url.contains("&state="))
        }
    }

    @Test("client_id and apiKey are the same key, given once")
    func keys() throws {
        for (query, key) in [
            ("client_id=a", "a"), ("apiKey=a", "a"), ("client_id=a&apiKey=a", "a"), ("client_id=a&apiKey=", "a"),
            ("state=a", nil), ("client_id=", nil),
        ] {
            #expect(try AuthorizationRequest.apiKey(of: try #require(FormFields(query.utf8))) == key)
        }
        for query in ["client_id=a&apiKey=b", "client_id=a&client_id=a", "apiKey=a&apiKey=b&state=x"] {
            let fields = try #require(FormFields(query.utf8))
            #expect(throws: AuthorizationRefusal.self) { _ = try AuthorizationRequest.apiKey(of: fields) }
        }
        for (query, isMade) in [("client_id=a", true), ("state=", true), ("apiKey=a&hl=de&continueUrl=x", false)] {
            #expect(AuthorizationRequest.isMade(by: try #require(FormFields(query.utf8))) == isMade)
        }
    }
}
