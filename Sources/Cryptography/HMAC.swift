internal import COpenSSL
public import Encodings

/// HMAC (RFC 2104) with one key that authenticates many messages.
///
///     let hmac = HMAC(.sha256, key: secret)
///     let signature = hmac.authenticationCode(for: body)
///
/// For a key that authenticates a single message, ``authenticationCode(_:for:key:)`` needs less preparation.
public struct HMAC: Sendable, Confidential {
    /// The hash function.
    public enum Hash: Sendable {
        /// SHA-1, for protocols that require it: TOTP (RFC 6238) and Twilio's signatures.
        case sha1
        /// SHA-256, for everything else.
        case sha256

        var byteCount: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            }
        }

        fileprivate var name: String {
            switch self {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            }
        }
    }

    private let hash: Hash
    private let contexts: ContextPool

    /// Prepares a key of any length. libcrypto keeps the only copies and overwrites them at the end.
    public init(_ hash: Hash, key: [UInt8]) {
        self.hash = hash
        let template = Template(hash, key)
        contexts = ContextPool(make: template.copy, free: EVP_MAC_CTX_free)
    }

    /// Returns the authentication code of `message`: 32 bytes for SHA-256, 20 for SHA-1.
    public func authenticationCode(for message: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            try contexts.withContext { context throws(CryptographyFailure) in
                // Without a key, the context restarts with the key that it already has.
                try check(EVP_MAC_init(context, nil, 0, nil))
                return try Self.authenticationCode(hash, for: message, context)
            }
        }
    }

    /// Returns whether `code` is the authentication code of `message`. Compares in constant time.
    public func isValidAuthenticationCode(_ code: [UInt8], for message: [UInt8]) -> Bool {
        equalInConstantTime(authenticationCode(for: message), code)
    }

    /// Returns the authentication code of a single message, without keeping the key: 32 bytes for SHA-256, 20 for
    /// SHA-1.
    public static func authenticationCode(_ hash: Hash, for message: [UInt8], key: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            let context = try context(hash, key)
            // Overwrites the key.
            defer { EVP_MAC_CTX_free(context) }
            return try authenticationCode(hash, for: message, context)
        }
    }

    /// Returns whether `code` is the authentication code of a single message, without keeping the key. Compares in
    /// constant time.
    public static func isValidAuthenticationCode(
        _ code: [UInt8],
        _ hash: Hash,
        for message: [UInt8],
        key: [UInt8]
    ) -> Bool {
        equalInConstantTime(authenticationCode(hash, for: message, key: key), code)
    }

    /// Creates a keyed context that is ready for a message.
    private static func context(_ hash: Hash, _ key: [UInt8]) throws(CryptographyFailure) -> OpaquePointer {
        let context = try made(EVP_MAC_CTX_new(Algorithms.hmac))
        // libcrypto rejects an empty key. HMAC pads keys with zeros, so a single zero byte is the same key (RFC 2104 §
        // 2).
        let key = key.isEmpty ? [0] : key
        guard copenssl_hmac_init(context, hash.name, key, key.count) == 1 else {
            EVP_MAC_CTX_free(context)
            throw CryptographyFailure()
        }
        return context
    }

    /// Computes the code of `message` with a context that is ready for a message.
    private static func authenticationCode(
        _ hash: Hash,
        for message: [UInt8],
        _ context: OpaquePointer
    ) throws(CryptographyFailure) -> [UInt8] {
        try check(EVP_MAC_update(context, message, message.count))
        var length = 0
        return try filled(hash.byteCount) { EVP_MAC_final(context, $0, &length, hash.byteCount) }
    }

    /// A keyed context, from which the pool's contexts are copied.
    ///
    /// `@unchecked Sendable`: the context does not change after `init`, and copying only reads it.
    private final class Template: @unchecked Sendable {
        private let context: OpaquePointer

        init(_ hash: Hash, _ key: [UInt8]) {
            context = mustSucceed { () throws(CryptographyFailure) in try HMAC.context(hash, key) }
        }

        deinit {
            EVP_MAC_CTX_free(context)
        }

        func copy() -> OpaquePointer? { EVP_MAC_CTX_dup(context) }
    }
}
