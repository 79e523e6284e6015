public import AsyncHTTPClient
internal import NIOSSL

extension HTTPClient.Configuration {
    /// What all our requests to others have in common: at least TLS 1.2, no redirect, no proxy.
    ///
    /// A redirect would carry credentials to where nobody configured them to go, and so would a proxy.
    ///
    /// - Parameter trustRoots: who must have signed the servers' certificates.
    /// - Returns: a configuration to add to.
    /// - Throws: ``UnreadableTrustRoots``
    public static func outgoing(trusting trustRoots: TrustRoots) throws(UnreadableTrustRoots) -> Self {
        outgoing(try trustRoots.read())
    }

    /// The same with the certificates that the system trusts.
    public static func outgoing() -> Self {
        outgoing(.default)
    }

    private static func outgoing(_ trustRoots: NIOSSLTrustRoots) -> Self {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.trustRoots = trustRoots
        var configuration = Self(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.proxy = nil
        return configuration
    }
}
