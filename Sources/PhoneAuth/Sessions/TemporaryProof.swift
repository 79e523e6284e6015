internal import Encodings
internal import RedisStore

/// A proof for a user who verified a number that belongs to another account: it signs in to that account without
/// another code. Single use.
///
/// The text is base64url of: format (1 byte) ‖ shard (2) ‖ id (16) ‖ expiry (8, seconds) ‖ sealed number. The seal also
/// authenticates everything before it and the project. The store only records that a proof was used.
struct TemporaryProof: Sendable, Confidential {
    private static let format: UInt8 = 1
    private static let headerByteCount = 3 + TemporaryProofID.byteCount + 8

    let id: TemporaryProofID
    /// The number in E.164 form.
    let phoneNumber: String
    /// The expiry, in seconds since the Unix epoch.
    let expiresAt: Int64

    init(id: TemporaryProofID, phoneNumber: String, expiresAt: Int64) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.expiresAt = expiresAt
    }

    /// Opens a proof; nil unless this deployment issued it for `project`. The proof may have expired.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, _ shards: ShardCount) {
        guard text.utf8.count <= 256, let bytes = Base64URL.decode(text.utf8), bytes.count > Self.headerByteCount,
            bytes[0] == Self.format
        else { return nil }
        let header = Array(bytes[..<Self.headerByteCount])
        let shard = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        let idEnd = 3 + TemporaryProofID.byteCount
        guard shard < shards.value,
            let id = TemporaryProofID(shard: Shard(index: shard), bytes: Array(bytes[3..<idEnd])),
            let number = keys.data.open(
                bytes[Self.headerByteCount...],
                context: Self.context(header, project)
            )
        else { return nil }
        self.init(
            id: id,
            phoneNumber: String(decoding: number, as: UTF8.self),
            expiresAt: header[idEnd...].reduce(0) { $0 << 8 | Int64($1) }
        )
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        let shard = id.shard.index
        let header =
            [Self.format, UInt8(shard >> 8), UInt8(shard & 0xFF)] + id.bytes
            + withUnsafeBytes(of: expiresAt.bigEndian) { Array($0) }
        let sealed = try keys.data.seal(
            Array(phoneNumber.utf8),
            context: Self.context(header, project),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
        return Base64URL.string(header + sealed)
    }

    private static func context(_ header: [UInt8], _ project: Project) -> [UInt8] {
        Array("temporary-proof/".utf8) + header + Array(project.id.utf8)
    }
}
