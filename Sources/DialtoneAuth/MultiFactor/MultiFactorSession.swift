/// The session of an enrollment, or of a sign-in that requires a second factor.
public final class MultiFactorSession: Sendable {
    enum Purpose: Sendable {
        case enrollment(User)
        case signIn(PendingSignIn)
    }

    let purpose: Purpose

    init(_ purpose: Purpose) { self.purpose = purpose }
}

extension MultiFactorSession: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A sign-in that is waiting for its second factor.
struct PendingSignIn: Codable, Sendable, Equatable {
    /// Identifies the sign-in to the server.
    let credential: String
    /// The provider of the first factor.
    let provider: String
    let factors: [FactorResponse]
    /// Whether the user becomes the current one. If not, the current user links a credential or reauthenticates.
    let isSignIn: Bool
}
