/// The enrollment or the sign-in that a second factor is for.
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

/// A sign-in that waits for its second factor.
struct PendingSignIn: Codable, Sendable, Equatable {
    /// By which the server knows it.
    let credential: String
    /// The provider of the first factor.
    let provider: String
    let factors: [FactorResponse]
    /// Whether the user becomes the current one. If not, a user links a credential or signs in again.
    let isSignIn: Bool
}
