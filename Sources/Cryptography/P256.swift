internal import COpenSSL
public import Encodings

/// A P-256 private key that signs with ECDSA and SHA-256 (FIPS 186-5): ES256 in JWS.
public struct P256PrivateKey: Sendable, Confidential {
    /// The public key, for verifiers.
    public let publicKey: P256PublicKey
    private let key: Key

    /// Parses SEC 1 or PKCS #8 in PEM; nil if `pem` is not a P-256 key or is encrypted.
    public init?(pem: String) {
        guard let key = Key(.ellipticCurve, isPrivate: true, pem: pem), let new = try? P256PrivateKey(key) else {
            return nil
        }
        self = new
    }

    /// Generates a key.
    ///
    /// - Throws: ``CryptographyFailure``
    public static func generate() throws(CryptographyFailure) -> P256PrivateKey {
        try P256PrivateKey(Key(try made(copenssl_generate_p256())))
    }

    private init(_ key: Key) throws(CryptographyFailure) {
        self.key = key
        publicKey = try P256PublicKey(key)
    }

    /// Returns the key as PKCS #8 in PEM.
    public func pem() throws(CryptographyFailure) -> String { try key.privatePEM() }

    /// Returns the signature of `message`: r followed by s, 32 bytes each (RFC 7518 § 3.4).
    ///
    /// - Throws: ``CryptographyFailure``
    public func signature(for message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        let hash = SHA256.hash(message)
        let context = try made(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
        defer { EVP_PKEY_CTX_free(context) }
        try check(EVP_PKEY_sign_init(context))
        var length = 0
        try check(EVP_PKEY_sign(context, nil, &length, hash, hash.count))
        var encoded = [UInt8](repeating: 0, count: length)
        try check(EVP_PKEY_sign(context, &encoded, &length, hash, hash.count))
        let signature = try encoded.withUnsafeBufferPointer { encoded throws(CryptographyFailure) in
            var start = encoded.baseAddress
            return try made(d2i_ECDSA_SIG(nil, &start, length))
        }
        defer { ECDSA_SIG_free(signature) }
        return try Self.coordinate(ECDSA_SIG_get0_r(signature)) + Self.coordinate(ECDSA_SIG_get0_s(signature))
    }

    private static func coordinate(_ number: OpaquePointer?) throws(CryptographyFailure) -> [UInt8] {
        let byteCount = P256PublicKey.coordinateByteCount
        return try filled(byteCount) {
            BN_bn2binpad(number, $0, Int32(byteCount)) == Int32(byteCount) ? 1 : 0
        }
    }

    /// The key, to sign certificates.
    var signer: Key { key }
}

/// The public key of a ``P256PrivateKey``.
public struct P256PublicKey: Sendable {
    /// The uncompressed point (SEC 1 § 2.3.3): 65 bytes.
    public let point: [UInt8]
    private let key: Key

    fileprivate static let coordinateByteCount = 32
    private static let pointByteCount = 65

    /// Parses SubjectPublicKeyInfo in DER; nil if `der` is not a P-256 key, or if bytes follow it.
    public init?(der: [UInt8]) {
        let pointer = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            let key = d2i_PUBKEY(nil, &start, bytes.count)
            guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
                EVP_PKEY_free(key)
                return nil
            }
            return key
        }
        ERR_clear_error()
        guard let pointer, let new = try? P256PublicKey(Key(pointer)) else { return nil }
        self = new
    }

    fileprivate init(_ key: Key) throws(CryptographyFailure) {
        var name = [CChar](repeating: 0, count: 32)
        try check(EVP_PKEY_get_group_name(key.pointer, &name, name.count, nil))
        guard OBJ_txt2nid(name) == NID_X9_62_prime256v1 else { throw CryptographyFailure() }
        var length = 0
        point = try filled(Self.pointByteCount) {
            EVP_PKEY_get_octet_string_param(
                key.pointer,
                OSSL_PKEY_PARAM_PUB_KEY,
                $0,
                Self.pointByteCount,
                &length
            )
        }
        guard length == Self.pointByteCount else { throw CryptographyFailure() }
        self.key = key
    }

    /// Returns the key as SubjectPublicKeyInfo in DER.
    public func der() throws(CryptographyFailure) -> [UInt8] { try key.publicDER() }

    /// Returns whether `signature` is the private key's signature of `message`: r followed by s, 32 bytes each (RFC
    /// 7518 § 3.4).
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateByteCount, let decoded = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(decoded) }
        let half = Int32(Self.coordinateByteCount)
        let r = BN_bin2bn(signature, half, nil)
        let s = BN_bin2bn(Array(signature.suffix(Self.coordinateByteCount)), half, nil)
        guard ECDSA_SIG_set0(decoded, r, s) == 1 else { return false }
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = Int(i2d_ECDSA_SIG(decoded, &encoded))
        defer { CRYPTO_free(encoded, #file, #line) }
        let hash = SHA256.hash(message)
        guard length > 0, let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        defer { ERR_clear_error() }
        return EVP_PKEY_verify_init(context) == 1
            && EVP_PKEY_verify(context, encoded, length, hash, hash.count) == 1
    }
}
