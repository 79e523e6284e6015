/// What a handler answers.
public struct Response: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// Header fields, in order. `Content-Length` is added by the server.
    ///
    /// A field whose value holds a carriage return, a line feed or a NUL is left out:
    /// it could end the header early and forge another.
    public var headers: [(name: StaticString, value: String)]
    /// The body's bytes.
    public var body: [UInt8]

    /// An answer with this status, these header fields and this body.
    public init(status: Int, headers: [(name: StaticString, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
