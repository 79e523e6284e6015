/// How a client connects to servers, and whom it trusts.
///
/// At least TLS 1.2 is spoken, no redirect is followed, and no environment variable is read. A redirect, or a proxy
/// that nobody configured, would carry credentials to where nobody configured them to go.
public struct HTTPClientConfiguration: Sendable {
    /// Which versions of HTTP a client offers.
    public enum Version: Sendable {
        /// HTTP/1.1. A request that is given up closes its connection, so a dead connection harms no second request.
        case http1
        /// HTTP/2 over TLS, on one connection for each host with up to 100 requests in flight. A request that is
        /// given up resets its stream. A server that does not speak HTTP/2 gets HTTP/1.1.
        ///
        /// libcurl 7.88 also resets streams that have ended (`RST_STREAM` with `STREAM_CLOSED`). A server that counts
        /// this as an error may close the connection after some hundred requests; SwiftNIO's does after 200.
        case http2
    }

    /// Which versions are offered.
    public var version = Version.http1
    /// The certificate for servers that ask for one.
    public var identity: TLSIdentity?
    /// How long a connection may take to be made: the look-up of the name and the TLS handshake included.
    public var connectDeadline: Duration = .seconds(10)
    /// How long a connection without work is kept, in whole seconds, at least one.
    public var maximumIdleTime: Duration = .seconds(60)
    /// How many connections a host may have with HTTP/1.1; further requests wait for one within their deadline.
    public var maximumConnectionsPerHost = 8
    /// Through which proxy `https` URLs are reached; nil for none.
    public var proxy: HTTPProxy?
    /// PEM; nil for those that the system trusts.
    let trustedCertificates: String?

    /// Trusts the authorities that the system trusts.
    public init() {
        trustedCertificates = nil
    }

    /// Trusts these authorities.
    /// - Throws: ``UnreadableTrustRoots``
    public init(trusting trustRoots: TrustRoots) throws(UnreadableTrustRoots) {
        trustedCertificates = try trustRoots.read()
    }
}
