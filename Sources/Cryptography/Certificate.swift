internal import COpenSSL
public import Encodings
internal import Glibc

/// An X.509 certificate (RFC 5280), version 3.
public struct Certificate: Sendable {
    /// The certificate in PEM.
    public let pem: String

    /// A private key that signs certificates, or whose public key a certificate certifies.
    public enum PrivateKey: Sendable {
        case rsa(RSAPrivateKey)
        case p256(P256PrivateKey)

        fileprivate var key: OpaquePointer {
            switch self {
            case .rsa(let key): key.signer.pointer
            case .p256(let key): key.signer.pointer
            }
        }
    }

    /// An X.509 extension, with its value in the syntax of OpenSSL's `x509v3_config(5)`.
    public struct Extension: Sendable {
        fileprivate let name: String
        fileprivate let value: String

        /// Creates an extension such as `("keyUsage", "critical,digitalSignature")`.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates and signs a certificate.
    ///
    /// - Parameters:
    ///   - subject: the subject's common name.
    ///   - key: the key whose public half is certified.
    ///   - issuer: the issuer's common name and key; nil for a self-signed certificate.
    ///   - validity: the validity period, in seconds since the Unix epoch.
    ///   - serialNumber: 1 to 20 bytes, unique per issuer; the first byte is below 128.
    ///   - extensions: the extensions, in order.
    /// - Throws: ``CryptographyFailure``, also if libcrypto cannot parse an extension.
    public init(
        subject: String,
        key: PrivateKey,
        issuer: (commonName: String, key: PrivateKey)? = nil,
        validity: ClosedRange<Int64>,
        serialNumber: [UInt8],
        extensions: [Extension]
    ) throws(CryptographyFailure) {
        let certificate = try made(X509_new())
        defer { X509_free(certificate) }
        try check(X509_set_version(certificate, 2))
        let serial = try made(BN_bin2bn(serialNumber, Int32(serialNumber.count), nil))
        defer { BN_free(serial) }
        _ = try made(BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)))
        _ = try made(ASN1_TIME_set(X509_getm_notBefore(certificate), Int(validity.lowerBound)))
        _ = try made(ASN1_TIME_set(X509_getm_notAfter(certificate), Int(validity.upperBound)))
        try Self.setCommonName(subject, X509_get_subject_name(certificate))
        try Self.setCommonName(issuer?.commonName ?? subject, X509_get_issuer_name(certificate))
        try check(X509_set_pubkey(certificate, key.key))
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
        for part in extensions {
            let new = try made(X509V3_EXT_conf(nil, &context, part.name, part.value))
            defer { X509_EXTENSION_free(new) }
            try check(X509_add_ext(certificate, new, -1))
        }
        guard X509_sign(certificate, (issuer?.key ?? key).key, Algorithms.sha256) > 0 else {
            throw CryptographyFailure()
        }
        pem = try text { PEM_write_bio_X509($0, certificate) }
    }

    private static func setCommonName(_ name: String, _ entry: OpaquePointer?) throws(CryptographyFailure) {
        let bytes = Array(name.utf8)
        try check(X509_NAME_add_entry_by_txt(entry, "CN", MBSTRING_FLAG | 1, bytes, Int32(bytes.count), -1, 0))
    }
}

/// A certificate chain from a PEM text.
public struct CertificateChain: Hashable, Sendable {
    /// The certificates in PEM, without the text's other content.
    public let pem: String
    /// The expiry (`notAfter`) of the first certificate.
    public let expiresAt: Instant

    /// Parses all certificates of a text. Other PEM objects, such as keys, are skipped.
    ///
    /// - Returns: nil if the text has no certificate or a malformed one.
    public init?(pem: String) {
        var all = ""
        var end: Instant?
        let isWhole = Self.withCertificates(of: pem) { certificate in
            guard let own = try? text({ PEM_write_bio_X509($0, certificate) }) else { return false }
            all += own
            end = end ?? Self.end(of: certificate)
            return true
        }
        guard isWhole, let end else { return nil }
        self.pem = all
        expiresAt = end
    }

    /// Returns whether a private key (PEM) belongs to the first certificate. Returns nil if the text contains no
    /// unencrypted private key.
    public func matches(privateKey pem: String) -> Bool? {
        defer { ERR_clear_error() }
        let bytes = Array(pem.utf8)
        guard let key = copenssl_read_private_key(bytes, bytes.count).map(Key.init) else { return nil }
        var isMatch = false
        _ = Self.withCertificates(of: self.pem) { certificate in
            isMatch = X509_check_private_key(certificate, key.pointer) == 1
            return false
        }
        return isMatch
    }

    /// Calls `body` with each certificate until it returns false. Returns whether the whole text was read.
    fileprivate static func withCertificates(of pem: String, _ body: (OpaquePointer) -> Bool) -> Bool {
        defer { ERR_clear_error() }
        ERR_clear_error()
        return Array(pem.utf8).withUnsafeBytes { bytes in
            guard let count = Int32(exactly: bytes.count), let source = BIO_new_mem_buf(bytes.baseAddress, count) else {
                return false
            }
            defer { BIO_free(source) }
            while let certificate = copenssl_read_certificate(source) {
                defer { X509_free(certificate) }
                guard body(certificate) else { return false }
            }
            return copenssl_is_end_of_pem() != 0
        }
    }

    private static func end(of certificate: OpaquePointer) -> Instant? {
        var time = tm()
        guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1 else { return nil }
        return Instant(
            year: Int(time.tm_year) + 1900,
            month: Int(time.tm_mon) + 1,
            day: Int(time.tm_mday),
            hour: Int(time.tm_hour),
            minute: Int(time.tm_min),
            second: Int(time.tm_sec)
        )
    }
}

extension RSAPublicKey {
    /// Returns the key of the first X.509 certificate of a text in PEM; nil if there is none, or if its key is not RSA.
    public init?(certificate pem: String) {
        var key: RSAPublicKey?
        _ = CertificateChain.withCertificates(of: pem) { certificate in
            key = X509_get_pubkey(certificate).flatMap { try? RSAPublicKey(Key($0)) }
            return false
        }
        guard let key else { return nil }
        self = key
    }
}
