public import Encodings

/// A message of the development inbox.
public struct InboxMessage: Sendable, Confidential {
    /// The message's id in its project.
    public let id: String
    /// The number in E.164 form.
    public let phoneNumber: String
    /// The text of the message.
    public let text: String
    /// The code in it.
    public let code: VerificationCode
    /// When it was queued.
    public let queuedAt: Instant
}
