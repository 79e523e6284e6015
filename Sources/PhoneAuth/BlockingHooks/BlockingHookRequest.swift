public import Encodings

/// What is to be posted to a hook.
public struct BlockingHookRequest: Sendable, Confidential {
    /// Where.
    public let url: ServiceURL
    /// JSON.
    public let body: [UInt8]
    /// How long it may take, from connecting to the last byte of the answer.
    public let deadline: Duration
}
