internal import CCurl

/// The owner of a libcurl easy handle.
protocol CurlTransfer {
    var easy: UnsafeMutableRawPointer { get }
}

extension CurlTransfer {
    func set(_ option: CURLoption, _ value: Int) -> Bool { ccurl_set_long(easy, option, value) != 0 }
    func set(_ option: CURLoption, _ value: String?) -> Bool { ccurl_set_text(easy, option, value) != 0 }
    func set(_ option: CURLoption, blob text: String) -> Bool {
        let bytes = Array(text.utf8)
        return ccurl_set_blob(easy, option, bytes, bytes.count) != 0
    }

    /// Requires TLS 1.2 or later if TLS is used, and a certificate of these authorities, in PEM; nil for the system's.
    func setTrust(_ trusted: String?) -> Bool {
        guard
            set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), ccurl_verify_certificates(easy) != 0,
            set(CURLOPT_SSL_SESSIONID_CACHE, 0), set(CURLOPT_CAINFO, nil)
        else { return false }
        if let trusted { return set(CURLOPT_CAPATH, nil) && set(CURLOPT_CAINFO_BLOB, blob: trusted) }
        // The directory in which Debian's `ca-certificates` links certificates by subject hash, not the bundle file:
        // libcrypto reads only the certificate that it needs from the directory, but all of a bundle file.
        return set(CURLOPT_CAPATH, "/etc/ssl/certs")
    }
}
