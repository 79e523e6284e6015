/// Why a text is not the URL of a service.
public enum ServiceURLError: Error, Equatable {
    /// It is not a scheme, a host and perhaps a port, a path and a query (RFC 3986 § 3).
    case malformed
    /// It is not https, and not one to which plain http is allowed.
    case notHTTPS
}

/// Where a service listens that is asked for something: https, without user information or fragment. Printed it shows no more
/// than scheme and host: operators put tokens behind them.
public struct ServiceURL: Hashable, Sendable, Confidential {
    /// The whole URL, 2048 bytes at most.
    public let text: String

    /// Takes a URL with the scheme `https`.
    ///
    /// - Parameters:
    ///   - text: the URL.
    ///   - allowsPlainLoopback: whether it may also be `http` where its host is a loopback address: what goes there stays on
    ///     the machine. A name is no address, not even `localhost`: what it stands for is decided elsewhere.
    /// - Throws: ``ServiceURLError``.
    public init(_ text: String, allowsPlainLoopback: Bool = false) throws(ServiceURLError) {
        let isPlain = text.hasPrefix("http://")
        guard isPlain || text.hasPrefix("https://"), text.utf8.count <= 2048 else { throw .malformed }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}".utf8.contains($0) }) else {
            throw .malformed
        }
        guard let host = Self.host(Self.authority(of: text)) else { throw .malformed }
        guard !isPlain || (allowsPlainLoopback && Self.isLoopback(host)) else { throw .notHTTPS }
        self.text = text
    }

    /// Scheme, host and port.
    public var description: String { Self.origin(of: text) }

    /// Scheme, host and port of a URL.
    public static func origin(of url: String) -> String {
        url.prefix { $0 != "/" } + "//" + authority(of: url)
    }

    private static func authority(of url: String) -> Substring {
        url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    }

    /// The host of `host`, `host:port`, `[address]` or `[address]:port`; nil for anything else.
    private static func host(_ authority: Substring) -> Substring? {
        var host = authority
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            let port = host[host.index(after: colon)...]
            guard port.isASCIIDigits, let number = UInt16(port), number > 0 else { return nil }
            host = host[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = host.dropFirst().dropLast()
            return !address.isEmpty && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } ? host : nil
        }
        let isName = host.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
        return !host.isEmpty && isName ? host : nil
    }

    /// RFC 1122 § 3.2.1.3 and RFC 4291 § 2.5.3.
    private static func isLoopback(_ host: Substring) -> Bool {
        if host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { $0.isASCIIDigits && UInt8($0) != nil }
    }
}
