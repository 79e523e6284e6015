public import Encodings

/// An answer as it came.
public struct HTTPAnswer: Sendable, Confidential {
    /// The HTTP status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaderFields
    /// The body; empty where it was longer than any answer that is agreed.
    public let body: [UInt8]
}
