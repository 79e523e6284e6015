internal import Cryptography

/// The AES-256-GCM keys that seal values which must be readable again, such as phone numbers and the codes of test
/// numbers.
///
/// A sealed value is key id (1 byte) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16). The key id allows rotation: one
/// key seals, all keys open. Nonces are random, so a key should not seal more than 2³² values (NIST SP 800-38D § 8.3).
struct DataKeys: Sendable {
    private let ciphers: [UInt8: AES256GCM]
    private let sealingKeyID: UInt8
    private let sealing: AES256GCM

    /// - Parameters:
    ///   - ciphers: all ciphers with their key ids; nil if two have the same id.
    ///   - sealingID: the id of the key that seals; nil for the last of the list.
    init?(_ ciphers: [(id: UInt8, cipher: AES256GCM)], sealing sealingID: UInt8? = nil) {
        guard let last = ciphers.last(where: { $0.id == sealingID ?? $0.id }) else { return nil }
        self.ciphers = Dictionary(ciphers.map { ($0.id, $0.cipher) }) { first, _ in first }
        guard self.ciphers.count == ciphers.count else { return nil }
        sealingKeyID = last.id
        sealing = last.cipher
    }

    /// Seals `plaintext` with a random nonce. It opens only in the same `context`.
    func seal(
        _ plaintext: [UInt8],
        context: SealingContext,
        _ environment: Environment
    ) throws(CryptographyFailure) -> [UInt8] {
        let nonce = environment.randomBytes(AES256GCM.nonceByteCount)
        var sealed = [sealingKeyID]
        sealed.reserveCapacity(1 + nonce.count + plaintext.count + AES256GCM.tagByteCount)
        sealed += nonce
        sealed += try sealing.seal(plaintext, nonce: nonce, authenticating: context.bytes)
        return sealed
    }

    /// Returns the plaintext; nil if the bytes were not sealed by one of these keys for `context`.
    func open(_ sealed: some Collection<UInt8>, context: SealingContext) -> [UInt8]? {
        guard let id = sealed.first, let cipher = ciphers[id] else { return nil }
        let rest = Array(sealed.dropFirst())
        return cipher.open(
            Array(rest.dropFirst(AES256GCM.nonceByteCount)),
            nonce: Array(rest.prefix(AES256GCM.nonceByteCount)),
            authenticating: context.bytes
        )
    }
}

/// A failure of the cryptography library, which rejected a key or an input that is correct by construction.
typealias CryptographyFailure = Cryptography.CryptographyFailure

/// The associated data of a sealed value (AES-GCM): its use and its owner. The value is decrypted only in the same
/// context, so a value that was copied to another place cannot be opened there.
struct SealingContext {
    /// What AES-GCM authenticates in addition to the value: `use/`, the header and the owner.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - use: the kind of value, unique among all kinds.
    ///   - header: fields before the sealed value, which are authenticated, too.
    ///   - owner: the project, or the project and what belongs to it, separated by `/`.
    init(_ use: String, after header: [UInt8] = [], of owner: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(use.utf8.count + 1 + header.count + owner.utf8.count)
        bytes.append(contentsOf: use.utf8)
        bytes.append(UInt8(ascii: "/"))
        bytes.append(contentsOf: header)
        bytes.append(contentsOf: owner.utf8)
        self.bytes = bytes
    }
}
