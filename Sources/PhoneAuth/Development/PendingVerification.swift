public import Encodings

/// A session that waits for its code, as the reference emulator lists it.
public struct PendingVerification: Sendable, Confidential {
    /// The number in E.164 form.
    public let phoneNumber: String
    /// What the client got.
    public let sessionInfo: String
    /// The code.
    public let code: VerificationCode
}
