/// The server of an environment: APNs itself, an operator's proxy in front of it, or a test double. Always TLS.
public struct PushOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A host name or an IP address; IPv6 addresses in brackets.
    public let host: String
    /// The TCP port.
    public let port: UInt16

    /// Creates an origin from a host and port.
    public init(host: String, port: UInt16 = 443) {
        self.host = host
        self.port = port
    }

    /// Parses `https://host` or `https://host:port`; nil for any other form, including a URL with a path.
    public init?(_ url: String) {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return nil }
        var host = url.dropFirst(scheme.count)
        var port: UInt16 = 443
        // The colons of an IPv6 address are inside its brackets.
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else { return nil }
            port = number
            host = host[..<colon]
        }
        let punctuation: Set<Character> = [".", "-", ":", "[", "]"]
        let isHost = host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || punctuation.contains($0)) }
        guard !host.isEmpty, isHost else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `https://host`, with the port unless it is 443.
    public var description: String { port == 443 ? "https://\(host)" : "https://\(host):\(port)" }
}
