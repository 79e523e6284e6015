public import Encodings

/// An HTTP response.
public struct HTTPAnswer: Sendable, Confidential {
    /// The HTTP status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaderFields
    /// The body; empty if the body was longer than 16 KiB.
    public let body: [UInt8]
}
