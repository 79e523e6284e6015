/// The failure of a request that had no response.
public struct RequestFailure: Error, Hashable, Sendable {
    /// Why the request had no response.
    public let reason: TransportFailure
    /// Whether the server may have received the request. If false, the server has not received it and never will.
    public let mayBeSent: Bool

    /// Creates a failure.
    public init(_ reason: TransportFailure, mayBeSent: Bool) {
        self.reason = reason
        self.mayBeSent = mayBeSent
    }
}
