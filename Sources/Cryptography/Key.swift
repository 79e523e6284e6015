internal import COpenSSL

/// A libcrypto key, private or public.
///
/// `@unchecked Sendable`: the key does not change after `init`, and libcrypto counts references atomically.
final class Key: @unchecked Sendable {
    /// The supported key algorithms.
    enum Algorithm: String {
        case rsa = "RSA"
        case ellipticCurve = "EC"
    }

    let pointer: OpaquePointer

    /// Takes ownership of a key.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// Parses a PEM key; nil if the text contains no such key, or if the key is encrypted.
    init?(_ algorithm: Algorithm, isPrivate: Bool, pem: String) {
        let bytes = Array(pem.utf8)
        let key = copenssl_read_key(algorithm.rawValue, isPrivate ? 1 : 0, bytes, bytes.count)
        ERR_clear_error()
        guard let key else { return nil }
        pointer = key
    }

    /// The length of the key in bits; for an RSA key, of its modulus.
    var bitCount: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// Returns the private key as PKCS #8 in PEM, unencrypted.
    func privatePEM() throws(CryptographyFailure) -> String {
        try text { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }

    /// Returns the public key as SubjectPublicKeyInfo in PEM.
    func publicPEM() throws(CryptographyFailure) -> String {
        try text { PEM_write_bio_PUBKEY($0, pointer) }
    }

    /// Returns the public key as SubjectPublicKeyInfo in DER.
    func publicDER() throws(CryptographyFailure) -> [UInt8] {
        Array(try written { i2d_PUBKEY_bio($0, pointer) })
    }

    /// Returns a numeric parameter of the key, big endian, without leading zeros.
    func number(_ name: String) throws(CryptographyFailure) -> [UInt8] {
        var number: OpaquePointer?
        try check(EVP_PKEY_get_bn_param(pointer, name, &number))
        defer { BN_clear_free(number) }
        return try filled(Int(BN_num_bits(number) + 7) / 8) { BN_bn2bin(number, $0) > 0 ? 1 : 0 }
    }

    /// Returns an independent copy, so that the threads that use the copies do not contend for libcrypto's locks.
    func copy() -> OpaquePointer? { EVP_PKEY_dup(pointer) }
}

/// Returns the text that a function of libcrypto writes.
func text(_ write: (OpaquePointer) -> Int32) throws(CryptographyFailure) -> String {
    String(decoding: try written(write), as: UTF8.self)
}

private func written(_ write: (OpaquePointer) -> Int32) throws(CryptographyFailure) -> [UInt8] {
    let bio = try made(BIO_new(BIO_s_secmem()))
    defer { BIO_free_all(bio) }
    try check(write(bio))
    var bytes: UnsafeMutablePointer<CChar>?
    let count = Int(copenssl_memory(bio, &bytes))
    return UnsafeRawBufferPointer(start: bytes, count: count).map { $0 }
}
