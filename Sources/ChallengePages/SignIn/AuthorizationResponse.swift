internal import Encodings
public import PhoneAuth

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
