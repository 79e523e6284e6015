public import Encodings

/// What came of a request to a hook.
public enum BlockingHookReply: Sendable, Confidential {
    /// A whole answer, whatever it says; an empty body where it was longer than any that is agreed. Redirects are answers, too.
    case answered(status: Int, body: [UInt8])
    /// No whole answer within the deadline.
    case timedOut
    /// Why there was no answer, in a word for the log.
    case unreachable(String)
}
