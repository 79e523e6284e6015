import CFastCGI
import Glibc

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

/// An index of the parameters in libfcgi's memory, built in one pass.
struct ParameterIndex {
    private struct Entry {
        let name: UnsafeRawPointer
        let nameBytes: Int
        let valueBytes: Int
    }

    private var entries: [Entry] = []
    private(set) var isWithinLimits = true

    /// Rebuilds the index, reusing its storage.
    ///
    /// The limits bound the handler's work. They cannot bound libfcgi, which has already read the parameters. This is
    /// one more reason to let only the web server reach the socket.
    mutating func scan(_ parameters: FCGX_ParamArray, within limits: ServerConfiguration) {
        entries.removeAll(keepingCapacity: true)
        isWithinLimits = true
        var next = parameters + 1  // the first is libfcgi's own FCGI_ROLE
        var bytes = 0
        while let text = next.pointee {
            next += 1
            let length = strlen(text)
            guard let equals = memchr(text, Int32(UInt8(ascii: "=")), length) else { continue }
            bytes += length - 1
            guard entries.count < limits.maxParameters, bytes <= limits.maxParameterBytes else {
                entries.removeAll(keepingCapacity: true)
                isWithinLimits = false
                return
            }
            let nameBytes = UnsafeRawPointer(equals) - UnsafeRawPointer(text)
            entries.append(
                Entry(name: UnsafeRawPointer(text), nameBytes: nameBytes, valueBytes: length - nameBytes - 1)
            )
        }
    }

    func value(of name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        let nameBytes = name.utf8CodeUnitCount
        for entry in entries
        where entry.nameBytes == nameBytes && memcmp(entry.name, name.utf8Start, nameBytes) == 0 {
            let value = (entry.name + nameBytes + 1).assumingMemoryBound(to: UInt8.self)
            return UnsafeBufferPointer(start: value, count: entry.valueBytes)
        }
        return nil
    }
}
