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

/// The parts of a URL that names one or several Redis servers (RFC 3986 § 3), still encoded.
struct RedisURL {
    /// A URL scheme.
    private struct Scheme {
        /// The kind of the hosts.
        enum Hosts { case servers, sentinels, nodesOfCluster }

        let text: String
        let usesTLS: Bool
        let hosts: Hosts

        static let all = [
            Scheme(text: "redis://", usesTLS: false, hosts: .servers),
            Scheme(text: "rediss://", usesTLS: true, hosts: .servers),
            Scheme(text: "redis+sentinel://", usesTLS: false, hosts: .sentinels),
            Scheme(text: "rediss+sentinel://", usesTLS: true, hosts: .sentinels),
            Scheme(text: "redis+cluster://", usesTLS: false, hosts: .nodesOfCluster),
            Scheme(text: "rediss+cluster://", usesTLS: true, hosts: .nodesOfCluster),
        ]
    }

    private let scheme: Scheme
    private let userInformation: Substring?
    private let hosts: Substring
    private let path: Substring

    /// Splits a URL. Returns nil if the text starts with none of the schemes.
    init?(_ text: String) throws(RedisAddressFault) {
        guard let scheme = Scheme.all.first(where: { text.hasPrefix($0.text) }) else { return nil }
        self.scheme = scheme
        let rest = text.dropFirst(scheme.text.count)
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .because("spaces, control characters and letters outside ASCII must be percent-encoded")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw .because("a query or fragment is not allowed; in a password, write ? and # as %3F and %23")
        }
        let authority = rest.prefix { $0 != "/" }
        path = rest[authority.endIndex...].dropFirst()
        guard !path.contains("@"), authority.count(where: { $0 == "@" }) <= 1 else {
            throw .because("in a password, write @ and / as %40 and %2F")
        }
        if let sign = authority.firstIndex(of: "@") {
            userInformation = authority[..<sign]
            hosts = authority[authority.index(after: sign)...]
        } else {
            userInformation = nil
            hosts = authority
        }
    }

    /// Decodes and validates the parts.
    func address() throws(RedisAddressFault) -> RedisAddress {
        let (user, password) = try credentials()
        let (masterName, number) = try scheme.hosts == .sentinels ? masterAndDatabase() : (nil, path)
        let isCluster = scheme.hosts == .nodesOfCluster
        let database = try Self.database(number)
        guard !isCluster || database ?? 0 == 0 else { throw .because("a cluster has only database 0") }
        return RedisAddress(
            servers: try ServerList(endpoints(), masterName: masterName, isCluster: isCluster),
            usesTLS: scheme.usesTLS,
            user: user,
            password: password,
            database: database
        )
    }

    private func credentials() throws(RedisAddressFault) -> (user: String?, password: String?) {
        guard let userInformation else { return (nil, nil) }
        let parts = userInformation.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = PercentEncoding.decode(parts[0]) else {
            throw .because("the user name is not percent-encoded UTF-8")
        }
        guard user.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .because("the user name contains a space or a control character")
        }
        guard parts.count == 2 else {
            guard !user.isEmpty else { throw .because("there is no user before the @") }
            return (user, nil)
        }
        guard let password = PercentEncoding.decode(parts[1]) else {
            throw .because("the password is not percent-encoded UTF-8")
        }
        guard !password.isEmpty else { throw .because("the password is empty") }
        return (user.isEmpty ? nil : user, password)
    }

    private func endpoints() throws(RedisAddressFault) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for item in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = HostAndPort(item), address.port != 0, RedisAddress.isHost(address) else {
                throw .because("each host must be a name, an IPv4 address or an [IPv6 address], with or without :port")
            }
            let port = scheme.hosts == .sentinels ? Endpoint.defaultSentinelPort : Endpoint.defaultPort
            endpoints.append(.tcp(host: String(address.host), port: address.port ?? port))
        }
        return endpoints
    }

    /// Splits `master-name[/database]`.
    private func masterAndDatabase() throws(RedisAddressFault) -> (String, Substring) {
        let name = path.prefix { $0 != "/" }
        let isName = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
        guard !name.isEmpty, isName else {
            throw .because("the path must be the name of a master: letters, digits, dashes, dots and underscores")
        }
        return (String(name), path[name.endIndex...].dropFirst())
    }

    private static func database(_ text: Substring) throws(RedisAddressFault) -> Int? {
        if text.isEmpty { return nil }
        guard text.isASCIIDigits, let number = UInt16(text) else {
            throw .because("the path must be the number of a database, such as /0")
        }
        return Int(number)
    }
}
