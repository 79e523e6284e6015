/// A second factor's verification whose code the user has not entered yet. It survives the end of the app.
public struct SecondFactorInProgress: Sendable {
    /// The verification. Its number is that of the hint, so only the last digits may be known.
    public let verification: VerificationInProgress
    /// Continues the sign-in; nil if the current user enrolls the factor: then
    /// ``MultiFactor/enroll(with:displayName:)`` takes the code.
    public let resolver: MultiFactorResolver?
}

/// What is stored of a ``SecondFactorInProgress``.
struct SecondFactorRecord: Codable, Sendable {
    enum Purpose: Codable, Sendable {
        case signIn(PendingSignIn, factorID: String)
        case enrollment(uid: String)
    }

    static let key = "second-factor"

    var verification: VerificationInProgress
    let purpose: Purpose
}
