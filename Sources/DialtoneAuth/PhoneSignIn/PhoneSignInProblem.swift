public import Foundation

/// Why a step of a sign-in failed.
public struct PhoneSignInProblem: Sendable, Equatable {
    /// The code of the error; nil for errors that are not of ``Auth``.
    public let code: AuthErrorCode?
    /// How long the server asks to wait, in seconds and for a week at most; nil if it does not.
    public let retryAfter: TimeInterval?
    /// What an operator passes to `dialtone explain`; nil if there is none.
    public let reference: String?

    /// Takes what an error says.
    public init(_ error: any Error) {
        code = AuthErrorCode(error)
        // An error may also be that of an app's own presenter, so it may have any number.
        retryAfter = error.dialtoneRetryAfter.flatMap { $0.isFinite ? min(max($0, 0), 604_800) : nil }
        reference = error.dialtoneReference
    }
}
