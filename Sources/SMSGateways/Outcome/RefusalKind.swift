/// Why a gateway refuses to send a message to a number. The raw value appears in logs.
public enum RefusalKind: String, Sendable, CaseIterable {
    /// The number is not valid or belongs to no subscriber.
    case numberInvalid = "number invalid"
    /// The number is a landline or cannot receive messages for another reason.
    case numberNotMobile = "number takes no messages"
    /// The subscriber has opted out, or the number is blocked.
    case recipientBlocked = "recipient blocked"
    /// The operator's account is not enabled for this destination.
    case destinationNotEnabled = "destination not enabled"
    /// The gateway has no route to this number from this sender.
    case unroutable = "unroutable"
    /// The gateway rejects the text.
    case messageRejected = "message rejected"
    /// The gateway's own fraud protection blocked the message.
    case suspectedFraud = "suspected fraud"
    /// Another reason; see the code.
    case other = "other reason"
}
