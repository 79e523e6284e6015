internal import Cryptography

/// Who must have signed the servers' certificates.
public enum TrustRoots: Sendable {
    /// Those that the system trusts.
    case system
    /// Only these, in PEM.
    case certificates(pem: String)

    /// Returns the certificates in PEM; nil for those of the system.
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

/// The trusted certificates are not certificates in PEM.
public struct UnreadableTrustRoots: Error {
    init() {}
}
