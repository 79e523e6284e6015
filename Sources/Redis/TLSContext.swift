internal import CTLS
public import Cryptography
public import Encodings

/// TLS 1.2 or later for connections to Redis: trust, client certificate, and verification of servers.
///
/// Create one per process and share it, because it holds the certificates in memory.
///
/// `@unchecked Sendable`: nothing changes the `SSL_CTX` after `init`, and libssl counts its references atomically.
public final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    private let serverName: String?

    /// Creates a context.
    /// - Throws: ``TLSFault``
    public init(_ configuration: TLSConfiguration) throws(TLSFault) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let pointer = ctls_new_context() else { throw .library }
        self.pointer = pointer
        serverName = configuration.serverName
        if let authorities = configuration.authorities {
            guard let chain = CertificateChain(pem: authorities), Self.pass(chain.pem, { ctls_trust(pointer, $0, $1) })
            else { throw .authorities }
        } else {
            guard SSL_CTX_set_default_verify_paths(pointer) == 1 else { throw .library }
        }
        guard let identity = configuration.identity else { return }
        guard let chain = CertificateChain(pem: identity.certificates) else {
            throw .certificates("not PEM certificates")
        }
        guard Self.pass(chain.pem, { ctls_use_certificates(pointer, $0, $1) }) else {
            throw .certificates(libraryReason())
        }
        guard chain.matches(privateKey: identity.privateKey) == true,
            Self.pass(identity.privateKey, { ctls_use_key(pointer, $0, $1) })
        else { throw .privateKey }
    }

    deinit { SSL_CTX_free(pointer) }

    /// Returns the name that the certificate of a host must contain.
    func name(for host: String) -> String { serverName ?? host }

    private static func pass(_ text: String, _ body: (UnsafeRawPointer?, Int32) -> Int32) -> Bool {
        Array(text.utf8).withUnsafeBytes { bytes in
            Int32(exactly: bytes.count).map { body(bytes.baseAddress, $0) == 1 } ?? false
        }
    }
}

/// Returns libssl's text about the last error of this thread.
func libraryReason() -> String {
    ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "unknown error of libssl"
}

/// The TLS configuration of connections to Redis.
public struct TLSConfiguration: Hashable, Sendable, Confidential {
    /// The certificate authorities to trust, in PEM; nil for the system's.
    public var authorities: String?
    /// The client certificate; nil for none.
    public var identity: TLSIdentity?
    /// The host name or IP address that servers' certificates must contain; nil for the host of each address.
    public var serverName: String?

    /// Creates a configuration.
    public init(authorities: String? = nil, identity: TLSIdentity? = nil, serverName: String? = nil) {
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
