public import Encodings

/// Exchanges refresh tokens of the Firebase projects that projects' users come from.
public protocol FirebaseTokenExchange: Sendable {
    /// Returns when the takeover of a project's Firebase sessions ends; nil if the project takes over none.
    func end(in project: Project) -> Instant?

    /// Exchanges a refresh token for an ID token at Google's server, and verifies it. Blocks the thread, for seconds at
    /// most.
    func exchange(_ refreshToken: String, in project: Project, at now: Instant) -> FirebaseTokenOutcome
}

/// The result of exchanging a Firebase refresh token.
public enum FirebaseTokenOutcome: Sendable {
    case exchanged(FirebaseSignIn)
    case refused(FirebaseTokenRefusal)
    /// The token was neither exchanged nor refused, for this reason.
    case unavailable(String)
}

/// Why Firebase refused a refresh token; the raw value is its word.
public enum FirebaseTokenRefusal: String, Sendable {
    case tokenInvalid = "INVALID_REFRESH_TOKEN"
    case tokenExpired = "TOKEN_EXPIRED"
    case accountDisabled = "USER_DISABLED"
    case accountUnknown = "USER_NOT_FOUND"
    /// The token is another Firebase project's.
    case otherProject = "PROJECT_NUMBER_MISMATCH"
}
