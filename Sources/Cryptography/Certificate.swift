internal import COpenSSL

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
