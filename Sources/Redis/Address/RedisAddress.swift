public import Encodings
internal import Glibc

/// The address of a Redis as operators write it, including credentials.
///
/// | form | meaning |
/// |---|---|
/// | `redis://[user[:password]@]host[:port][,host[:port]…][/database]` | TCP, port 6379 by default |
/// | `rediss://…` | the same with TLS |
/// | `redis+sentinel://[user:password@]host[:port][,…]/master[/database]` | the master that Sentinels know, port 26379 |
/// | `rediss+sentinel://…` | the same with TLS to the Sentinels and to the master |
/// | `redis+cluster://[user:password@]host[:port][,…]` | the cluster to which the nodes belong |
/// | `rediss+cluster://…` | the same with TLS to all nodes |
/// | `tcp:host:port[,tcp:host:port…]` | TCP |
/// | `unix:/path[,unix:/path…]` | Unix sockets |
///
/// The user and the password are for Redis, not for the Sentinels; they are percent-encoded (RFC 3986 § 3.2.1). If
/// there are several servers, the first one that is reachable and not a replica is used. Any reachable node of a
/// cluster reports the other nodes. The description does not contain the password.
public struct RedisAddress: Sendable, Hashable, Confidential {
    /// The servers, at least one.
    public let servers: ServerList
    /// Whether connections use TLS.
    public let usesTLS: Bool
    /// The ACL user; nil if the address has none.
    public let user: String?
    /// The password; nil if the address has none.
    public let password: String?
    /// The number of the database; nil if the address has none.
    public let database: Int?

    /// The longest address, in bytes.
    static let maxBytes = 4096

    /// Parses an address.
    /// - Throws: ``RedisAddressFault``
    public init(_ text: String) throws(RedisAddressFault) {
        guard text.utf8.count <= Self.maxBytes else { throw .because("longer than \(Self.maxBytes) bytes") }
        if let url = try RedisURL(text) {
            self = try url.address()
        } else {
            self.init(servers: try ServerList(Self.endpoints(text)))
        }
    }

    init(
        servers: ServerList,
        usesTLS: Bool = false,
        user: String? = nil,
        password: String? = nil,
        database: Int? = nil
    ) {
        self.servers = servers
        self.usesTLS = usesTLS
        self.user = user
        self.password = password
        self.database = database
    }

    /// The servers, without user and password.
    public var description: String { servers.description }

    /// Returns whether a text is a host name or an IP address, without a port; an IPv6 address has no brackets.
    public static func isHost(_ text: String) -> Bool {
        guard !text.hasPrefix("["), let host = HostAndPort(text.contains(":") ? "[\(text)]" : text[...]) else {
            return false
        }
        return isHost(host)
    }

    static func isHost(_ address: HostAndPort) -> Bool {
        if address.isBracketed {
            var bytes = in6_addr()
            return inet_pton(AF_INET6, String(address.host), &bytes) == 1
        }
        return address.host.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
    }

    /// Parses endpoints that are separated by commas. A path may contain a comma, unless another endpoint follows it.
    private static func endpoints(_ text: String) throws(RedisAddressFault) -> [Endpoint] {
        var items: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let start = part.drop { $0 == " " }
            if items.isEmpty {
                items.append(String(part))
            } else if start.hasPrefix("unix:/") || start.hasPrefix("tcp:") {
                items.append(String(start))
            } else {
                items[items.count - 1] += ",\(part)"
            }
        }
        var endpoints: [Endpoint] = []
        for item in items {
            guard let endpoint = Endpoint(item) else { throw .unknownForm }
            endpoints.append(endpoint)
        }
        return endpoints
    }
}

/// The reason why a text is not the address of a Redis. No case contains any part of the text.
public enum RedisAddressFault: Error, Equatable {
    /// The text has none of the forms of ``RedisAddress``.
    case unknownForm
    /// The text starts like a URL, but has this fault.
    case because(String)
}
