internal import COpenSSL
public import Encodings

/// An RSA private key that signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017 § 8.2): RS256 in JWS.
public struct RSAPrivateKey: Sendable, Confidential {
    /// The public key, for verifiers.
    public let publicKey: RSAPublicKey
    private let key: Key
    private let contexts: ContextPool

    /// Parses PKCS #1 or PKCS #8 in PEM; nil if `pem` is not an RSA key or is encrypted.
    public init?(pem: String) {
        guard let key = Key(.rsa, isPrivate: true, pem: pem), let new = try? RSAPrivateKey(key) else { return nil }
        self = new
    }

    /// Generates a key of `bitCount` bits.
    ///
    /// - Throws: ``CryptographyFailure``
    public static func generate(bitCount: Int = 2048) throws(CryptographyFailure) -> RSAPrivateKey {
        try RSAPrivateKey(Key(try made(copenssl_generate_rsa(bitCount))))
    }

    private init(_ key: Key) throws(CryptographyFailure) {
        self.key = key
        publicKey = try RSAPublicKey(key)
        contexts = ContextPool(make: { Self.context(key) }, free: EVP_PKEY_CTX_free)
    }

    /// Returns the key as PKCS #8 in PEM.
    public func pem() throws(CryptographyFailure) -> String { try key.privatePEM() }

    /// Returns the signature of `message`, which is as long as the modulus.
    ///
    /// libcrypto computes the signature with the Chinese remainder theorem and verifies it before returning it: a
    /// faulty signature would reveal the key (fault attack).
    ///
    /// The hash, the context and the copy take only half a percent of the time of libcrypto's own function.
    /// <doc:BatchedSignatures> explains why threads do not sign in batches.
    ///
    /// - Throws: ``CryptographyFailure``
    public func signature(for message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        let hash = SHA256.hash(message)
        return try contexts.withContext { context throws(CryptographyFailure) in
            var length = publicKey.byteCount
            return try filled(length) { EVP_PKEY_sign(context, $0, &length, hash, hash.count) }
        }
    }

    /// Creates a context with its own copy of the key, because a lock guards the blinding of a shared key.
    private static func context(_ key: Key) -> OpaquePointer? {
        guard let copy = key.copy() else { return nil }
        defer { EVP_PKEY_free(copy) }
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, copy, nil) else { return nil }
        guard EVP_PKEY_sign_init(context) == 1, isRS256(context) else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        return context
    }

    /// Sets the context to PKCS #1 v1.5 with SHA-256, and returns whether that succeeded.
    fileprivate static func isRS256(_ context: OpaquePointer) -> Bool {
        EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
            && EVP_PKEY_CTX_set_signature_md(context, Algorithms.sha256) == 1
    }

    /// The key, to sign certificates.
    var signer: Key { key }
}

/// The public key of an ``RSAPrivateKey``.
public struct RSAPublicKey: Sendable {
    /// The modulus, big endian, without leading zeros.
    public let modulus: [UInt8]
    /// The public exponent, big endian, without leading zeros.
    public let exponent: [UInt8]
    private let key: Key
    private let contexts: ContextPool

    /// Parses SubjectPublicKeyInfo or PKCS #1 in PEM; nil if `pem` is not an RSA key.
    public init?(pem: String) {
        guard let key = Key(.rsa, isPrivate: false, pem: pem), let new = try? RSAPublicKey(key) else { return nil }
        self = new
    }

    init(_ key: Key) throws(CryptographyFailure) {
        self.key = key
        modulus = try key.number(OSSL_PKEY_PARAM_RSA_N)
        exponent = try key.number(OSSL_PKEY_PARAM_RSA_E)
        contexts = ContextPool(make: { Self.context(key) }, free: EVP_PKEY_CTX_free)
    }

    /// The length of the modulus in bits.
    public var bitCount: Int { key.bitCount }

    /// The length of a signature in bytes.
    public var byteCount: Int { modulus.count }

    /// Returns the key as SubjectPublicKeyInfo in PEM.
    public func pem() throws(CryptographyFailure) -> String { try key.publicPEM() }

    /// Returns the key as SubjectPublicKeyInfo in DER.
    public func der() throws(CryptographyFailure) -> [UInt8] { try key.publicDER() }

    /// Returns whether `signature` is the private key's signature of `message`.
    public func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        let hash = SHA256.hash(message)
        do {
            try contexts.withContext { context throws(CryptographyFailure) in
                try check(EVP_PKEY_verify(context, signature, signature.count, hash, hash.count))
            }
            return true
        } catch {
            return false
        }
    }

    private static func context(_ key: Key) -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
        guard EVP_PKEY_verify_init(context) == 1, RSAPrivateKey.isRS256(context) else {
            EVP_PKEY_CTX_free(context)
            return nil
        }
        return context
    }
}
