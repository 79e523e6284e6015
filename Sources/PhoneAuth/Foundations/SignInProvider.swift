/// A sign-in method.
public enum SignInProvider: String, Sendable {
    case phone
    case anonymous
    case custom
    case password
    case emailLink

    /// The claim `firebase.sign_in_provider`, which is the same for passwords and links by e-mail.
    var claim: String { self == .emailLink ? Self.password.rawValue : rawValue }

    /// Whether sign-ins with this method require the user's second factor. Custom tokens do not: the protocol's
    /// response has no place for it, and the operator's server that issues them may request one itself.
    var asksForSecondFactor: Bool { self == .password || self == .emailLink }

    /// Whether users who sign in with this method may enroll second factors.
    var mayHaveSecondFactors: Bool {
        switch self {
        case .password, .emailLink, .custom: true
        case .phone, .anonymous: false
        }
    }
}

/// The second factor that a session began with, as stored with its refresh token.
public struct SecondFactorMark: Sendable, Hashable {
    /// The method by which the factor was proven.
    let method: String
    /// The factor's id; empty if no enrolled factor was used.
    let id: String

    /// Creates a mark, or returns nil if no factor was used.
    public init?(method: String, id: String) {
        guard !method.isEmpty else { return nil }
        self.method = method
        self.id = id
    }
}
