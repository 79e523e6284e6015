public import Encodings
public import PhoneAuth

/// An app's request to get its user back from the sign-in page by a redirect with an authorization code (RFC 6749
/// § 4.1.1, with PKCE, RFC 7636 § 4.3).
public struct AuthorizationRequest: Sendable {
    /// The parameter names. A query with any of them is an authorization request.
    public static let names = [
        "client_id", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method",
    ]

    private static let maximumStateBytes = 2048

    /// Where the app receives the code.
    public let redirectURI: AcceptedRedirectURI
    /// The app's own text, which the response repeats; nil if there is none.
    public let state: String?
    /// The hash of the app's secret.
    public let challenge: CodeChallenge
    /// The response, from which the app's URL is built.
    public let response: AuthorizationResponse

    /// Returns whether a query is an authorization request.
    public static func isMade(by query: FormFields) -> Bool {
        query.fields.contains { names.contains($0.name) }
    }

    /// Returns the API key of a query: `client_id`, or `apiKey`, which must be the same.
    /// - Throws: `AuthorizationRefusal.shown`, if they differ or are repeated.
    public static func apiKey(of query: FormFields) throws(AuthorizationRefusal) -> String? {
        let keys = query.fields.filter { ["client_id", "apiKey"].contains($0.name) && !$0.value.isEmpty }
        guard keys.count < 2 || keys.count == 2 && keys[0].name != keys[1].name && keys[0].value == keys[1].value
        else { throw .shown(.malformed) }
        return keys.first?.value
    }

    /// Validates a request. Unknown parameters are ignored, empty ones are absent, and repeated ones are an error
    /// (RFC 6749 § 3.1).
    ///
    /// - Parameters:
    ///   - fields: the parameters.
    ///   - project: the project of the API key.
    ///   - acceptsLoopback: whether any loopback address may be the redirect URI, in development mode.
    /// - Throws: ``AuthorizationRefusal``.
    public init(
        _ fields: [(name: String, value: String)],
        in project: Project,
        acceptsLoopback: Bool
    ) throws(AuthorizationRefusal) {
        let values = { (name: String) in fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
        let redirectURIs = values("redirect_uri")
        guard redirectURIs.count == 1 else { throw .shown(.malformed) }
        guard let redirectURI = project.redirectURI(redirectURIs[0], acceptsLoopback: acceptsLoopback) else {
            throw .shown(.redirectURINotRegistered)
        }
        let states = values("state")
        let isStateValid =
            states.count < 2
            && states.allSatisfy { state in
                state.utf8.count <= Self.maximumStateBytes && state.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            }
        let response = AuthorizationResponse(
            redirectURI: redirectURI,
            state: isStateValid ? states.first : nil,
            issuer: project.idTokenIssuer
        )
        guard isStateValid else { throw .redirected(response, .invalidRequest("state is repeated or malformed")) }
        guard Self.names.allSatisfy({ values($0).count < 2 }) else {
            throw .redirected(response, .invalidRequest("a parameter is repeated"))
        }
        guard values("response_type").allSatisfy({ $0 == "code" }) else {
            throw .redirected(response, .unsupportedResponseType)
        }
        guard values("code_challenge_method") == [CodeChallenge.method] else {
            throw .redirected(response, .invalidRequest("code_challenge_method must be S256"))
        }
        guard let challenge = values("code_challenge").first.flatMap(CodeChallenge.init) else {
            throw .redirected(response, .invalidRequest("code_challenge must be base64url of SHA-256"))
        }
        self.redirectURI = redirectURI
        state = response.state
        self.challenge = challenge
        self.response = response
    }
}

/// Why the sign-in page is not shown to an app's user.
public enum AuthorizationRefusal: Error {
    /// Nothing proves that the app is at its redirect URI, so only the page can show the error (RFC 6749 § 4.1.2.1).
    case shown(VerifyAppRefusal.Reason)
    /// The app receives the error.
    case redirected(AuthorizationResponse, AuthorizationError)
}

/// An error that an app receives at its redirect URI (RFC 6749 § 4.1.2.1).
public enum AuthorizationError: Sendable, Equatable {
    /// The user canceled.
    case accessDenied
    /// A parameter is missing, repeated or malformed; the text says which.
    case invalidRequest(String)
    /// `response_type` is not `code`.
    case unsupportedResponseType

    /// The code.
    public var code: String {
        switch self {
        case .accessDenied: "access_denied"
        case .invalidRequest: "invalid_request"
        case .unsupportedResponseType: "unsupported_response_type"
        }
    }

    /// A sentence for the app's developer.
    public var explanation: String {
        switch self {
        case .accessDenied: "The user cancelled the sign-in."
        case .invalidRequest(let reason): reason
        case .unsupportedResponseType: "response_type must be code"
        }
    }
}

/// The sign-in page's response to an app at its redirect URI. Each response names the issuer (RFC 9207), so that an app
/// with several servers knows which of them responded (mix-up attack).
public struct AuthorizationResponse: Sendable {
    let redirectURI: AcceptedRedirectURI
    let state: String?
    let issuer: String

    /// Returns the URL with a code.
    public func url(code: IssuedAuthorizationCode) -> String { url([("code", code.text)]) }

    /// Returns the URL with an error.
    public func url(error: AuthorizationError) -> String {
        url([("error", error.code), ("error_description", error.explanation)])
    }

    private func url(_ fields: [(name: String, value: String)]) -> String {
        let state = state.map { [(name: "state", value: $0)] } ?? []
        return redirectURI.text + (redirectURI.text.contains("?") ? "&" : "?")
            + FormFields.encode(fields + state + [("iss", issuer)])
    }
}
