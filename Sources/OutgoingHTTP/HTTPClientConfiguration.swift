public import Cryptography
public import Encodings

/// The protocol version, timeouts, connection limits and trust roots of a client.
///
/// A client requires TLS 1.2 or later, follows no redirects and reads no environment variables. A redirect, or a proxy
/// from the environment, could send credentials to a host that is not configured (SSRF).
public struct HTTPClientConfiguration: Sendable {
    /// The HTTP version that a client offers.
    public enum Version: Sendable {
        /// HTTP/1.1. A cancelled request closes its connection, so a dead connection affects one request only.
        case http1
        /// HTTP/2 over TLS, on one connection per host with up to 100 concurrent requests. A cancelled request resets
        /// its stream. If a server does not support HTTP/2, the client falls back to HTTP/1.1.
        ///
        /// libcurl 7.88 also resets streams that have ended (`RST_STREAM` with `STREAM_CLOSED`). A server that counts
        /// this as an error may close the connection after some hundred requests; SwiftNIO's does after 200.
        case http2
    }

    /// The HTTP version that the client offers.
    public var version = Version.http1
    /// The client certificate for servers that request one (mutual TLS).
    public var identity: TLSIdentity?
    /// The connect timeout, including name resolution and the TLS handshake.
    public var connectDeadline: Duration = .seconds(10)
    /// How long an idle connection is kept: whole seconds, at least 1.
    public var maximumIdleTime: Duration = .seconds(60)
    /// The maximum number of HTTP/1.1 connections per host; further requests wait for a connection within their
    /// deadline.
    public var maximumConnectionsPerHost = 8
    /// The proxy for `https` URLs; nil for none.
    public var proxy: HTTPProxy?
    /// The trusted certificate authorities, in PEM; nil for those of the system.
    let trustedCertificates: String?

    /// Trusts the system's certificate authorities.
    public init() {
        trustedCertificates = nil
    }

    /// Trusts these certificate authorities.
    ///
    /// - Throws: ``UnreadableTrustRoots``
    public init(trusting trustRoots: TrustRoots) throws(UnreadableTrustRoots) {
        trustedCertificates = try trustRoots.read()
    }
}

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

/// The certificate authorities trusted for server certificates.
public enum TrustRoots: Sendable {
    /// The system's certificate authorities.
    case system
    /// Only these authorities, in PEM.
    case certificates(pem: String)

    /// Returns the certificates in PEM; nil for the system's authorities.
    func read() throws(UnreadableTrustRoots) -> String? {
        switch self {
        case .system:
            return nil
        case .certificates(let pem):
            guard let certificates = CertificateChain(pem: pem) else { throw UnreadableTrustRoots() }
            return certificates.pem
        }
    }
}

/// The error if trusted certificates are not valid PEM certificates.
public struct UnreadableTrustRoots: Error {
    init() {}
}
