public import Encodings

/// A request to a server of somebody else's.
public struct HTTPRequest: Sendable, Confidential {
    /// What is asked for (RFC 9110 § 9.3).
    public enum Method: Sendable {
        /// Reads; the request has no body.
        case get
        /// Has the server process the body.
        case post
    }

    /// What is asked for.
    public let method: Method
    /// An absolute URL with the scheme `https` or `http`.
    public let url: String
    /// The header fields besides `Host` and `Content-Length`. No others are added.
    public var headers: HTTPHeaderFields
    /// The content of a POST request.
    public let body: [UInt8]

    /// A GET request.
    public init(url: String, headers: HTTPHeaderFields = [:]) {
        (method, self.url, self.headers, body) = (.get, url, headers, [])
    }

    /// A POST request.
    public init(postingTo url: String, headers: HTTPHeaderFields = [:], body: [UInt8]) {
        (method, self.url, self.headers, self.body) = (.post, url, headers, body)
    }
}
