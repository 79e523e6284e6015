public import Encodings

/// A receipt as received from a gateway, not yet verified.
public struct ReceiptRequest: Sendable, Confidential {
    /// The whole URL, including the query, as configured at the gateway: with the public scheme and host, not those
    /// behind a reverse proxy.
    public let url: String
    /// Returns the value of a header field by its lowercase name; nil if the field is absent.
    public let header: @Sendable (_ name: String) -> String?
    /// The whole body; empty for a GET request.
    public let body: [UInt8]

    /// Creates a receipt request.
    public init(url: String, body: [UInt8], header: @escaping @Sendable (_ name: String) -> String?) {
        self.url = url
        self.body = body
        self.header = header
    }

    /// The part of the URL after the first `?`.
    var query: Substring {
        url.firstIndex(of: "?").map { url[url.index(after: $0)...] } ?? ""
    }
}
