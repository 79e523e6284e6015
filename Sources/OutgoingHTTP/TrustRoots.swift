internal import NIOSSL

/// Who must have signed the servers' certificates.
public enum TrustRoots: Sendable {
    /// Those that the system trusts.
    case system
    /// Only these, in PEM.
    case certificates(pem: String)

    /// Reads the certificates.
    func read() throws(UnreadableTrustRoots) -> NIOSSLTrustRoots {
        switch self {
        case .system:
            return .default
        case .certificates(let pem):
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
                throw UnreadableTrustRoots()
            }
            return .certificates(certificates)
        }
    }
}

/// The trusted certificates are not certificates in PEM.
public struct UnreadableTrustRoots: Error {}
