/// A handler's response.
public struct Response: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields, in order. The server adds `Content-Length`.
    ///
    /// A field whose value contains a carriage return, a line feed or a NUL is omitted, to prevent header injection
    /// (response splitting).
    public var headers: [(name: StaticString, value: String)]
    /// The body's bytes.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: [(name: StaticString, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
