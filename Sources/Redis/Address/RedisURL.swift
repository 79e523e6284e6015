import Encodings

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
