/// What the stand-in for a gateway does with one request.
public struct Reply: Sendable {
    /// What it does.
    public enum Action: Sendable {
        case answer(status: Int, headers: [(name: String, value: String)], body: String)
        /// Never answers.
        case silence
        /// A head, and then a byte now and then: no single read takes long.
        case drip
        /// Ends the connection when the request's head is there.
        case cutAtHead
        /// Ends the connection when the whole request is there.
        case cutAtEnd
        /// Ends the connection within the answer.
        case cutInAnswer
    }

    let action: Action
    /// How long it waits before.
    public var delay: Duration = .zero

    /// Never answers.
    public static let silence = Reply(action: .silence)
    /// A head, and then a byte now and then.
    public static let drip = Reply(action: .drip)
    /// Ends the connection when the head is there.
    public static let cutAtHead = Reply(action: .cutAtHead)
    /// Ends the connection when the request is there.
    public static let cutAtEnd = Reply(action: .cutAtEnd)
    /// Ends the connection within the answer.
    public static let cutInAnswer = Reply(action: .cutInAnswer)
    /// What Twilio says when it takes a message.
    public static let twilioAccepted = answer(201, #"{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued"}"#)

    /// An answer.
    public static func answer(_ status: Int, _ body: String = "", _ headers: [(name: String, value: String)] = [])
        -> Reply
    {
        Reply(action: .answer(status: status, headers: headers, body: body))
    }
}
