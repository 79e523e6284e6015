public import Foundation

/// A verification whose code the user has not entered yet. It survives a restart of the app.
public struct VerificationInProgress: Codable, Sendable, Equatable {
    static let key = "verification"
    /// The longest time for which a code is valid, in seconds.
    static let lifetime: TimeInterval = 600
    /// The wait before another message for the same verification, in seconds, if the server does not specify one.
    static let resendWait: TimeInterval = 60

    /// The verification ID, for ``PhoneAuthProvider/credential(withVerificationID:verificationCode:)``.
    public let verificationID: String
    /// The phone number as it was passed to ``PhoneAuthProvider/verifyPhoneNumber(_:uiDelegate:multiFactorSession:)``.
    public let phoneNumber: String
    /// When the first message was requested, by the server's clock.
    public let sentAt: Date
    /// When ``PhoneAuthProvider/resendCode()`` can send another message, by the server's clock. An earlier request
    /// sends no message and returns the same verification.
    public internal(set) var resendAt: Date
    /// How far the server's clock was ahead of the device's, in seconds.
    let clockOffset: TimeInterval
}

extension VerificationInProgress: CustomStringConvertible, CustomReflectable {
    /// The time only: phone numbers must not reach logs.
    public var description: String { "VerificationInProgress(sentAt: \(sentAt))" }
    /// Empty, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
