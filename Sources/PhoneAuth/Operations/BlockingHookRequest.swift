public import Encodings

/// A POST request to a hook.
public struct BlockingHookRequest: Sendable, Confidential {
    /// The hook's URL.
    public let url: ServiceURL
    /// The JSON body.
    public let body: [UInt8]
    /// The time from connecting to the last byte of the response.
    public let deadline: Duration
}
