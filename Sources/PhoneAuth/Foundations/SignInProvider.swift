/// A sign-in method; the claim `firebase.sign_in_provider`.
public enum SignInProvider: String, Sendable {
    case phone
    case anonymous
    case custom
    case password

    /// Whether sign-ins with this method require the user's second factor. Custom tokens do not: the protocol's
    /// response has no place for it, and the operator's server that issues them may request one itself.
    var asksForSecondFactor: Bool { self == .password }

    /// Whether users who sign in with this method may enroll second factors.
    var mayHaveSecondFactors: Bool {
        switch self {
        case .password, .custom: true
        case .phone, .anonymous: false
        }
    }
}
