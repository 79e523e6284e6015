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

extension Authenticator {
    func seal(_ plaintext: [UInt8], _ context: SealingContext) throws(OperationFailure) -> [UInt8] {
        do {
            return try keys.data.seal(plaintext, context: context, environment)
        } catch {
            throw .cryptographyFailed
        }
    }
}
