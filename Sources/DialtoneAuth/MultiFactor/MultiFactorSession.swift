public import Foundation

/// The session of an enrollment, or of a sign-in that requires a second factor.
public final class MultiFactorSession: NSObject, Sendable {
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

/// The verification of a second factor whose code the user has not entered yet. It survives a restart of the app.
public struct SecondFactorInProgress: Sendable {
    /// The verification. At sign-in its number is that of the hint, so only the last digits may be visible.
    public let verification: VerificationInProgress
    /// Continues the sign-in. Nil if the current user is enrolling the factor: then pass the code to
    /// ``MultiFactor/enroll(with:displayName:)``.
    public let resolver: MultiFactorResolver?
}

/// The stored form of a ``SecondFactorInProgress``.
struct SecondFactorRecord: Codable, Sendable {
    enum Purpose: Codable, Sendable {
        case signIn(PendingSignIn, factorID: String)
        case enrollment(uid: String)
    }

    static let key = "second-factor"

    var verification: VerificationInProgress
    let purpose: Purpose
}
