public import Encodings

/// The outcome of a request to a hook.
public enum BlockingHookReply: Sendable, Confidential {
    /// A complete response, whatever its status, redirects included; the body is empty if it exceeded the maximum
    /// length.
    case answered(status: Int, body: [UInt8])
    /// No complete response within the deadline.
    case timedOut
    /// No response; the reason in a word for the log.
    case unreachable(String)
}

extension BlockingHookReply {
    /// The outcome in a word, for metrics.
    var word: String {
        switch self {
        case .answered(200..<300, _): "allowed"
        case .answered: "denied"
        case .timedOut: "timed-out"
        case .unreachable: "unreachable"
        }
    }
}
