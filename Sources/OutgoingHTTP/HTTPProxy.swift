public import Encodings

/// An HTTP proxy that tunnels TLS with CONNECT (RFC 9110 § 9.3.6). The proxy sees the servers' names, but not the
/// content.
public struct HTTPProxy: Sendable, Confidential {
    /// The user name and password for the proxy (RFC 7617).
    public struct Credentials: Sendable, Confidential {
        let user: String
        let password: String

        /// Creates credentials; nil if the user name is empty or contains a colon, or if either contains control
        /// characters.
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

    /// Parses `http://host:port`; nil for any other form. The port is required, because programs differ in their
    /// default port.
    public init?(_ url: String, credentials: Credentials? = nil) {
        let scheme = "http://"
        guard url.hasPrefix(scheme) else { return nil }
        let address = url.dropFirst(scheme.count)
        guard !address.contains("/"), !address.contains("?"), (try? ServiceURL("https://" + address)) != nil,
            HostAndPort(address)?.port != nil
        else { return nil }
        self.url = url
        self.credentials = credentials
    }
}
