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
