internal import Crypto

/// The keys that seal what must come back readable: phone numbers, and the codes of test numbers.
///
/// A sealed value is key id (1 byte) ‖ nonce (12) ‖ AES-256-GCM ciphertext ‖ tag (16). The id in front lets keys rotate:
/// one key seals, all of them open. Nonces are random, so a key should not seal more than 2³² values
/// (NIST SP 800-38D § 8.3).
struct DataKeys: Sendable {
    private let keys: [UInt8: SymmetricKey]
    private let sealingKeyID: UInt8
    private let sealingKey: SymmetricKey

    /// - Parameters:
    ///   - keys: all of them; nil if two have one id.
    ///   - sealingID: the id of the one that seals; nil for the last of the list.
    init?(_ keys: [(id: UInt8, key: SymmetricKey)], sealing sealingID: UInt8? = nil) {
        guard let last = keys.last(where: { $0.id == sealingID ?? $0.id }) else { return nil }
        self.keys = Dictionary(keys.map { ($0.id, $0.key) }) { first, _ in first }
        guard self.keys.count == keys.count else { return nil }
        sealingKeyID = last.id
        sealingKey = last.key
    }

    /// Seals `plaintext` so that it opens in the same `context` only: a value copied elsewhere in Redis does not open there.
    func seal(_ plaintext: [UInt8], context: [UInt8], nonce: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        do {
            let nonce = try AES.GCM.Nonce(data: nonce)
            let box = try AES.GCM.seal(plaintext, using: sealingKey, nonce: nonce, authenticating: context)
            var sealed = [sealingKeyID]
            sealed.reserveCapacity(1 + Self.nonceByteCount + plaintext.count + 16)
            // There is a combined form for every nonce of the standard length, as this one is.
            guard let combined = box.combined else { throw CryptographyFailure() }
            sealed.append(contentsOf: combined)
            return sealed
        } catch {
            throw CryptographyFailure()
        }
    }

    /// What was sealed, or nil where the bytes were not sealed by us for `context`.
    func open(_ sealed: some Collection<UInt8>, context: [UInt8]) -> [UInt8]? {
        guard let id = sealed.first, let key = keys[id] else { return nil }
        do {
            let box = try AES.GCM.SealedBox(combined: Array(sealed.dropFirst()))
            return Array(try AES.GCM.open(box, using: key, authenticating: context))
        } catch {
            return nil
        }
    }

    /// How many random bytes ``seal(_:context:nonce:)`` needs.
    static let nonceByteCount = 12
}

/// The cryptography library refused a key or an input that is correct by construction.
struct CryptographyFailure: Error {}
