internal import Cryptography

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
