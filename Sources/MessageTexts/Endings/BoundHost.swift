/// The host of the site to which a one-time code is bound (WebOTP): an ASCII domain name in lower case, without scheme
/// or port.
///
/// Browsers make it an `https` origin with the default port (WICG, "Origin-bound one-time codes delivered via SMS", §
/// Parsing), so a port is not allowed.
public struct BoundHost: Sendable, Hashable {
    /// The host, such as `example.com`; an internationalized name in its `xn--` form.
    public let text: String

    /// Lower-cases a host name. Returns nil if `text` is not a host name of letters, digits and hyphens (RFC 1123 §
    /// 2.1) or is an IPv4 address.
    public init?(_ text: String) {
        // Some non-ASCII letters lower-case to ASCII, such as the Kelvin sign.
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let lowered = text.lowercased()
        let labels = lowered.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(Self.isLabel) else { return nil }
        // A last label of digits makes a URL's host an IPv4 address or invalid (WHATWG URL § 3.5).
        guard let last = labels.last, !last.allSatisfy(Self.isDigit) else { return nil }
        self.text = lowered
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == hyphen }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
