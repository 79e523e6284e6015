/// A request that had no answer.
public struct RequestFailure: Error, Hashable, Sendable {
    /// Why it had none.
    public let reason: TransportFailure
    /// Whether the server may have received the request. If not, it never will.
    public let mayBeSent: Bool

    /// Describes a failure.
    public init(_ reason: TransportFailure, mayBeSent: Bool) {
        self.reason = reason
        self.mayBeSent = mayBeSent
    }
}
