internal import COpenSSL
public import Encodings

/// HMAC (RFC 2104) under one key.
///
///     let signature = HMAC(.sha256, key: secret).authenticationCode(for: body)
public struct HMAC: Sendable, Confidential {
    /// The hash function beneath.
    public enum Hash: Sendable {
        /// For protocols that prescribe it: RFC 6238 (TOTP) and Twilio's signatures.
        case sha1
        /// For everything else.
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

    /// Prepares a key of any length. libcrypto keeps the only copy and overwrites it at the end.
    public init(_ hash: Hash, key: [UInt8]) {
        self.hash = hash
        let template = Template(hash, key)
        contexts = ContextPool(make: template.copy, free: EVP_MAC_CTX_free)
    }

    /// Returns the authentication code of `message`: 32 bytes for SHA-256, 20 for SHA-1.
    public func authenticationCode(for message: [UInt8]) -> [UInt8] {
        mustSucceed { () throws(CryptographyFailure) in
            try contexts.withContext { context throws(CryptographyFailure) in
                // Without a key it begins again under the key that the context has.
                try check(EVP_MAC_init(context, nil, 0, nil))
                try check(EVP_MAC_update(context, message, message.count))
                var length = 0
                return try filled(hash.byteCount) { EVP_MAC_final(context, $0, &length, hash.byteCount) }
            }
        }
    }

    /// Whether `code` is the authentication code of `message`. Compares in constant time.
    public func isValidAuthenticationCode(_ code: [UInt8], for message: [UInt8]) -> Bool {
        equalInConstantTime(authenticationCode(for: message), code)
    }

    /// A context that has the key, from which the others are copied.
    ///
    /// Sendable without the compiler's proof: nothing changes it after `init`, and copying reads it only.
    private final class Template: @unchecked Sendable {
        private let context: OpaquePointer

        init(_ hash: Hash, _ key: [UInt8]) {
            context = mustSucceed { () throws(CryptographyFailure) in
                let context = try made(EVP_MAC_CTX_new(Algorithms.hmac))
                // libcrypto takes no empty key. Keys are padded with zeros, so a zero is the same key (RFC 2104 § 2).
                let key = key.isEmpty ? [0] : key
                try check(copenssl_hmac_init(context, hash.name, key, key.count))
                return context
            }
        }

        deinit {
            EVP_MAC_CTX_free(context)
        }

        func copy() -> OpaquePointer? { EVP_MAC_CTX_dup(context) }
    }
}
