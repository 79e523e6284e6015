/// Why a text is not a valid service URL.
public enum ServiceURLError: Error, Equatable {
    /// The text does not consist of a scheme, a host and optionally a port, a path and a query (RFC 3986 § 3).
    case malformed
    /// The scheme is not `https`, and plain `http` is not allowed for this URL.
    case notHTTPS
}

/// The URL of an external service: https, without user information or fragment. The description shows only scheme, host
/// and port, because operators put tokens in paths and queries.
public struct ServiceURL: Hashable, Sendable, Confidential {
    /// The whole URL, at most 2048 bytes.
    public let text: String

    /// Validates a URL with the scheme `https`.
    ///
    /// - Parameters:
    ///   - text: the URL.
    ///   - allowsPlainLoopback: whether `http` is also allowed if the host is a loopback address, because that traffic
    ///     stays on the machine. Host names are not accepted with `http`, not even `localhost`, because name resolution
    ///     decides where they point.
    /// - Throws: ``ServiceURLError``.
    public init(_ text: String, allowsPlainLoopback: Bool = false) throws(ServiceURLError) {
        let isPlain = text.hasPrefix("http://")
        guard isPlain || text.hasPrefix("https://"), text.utf8.count <= 2048 else { throw .malformed }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}".utf8.contains($0) }) else {
            throw .malformed
        }
        guard let address = Self.hostAndPort(Self.authority(of: text)) else { throw .malformed }
        guard !isPlain || (allowsPlainLoopback && Self.isLoopback(address)) else { throw .notHTTPS }
        self.text = text
    }

    /// Scheme, host and port.
    public var description: String { Self.origin(of: text) }

    /// Returns the scheme, host and port of a URL.
    public static func origin(of url: String) -> String {
        url.prefix { $0 != "/" } + "//" + authority(of: url)
    }

    private static func authority(of url: String) -> Substring {
        url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    }

    /// Returns the host and port if both are valid in a URL.
    private static func hostAndPort(_ authority: Substring) -> HostAndPort? {
        guard let address = HostAndPort(authority), address.port != 0 else { return nil }
        let marks = address.isBracketed ? ":." : "-._"
        let isValid = address.host.utf8.allSatisfy { byte in
            marks.utf8.contains(byte)
                || (address.isBracketed ? byte.hexDigitValue != nil : byte.isASCIILetter || byte.isASCIIDigit)
        }
        return isValid ? address : nil
    }

    /// Returns whether the host is a loopback address (RFC 1122 § 3.2.1.3, RFC 4291 § 2.5.3).
    private static func isLoopback(_ address: HostAndPort) -> Bool {
        if address.isBracketed { return address.host == "::1" }
        let parts = address.host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { $0.isASCIIDigits && UInt8($0) != nil }
    }
}

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
