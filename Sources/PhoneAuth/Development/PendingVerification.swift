public import Encodings

/// A verification session that waits for its code, as the reference emulator lists it.
public struct PendingVerification: Sendable, Confidential {
    /// The number in E.164 form.
    public let phoneNumber: String
    /// The client's session info.
    public let sessionInfo: String
    /// The code.
    public let code: VerificationCode
}
