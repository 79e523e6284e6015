internal import Encodings

/// The host of the page, with the port if it is not the scheme's default.
public struct AuthDomain: Sendable, Hashable {
    /// Such as `auth.example.com` or `127.0.0.1:9099`.
    public let text: String

    /// Parses a host; nil if `text`, such as a request's `Host`, is not a host and port (RFC 3986 § 3.2).
    public init?(_ text: String) {
        let isHost = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-.:[]_".utf8.contains($0) }
        guard isHost, (1...261).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
