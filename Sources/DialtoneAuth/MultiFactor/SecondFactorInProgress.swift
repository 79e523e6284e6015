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
