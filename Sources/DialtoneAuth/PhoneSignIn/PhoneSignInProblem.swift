public import Foundation

/// The reason why a step of a sign-in failed.
public struct PhoneSignInProblem: Sendable, Equatable {
    /// The code of the error; nil if the error is not one of ``Auth``.
    public let code: AuthErrorCode?
    /// How long the server requires to wait, in seconds, at most a week; nil if it does not.
    public let retryAfter: TimeInterval?
    /// The reference that the operator passes to `dialtone explain`; nil if the response had none.
    public let reference: String?

    /// Creates the problem of an error.
    public init(_ error: any Error) {
        code = AuthErrorCode(error)
        // The error may come from an app's own presenter, so its number may be arbitrary.
        retryAfter = error.dialtoneRetryAfter.flatMap { $0.isFinite ? min(max($0, 0), 604_800) : nil }
        reference = error.dialtoneReference
    }
}
