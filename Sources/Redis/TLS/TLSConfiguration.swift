public import Encodings

/// The TLS configuration of connections to Redis.
public struct TLSConfiguration: Hashable, Sendable, Confidential {
    /// A client certificate, with its private key.
    public struct Identity: Hashable, Sendable, Confidential {
        let certificates: String
        let privateKey: String

        /// Creates an identity.
        ///
        /// - Parameters:
        ///   - certificates: PEM; the client's certificate first, then its issuers.
        ///   - privateKey: PEM, unencrypted; the key of the first certificate.
        public init(certificates: String, privateKey: String) {
            self.certificates = certificates
            self.privateKey = privateKey
        }
    }

    /// The certificate authorities to trust, in PEM; nil for the system's.
    public var authorities: String?
    /// The client certificate; nil for none.
    public var identity: Identity?
    /// The host name or IP address that servers' certificates must contain; nil for the host of each address.
    public var serverName: String?

    /// Creates a configuration.
    public init(authorities: String? = nil, identity: Identity? = nil, serverName: String? = nil) {
        self.authorities = authorities
        self.identity = identity
        self.serverName = serverName
    }
}

/// The reason why a ``TLSConfiguration`` cannot be used. No case contains a secret.
public enum TLSFault: Error, Equatable {
    /// The certificate authorities are not certificates in PEM.
    case authorities
    /// The client's certificates are not in PEM, or too weak. Contains libssl's reason.
    case certificates(String)
    /// The private key is not an unencrypted private key in PEM, or does not belong to the certificate.
    case privateKey
    /// Memory is exhausted.
    case library
}
