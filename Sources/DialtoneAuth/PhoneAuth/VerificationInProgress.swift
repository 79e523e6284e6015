public import Foundation

/// A verification whose code the user has not entered yet. It survives the end of the app.
public struct VerificationInProgress: Codable, Sendable, Equatable {
    static let key = "verification"
    /// How long a code is valid at most, in seconds.
    static let lifetime: TimeInterval = 600
    /// The wait before a second message for the same verification, in seconds, if the server does not say.
    static let resendWait: TimeInterval = 60

    /// The verification ID, for ``PhoneAuthProvider/credential(withVerificationID:verificationCode:)``.
    public let verificationID: String
    /// The phone number as it was passed to ``PhoneAuthProvider/verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
    public let phoneNumber: String
    /// When the first message was requested, by the server's clock.
    public let sentAt: Date
    /// When ``PhoneAuthProvider/resendCode()`` can send another message, by the server's clock. A request before sends
    /// nothing and returns the same verification.
    public internal(set) var resendAt: Date
    /// How far the server was ahead of the device, in seconds.
    let clockOffset: TimeInterval
}

extension VerificationInProgress: CustomStringConvertible, CustomReflectable {
    /// The time only: phone numbers must not reach logs.
    public var description: String { "VerificationInProgress(sentAt: \(sentAt))" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
