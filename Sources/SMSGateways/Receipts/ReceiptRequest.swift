public import Encodings

/// A receipt as a gateway brought it, before anything in it is believed.
public struct ReceiptRequest: Sendable, Confidential {
    /// The whole URL, query included, as the gateway was told it: with the public scheme and host, not those behind a proxy.
    public let url: String
    /// The value of a header field by its name, in lower case; nil where there is none.
    public let header: @Sendable (_ name: String) -> String?
    /// The whole body; empty for a GET request.
    public let body: [UInt8]

    /// Describes a receipt.
    public init(url: String, body: [UInt8], header: @escaping @Sendable (_ name: String) -> String?) {
        self.url = url
        self.body = body
        self.header = header
    }

    /// What stands after the first `?`.
    var query: Substring {
        url.firstIndex(of: "?").map { url[url.index(after: $0)...] } ?? ""
    }
}
