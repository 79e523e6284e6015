/// Why a gateway will not send a message to a number. The raw value is what a log shows.
public enum RefusalKind: String, Sendable, CaseIterable {
    /// No number of any subscriber.
    case numberInvalid = "number invalid"
    /// A landline, or another number that takes no messages.
    case numberNotMobile = "number takes no messages"
    /// The subscriber asked not to get messages, or the number is barred.
    case recipientBlocked = "recipient blocked"
    /// The operator's account is not open for this destination.
    case destinationNotEnabled = "destination not enabled"
    /// The gateway has no way to this number from this sender.
    case unroutable = "unroutable"
    /// The gateway does not take the text.
    case messageRejected = "message rejected"
    /// The gateway's own protection takes the message for fraud.
    case suspectedFraud = "suspected fraud"
    /// Another reason; the code tells.
    case other = "refused"
}
