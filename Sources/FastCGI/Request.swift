/// One FastCGI request: its parameters and its whole body.
///
/// The parameters are in libfcgi's memory, so a request can be neither copied nor kept.
public struct Request: ~Copyable {
    private let parameters: ParameterIndex

    /// The body, read before the handler runs.
    public let body: Body

    init(parameters: ParameterIndex, body: Body) {
        self.parameters = parameters
        self.body = body
    }

    /// Whether the parameters are within ``ServerConfiguration/maxParameters`` and
    /// ``ServerConfiguration/maxParameterBytes``. If not, every parameter reads as absent.
    public var parametersWithinLimits: Bool { parameters.isWithinLimits }

    /// Returns the value of a parameter such as `REQUEST_METHOD`; nil if it is absent or not UTF-8.
    ///
    /// If a name is repeated, the first parameter counts.
    public borrowing func parameter(_ name: StaticString) -> String? {
        guard let bytes = parameters.value(of: name), let text = try? UTF8Span(validating: bytes.span) else {
            return nil
        }
        return String(copying: text)
    }

    /// Returns the bytes of a parameter, even if they are not UTF-8; nil if it is absent.
    public borrowing func bytes(of name: StaticString) -> [UInt8]? {
        parameters.value(of: name).map { Array($0) }
    }
}

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

/// A handler of requests.
///
/// A server creates one handler per thread and uses it on that thread only, so a handler may keep connections and
/// buffers without locks.
public protocol RequestHandler {
    /// Returns the response to a request. The request is invalid once this method returns.
    mutating func respond(to request: borrowing Request) -> Response
}

extension Request {
    /// The body of a request.
    public enum Body: Sendable, Hashable {
        /// The whole body; empty if the request has none.
        case bytes([UInt8])
        /// The body exceeds ``ServerConfiguration/maxBodyBytes``. It was not read, and the connection closes after the
        /// response.
        case tooLarge
        /// The body's length differs from `CONTENT_LENGTH`.
        case incomplete
    }
}
