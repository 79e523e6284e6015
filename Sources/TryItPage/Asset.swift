/// One file of the try-it page.
public struct Asset: Sendable {
    /// The request path of the file, such as `/try-it.css`.
    public let path: String
    /// The value of its `Content-Type` header.
    public let contentType: String
    /// The content, as it is sent.
    public let body: [UInt8]
}
