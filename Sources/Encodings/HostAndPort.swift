/// The parts of `host`, `host:port`, `[address]` or `[address]:port` (RFC 3986 § 3.2).
public struct HostAndPort: Hashable, Sendable {
    /// A name or an address; an IPv6 address without its brackets.
    public let host: Substring
    /// Whether the host is in brackets.
    public let isBracketed: Bool
    /// The port; nil if there is none.
    public let port: UInt16?

    /// Splits a text. Returns nil if the host is empty or has a colon outside brackets, or if the port is not a number.
    public init?(_ text: Substring) {
        var host = text
        var port: UInt16?
        if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), !text[colon...].utf8.contains(UInt8(ascii: "]")) {
            let digits = text[text.utf8.index(after: colon)...]
            // The standard library's parser also accepts a sign.
            guard digits.isASCIIDigits, let number = UInt16(digits) else { return nil }
            host = text[..<colon]
            port = number
        }
        isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, !host.utf8.contains(0) else { return nil }
        guard isBracketed || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
        self.host = host
        self.port = port
    }
}
