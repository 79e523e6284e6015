internal import Encodings

/// A Play Integrity token, parsed but not decrypted: a JWE in compact serialization (RFC 7516 § 7.1) with the
/// algorithms that Google documents.
///
/// Replayed tokens are recognized by their text, so each token must have only one valid text. Base64url must be
/// canonical, and each part has its fixed length: otherwise, bytes could move from the ciphertext to the tag.
struct SealedIntegrityToken: Sendable, Confidential {
    /// The maximum length of a token. Real tokens are about a quarter as long.
    static let maximumByteCount = 8192

    /// The header as it is encoded in the text. The tag also authenticates it.
    let encodedHeader: [UInt8]
    /// The content key, wrapped with A256KW: 32 bytes and 8 more.
    let wrappedKey: [UInt8]
    /// The nonce of A256GCM: 12 bytes.
    let nonce: [UInt8]
    let ciphertext: [UInt8]
    /// The tag of A256GCM: 16 bytes.
    let tag: [UInt8]

    /// Parses a token; returns nil if the text is not such a token. The algorithms are pinned (RFC 8725 § 3.1).
    /// Compressed contents and critical extensions are rejected.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 5, let headerBytes = Base64URL.decode(parts[0]),
            case .object(let header) = try? JSONValue.parse(headerBytes, maximumDepth: 4),
            header["alg"] == .string("A256KW"), header["enc"] == .string("A256GCM"), header["zip"] == nil,
            header["crit"] == nil,
            let wrappedKey = Base64URL.decode(parts[1]), wrappedKey.count == 40,
            let nonce = Base64URL.decode(parts[2]), nonce.count == 12,
            let ciphertext = Base64URL.decode(parts[3]), !ciphertext.isEmpty,
            let tag = Base64URL.decode(parts[4]), tag.count == 16
        else { return nil }
        encodedHeader = Array(parts[0])
        self.wrappedKey = wrappedKey
        self.nonce = nonce
        self.ciphertext = ciphertext
        self.tag = tag
    }
}
