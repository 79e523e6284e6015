public import Foundation

/// A verification whose code the user has not entered yet. It survives the end of the app.
public struct VerificationInProgress: Codable, Sendable, Equatable {
    static let key = "verification"
    /// How long a code is valid at most, in seconds.
    static let lifetime: TimeInterval = 600
    /// The server's wait before a second message for the same verification, in seconds (`DIALTONE_LOCK_SECONDS`). A
    /// request before the wait is over sends nothing and returns the same verification.
    static let resendWait: TimeInterval = 60

    /// The verification ID, for ``PhoneAuthProvider/credential(withVerificationID:verificationCode:)``.
    public let verificationID: String
    /// The phone number as it was passed to ``PhoneAuthProvider/verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
    public let phoneNumber: String
    /// When the message was requested, by the server's clock.
    public let sentAt: Date
    /// When ``PhoneAuthProvider/resendCode()`` can send another message, by the server's clock.
    public internal(set) var resendAt: Date
}
