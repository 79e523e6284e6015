internal import Encodings

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
        // If a URL equals its own origin, it has no path.
        guard let service = try? ServiceURL(url), service.description == url,
            let address = HostAndPort(url.dropFirst("https://".count))
        else { return nil }
        let host = address.isBracketed ? "[\(address.host)]" : String(address.host)
        self.init(host: host, port: address.port ?? 443)
    }

    /// `https://host`, with the port unless it is 443.
    public var description: String { port == 443 ? "https://\(host)" : "https://\(host):\(port)" }
}
