public import Encodings

/// A proxy that opens tunnels for TLS (RFC 9110 § 9.3.6). It sees the names of the servers and nothing of what is said
/// to them.
public struct HTTPProxy: Sendable, Confidential {
    /// The user name and the password that the proxy asks for (RFC 7617).
    public struct Credentials: Sendable, Confidential {
        let user: String
        let password: String

        /// Takes credentials; nil if the user name is empty or has a colon, or one of the two has control characters.
        public init?(user: String, password: String) {
            guard !user.isEmpty, !user.contains(":"),
                (user + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            self.user = user
            self.password = password
        }
    }

    /// `http://host:port`
    let url: String
    let credentials: Credentials?

    /// Reads `http://host:port`; nil for any other form. The port is required, because programs differ in the one that
    /// they take for granted.
    public init?(_ url: String, credentials: Credentials? = nil) {
        let scheme = "http://"
        guard url.hasPrefix(scheme) else { return nil }
        let address = url.dropFirst(scheme.count)
        guard !address.contains("/"), !address.contains("?"), (try? ServiceURL("https://" + address)) != nil,
            let colon = address.lastIndex(of: ":"), UInt16(address[address.index(after: colon)...]) != nil
        else { return nil }
        self.url = url
        self.credentials = credentials
    }
}
