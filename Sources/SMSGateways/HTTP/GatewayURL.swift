public import Encodings

/// Where a gateway listens, or where it is to send its receipts. Printed it shows no more than scheme and host: operators put tokens behind them.
public struct GatewayURL: Hashable, Sendable, Confidential {
    /// The whole URL.
    public let text: String

    /// Twilio's own server.
    public static let twilio = GatewayURL(known: "https://api.twilio.com")
    /// Vonage's own server.
    public static let vonage = GatewayURL(known: "https://rest.nexmo.com")

    private init(known text: String) {
        self.text = text
    }

    /// Takes a URL with the scheme `https`, without user information or fragment.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public init(_ text: String) throws(GatewayConfigurationError) {
        try self.init(text, isPlainAllowed: false)
    }

    /// Takes a URL as ``init(_:)`` does, and also one with `http` whose host is a loopback address: what goes there stays on the machine.
    ///
    /// A name is no address, not even `localhost`: what it stands for is decided elsewhere.
    ///
    /// - Throws: ``GatewayConfigurationError/malformedURL`` or ``GatewayConfigurationError/notHTTPS``
    public static func allowingLoopback(_ text: String) throws(GatewayConfigurationError) -> GatewayURL {
        try GatewayURL(text, isPlainAllowed: true)
    }

    private init(_ text: String, isPlainAllowed: Bool) throws(GatewayConfigurationError) {
        let isPlain = text.hasPrefix("http://")
        guard isPlain || text.hasPrefix("https://"), text.utf8.count <= 2048 else { throw .malformedURL }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}".utf8.contains($0) }) else {
            throw .malformedURL
        }
        let rest = text.dropFirst(isPlain ? 7 : 8)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let host = Self.host(authority) else { throw .malformedURL }
        guard !isPlain || (isPlainAllowed && Self.isLoopback(host)) else { throw .notHTTPS }
        self.text = text
    }

    /// Scheme, host and port.
    public var description: String {
        text.prefix { $0 != "/" } + "//" + authority
    }

    private var authority: Substring {
        text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    }

    /// This URL with a path behind its own.
    func appending(path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
    }

    /// This URL with a field more in its query.
    func appending(field name: String, _ value: String) -> String {
        "\(text)\(text.contains("?") ? "&" : "?")\(name)=\(PercentEncoding.encode(value))"
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
