public import Encodings

/// A request to an external server.
public struct HTTPRequest: Sendable, Confidential {
    /// The request method (RFC 9110 § 9.3).
    public enum Method: Sendable {
        /// GET, without a body.
        case get
        /// POST, with a body.
        case post
    }

    /// The request method.
    public let method: Method
    /// An absolute URL with the scheme `https` or `http`.
    public let url: String
    /// The header fields except `Host` and `Content-Length`. No others are added.
    public var headers: HTTPHeaderFields
    /// The body of a POST request.
    public let body: [UInt8]

    /// Creates a GET request.
    public init(url: String, headers: HTTPHeaderFields = [:]) {
        (method, self.url, self.headers, body) = (.get, url, headers, [])
    }

    /// Creates a POST request.
    public init(postingTo url: String, headers: HTTPHeaderFields = [:], body: [UInt8]) {
        (method, self.url, self.headers, self.body) = (.post, url, headers, body)
    }
}

/// The header fields of a request or a response, in order.
public struct HTTPHeaderFields: Sendable, Confidential, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list from a dictionary literal.
    public init(dictionaryLiteral fields: (String, String)...) {
        for (name, value) in fields { add(name: name, value: value) }
    }

    /// Appends a field.
    public mutating func add(name: String, value: String) {
        fields.append((name, value))
    }

    /// Returns the value of the first field with this name. Names are case-insensitive (RFC 9110 § 5.1).
    public func first(name: String) -> String? {
        let wanted = name.lowercased()
        return fields.first { $0.name.lowercased() == wanted }?.value
    }
}
