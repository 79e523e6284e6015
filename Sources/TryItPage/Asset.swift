/// One file of the try-it page, ready to be sent.
public struct Asset: Sendable {
    /// The request path that it answers, such as `/try-it.css`.
    public let path: String
    /// The value of its `Content-Type` header.
    public let contentType: String
    /// The content, as it goes on the wire.
    public let body: [UInt8]
}
