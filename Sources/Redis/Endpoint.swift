internal import Encodings

/// The address of a Redis server.
public enum Endpoint: Sendable, Hashable {
    /// A Unix socket, by its path.
    case unix(path: String)
    /// A TCP port of a host, which is a name or an address (IPv6 without brackets).
    case tcp(host: String, port: UInt16)

    /// Redis's default port.
    static let defaultPort: UInt16 = 6379

    /// Redis Sentinel's default port.
    static let defaultSentinelPort: UInt16 = 26_379

    /// The longest path of a Unix socket, in bytes. The system would truncate a longer path and connect to another
    /// socket.
    static let maxPathBytes = 107

    /// Parses `unix:/path`, `tcp:host:port` or `tcp:[address]:port`.
    ///
    /// - Returns: nil if the text is none of these, or the path is relative or longer than 107 bytes.
    public init?(_ text: String) {
        if text.hasPrefix("unix:/") {
            let path = String(text.dropFirst(5))
            guard path.utf8.count <= Self.maxPathBytes, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
        } else if text.hasPrefix("tcp:") {
            guard let address = HostAndPort(text.dropFirst(4)), let port = address.port, port > 0 else { return nil }
            self = .tcp(host: String(address.host), port: port)
        } else {
            return nil
        }
    }

    /// Creates the endpoint that a server reports; nil if it is invalid.
    init?(host: String, port: String) {
        guard RedisAddress.isHost(host), port.isASCIIDigits, let port = UInt16(port), port > 0 else { return nil }
        self = .tcp(host: host, port: port)
    }

    /// Whether the endpoint is certainly on this machine: a Unix socket or a loopback address.
    public var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _): host == "localhost" || host == "::1" || host.isLoopbackIPv4
        }
    }
}

extension String {
    /// Whether this is an address in 127.0.0.0/8 (RFC 1122 § 3.2.1.3), and not a host name that starts like one.
    fileprivate var isLoopbackIPv4: Bool {
        hasPrefix("127.") && utf8.allSatisfy(Set("0123456789.".utf8).contains)
    }
}

extension Endpoint: CustomStringConvertible {
    /// The form that ``init(_:)`` reads.
    public var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .tcp(let host, let port): host.contains(":") ? "tcp:[\(host)]:\(port)" : "tcp:\(host):\(port)"
        }
    }
}

/// The servers of a Redis, in the order in which they are tried; or the Sentinels that know the master; or some nodes
/// of a cluster, which know the others.
public struct ServerList: Sendable, Hashable, CustomStringConvertible {
    /// The endpoints, at least one.
    public let endpoints: [Endpoint]

    /// The name of the master that the servers know, if they are Sentinels; nil if they are Redis servers themselves.
    public let masterName: String?

    /// Whether the servers are nodes of a Redis Cluster. Any of them reports the others.
    public let isCluster: Bool

    /// The maximum number of endpoints.
    static let maxEndpoints = 16

    init(_ endpoints: [Endpoint], masterName: String? = nil, isCluster: Bool = false) throws(RedisAddressFault) {
        guard !endpoints.isEmpty else { throw .unknownForm }
        guard endpoints.count <= Self.maxEndpoints else { throw .because("more than \(Self.maxEndpoints) servers") }
        self.endpoints = endpoints
        self.masterName = masterName
        self.isCluster = isCluster
    }

    /// Creates a list of one server.
    public init(_ endpoint: Endpoint) {
        endpoints = [endpoint]
        masterName = nil
        isCluster = false
    }

    /// Whether all servers are certainly on this machine. False for Sentinels and for nodes of a cluster, because they
    /// may report servers on other machines.
    public var isLocal: Bool { masterName == nil && !isCluster && endpoints.allSatisfy(\.isLocal) }

    /// The endpoints, and the name of the master.
    public var description: String {
        let list = endpoints.map(\.description).joined(separator: ",")
        if isCluster { return "Cluster \(list)" }
        return masterName.map { "Sentinel \(list), master \($0)" } ?? list
    }
}
