public import Encodings

/// A long sequence of bytes, encrypted and authenticated chunk by chunk: the STREAM construction of "Online
/// Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (CRYPTO 2015) with AES-256-GCM.
///
/// A chunk's nonce is its number and whether it is the last one. So a chunk does not open if chunks before it are
/// missing, repeated or exchanged, or if the sequence was truncated before or extended after it. The key of a sequence
/// is derived from a long-lived key and a header (HKDF-Expand, RFC 5869 § 2.3), and no two sequences must have the same
/// header. If the header was changed, no chunk opens.
public struct SealedStream: Sendable, Confidential {
    /// The length of the long-lived key in bytes.
    public static let keyByteCount = AES256GCM.keyByteCount
    /// The length of all chunks but the last one, before encryption.
    public static let chunkByteCount = 65_536
    /// How much longer an encrypted chunk is.
    public static let overhead = AES256GCM.tagByteCount

    private let cipher: AES256GCM
    private var number: UInt64 = 0

    /// Derives the key of a sequence; nil if the long-lived key is not 32 bytes long.
    public init?(key: [UInt8], header: [UInt8]) {
        guard key.count == Self.keyByteCount,
            let cipher = AES256GCM(key: HMAC.authenticationCode(.sha256, for: header + [1], key: key))
        else { return nil }
        self.cipher = cipher
    }

    /// Encrypts the next chunk.
    /// - Throws: ``CryptographyFailure``.
    public mutating func seal(_ chunk: [UInt8], isLast: Bool) throws(CryptographyFailure) -> [UInt8] {
        try cipher.seal(chunk, nonce: nextNonce(isLast), authenticating: [])
    }

    /// Decrypts the next chunk; nil if it is not the next one of this sequence.
    public mutating func open(_ sealed: [UInt8], isLast: Bool) -> [UInt8]? {
        cipher.open(sealed, nonce: nextNonce(isLast), authenticating: [])
    }

    private mutating func nextNonce(_ isLast: Bool) -> [UInt8] {
        defer { number += 1 }
        return [0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) } + [isLast ? 1 : 0]
    }
}
