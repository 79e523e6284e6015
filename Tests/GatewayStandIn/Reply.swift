internal import APNsStandIn

/// The mock gateway's reaction to one request.
public struct Reply: Sendable {
    /// The kind of reaction.
    public enum Action: Sendable {
        case answer(status: Int, headers: [(name: String, value: String)], body: String)
        /// Accepts the request, then closes the connection like an idle one, without announcing it in the response.
        case acceptAndClose
        /// Never responds.
        case silence
        /// Sends a head, then a byte now and then, so that no single read takes long.
        case drip
        /// Sends only this many bytes of a response of unknown length.
        case stuckAfter(bytes: Int)
        /// Closes the connection after the request's head.
        case cutAtHead
        /// Closes the connection after the whole request.
        case cutAtEnd
        /// Closes the connection in the middle of the response.
        case cutInAnswer
    }

    let action: Action
    /// The delay before the reaction.
    public var delay: Duration = .zero

    /// Creates a reaction.
    public init(action: Action, delay: Duration = .zero) {
        self.action = action
        self.delay = delay
    }

    /// Never responds.
    public static let silence = Reply(action: .silence)
    /// Accepts the request, then closes the connection.
    public static let acceptAndClose = Reply(action: .acceptAndClose)
    /// Sends a head, then a byte now and then.
    public static let drip = Reply(action: .drip)
    /// Closes the connection after the request's head.
    public static let cutAtHead = Reply(action: .cutAtHead)
    /// Closes the connection after the whole request.
    public static let cutAtEnd = Reply(action: .cutAtEnd)
    /// Closes the connection in the middle of the response.
    public static let cutInAnswer = Reply(action: .cutInAnswer)
    /// Twilio's response to an accepted message.
    public static let twilioAccepted = answer(201, #"{"sid":"SM0123456789abcdef0123456789abcdef","status":"queued"}"#)

    /// Responds with a status, a body and header fields.
    public static func answer(_ status: Int, _ body: String = "", _ headers: [(name: String, value: String)] = [])
        -> Reply
    {
        Reply(action: .answer(status: status, headers: headers, body: body))
    }

    /// The stand-in process's reaction when the whole request has arrived; nil for none.
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
