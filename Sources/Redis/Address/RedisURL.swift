import Encodings

/// The parts of a URL of one or several Redis servers (RFC 3986 § 3), still encoded.
struct RedisURL {
    /// The schemes, each with its use of TLS.
    private static let schemes = [("redis://", false), ("rediss://", true)]

    private let usesTLS: Bool
    private let userInformation: Substring?
    private let hosts: Substring
    private let path: Substring

    /// Splits a URL. Returns nil if the text has none of the schemes.
    init?(_ text: String) throws(RedisAddressFault) {
        guard let (scheme, usesTLS) = Self.schemes.first(where: { text.hasPrefix($0.0) }) else { return nil }
        self.usesTLS = usesTLS
        let rest = text.dropFirst(scheme.count)
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .because("spaces, control characters and letters outside ASCII must be percent-encoded")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw .because("it has no parameters; in a password, write ? and # as %3F and %23")
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
        return RedisAddress(
            servers: try ServerList(endpoints()),
            usesTLS: usesTLS,
            user: user,
            password: password,
            database: try database()
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
                throw .because("a host is not a name, an IPv4 address or an [IPv6 address], each with or without :port")
            }
            endpoints.append(.tcp(host: String(address.host), port: address.port ?? Endpoint.defaultPort))
        }
        return endpoints
    }

    private func database() throws(RedisAddressFault) -> Int? {
        if path.isEmpty { return nil }
        guard path.isASCIIDigits, let number = UInt16(path) else {
            throw .because("the path is not the number of a database, such as /0")
        }
        return Int(number)
    }
}
