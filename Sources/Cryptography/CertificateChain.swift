internal import COpenSSL
public import Encodings
internal import Glibc

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
        guard let key = copenssl_read_key(nil, 1, bytes, bytes.count).map(Key.init) else { return nil }
        var isMatch = false
        _ = Self.withCertificates(of: self.pem) { certificate in
            isMatch = X509_check_private_key(certificate, key.pointer) == 1
            return false
        }
        return isMatch
    }

    /// Calls `body` with each certificate until it returns false. Returns whether the whole text was read.
    private static func withCertificates(of pem: String, _ body: (OpaquePointer) -> Bool) -> Bool {
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
