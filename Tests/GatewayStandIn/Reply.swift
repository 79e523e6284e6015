internal import APNsStandIn

/// What the stand-in for a gateway does with one request.
public struct Reply: Sendable {
    /// What it does.
    public enum Action: Sendable {
        case answer(status: Int, headers: [(name: String, value: String)], body: String)
        /// Accepts the request, and then closes the connection as an idle one is closed: the answer does not say so.
        case acceptAndClose
        /// Never answers.
        case silence
        /// A head, and then a byte now and then: no single read takes long.
        case drip
        /// An answer of unknown length, of which this many bytes come and no more.
        case stuckAfter(bytes: Int)
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

    /// Does something with a request.
    public init(action: Action, delay: Duration = .zero) {
        self.action = action
        self.delay = delay
    }

    /// Never answers.
    public static let silence = Reply(action: .silence)
    /// Accepts the request, and then closes the connection.
    public static let acceptAndClose = Reply(action: .acceptAndClose)
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

    /// What the stand-in process does when the whole request has arrived; nil for nothing.
    var answer: StandInAnswer? {
        var answer: StandInAnswer? =
            switch action {
            case .silence: nil
            case .cutAtHead, .cutAtEnd: .cut
            case .answer(let status, let headers, let body):
                StandInAnswer(status: status, headers: [Self.length(body.utf8.count)] + headers, body: body)
            case .acceptAndClose: StandInAnswer(status: 201, headers: [Self.length(0)], ending: .close)
            case .cutInAnswer:
                StandInAnswer(status: 201, headers: [Self.length(1000)], body: #"{"sid":"SM"#, ending: .cut)
            case .stuckAfter(let bytes):
                StandInAnswer(
                    status: 200,
                    headers: [("Transfer-Encoding", "chunked")],
                    body: String(bytes, radix: 16) + "\r\n" + String(repeating: " ", count: bytes) + "\r\n",
                    ending: .wait
                )
            case .drip: StandInAnswer(status: 201, headers: [Self.length(1000)], ending: .drip)
            }
        answer?.delay = delay
        return answer
    }

    private static func length(_ count: Int) -> (name: String, value: String) { ("Content-Length", String(count)) }
}
