internal import Encodings
internal import RedisStore

/// The receipt that a device gets by silent push and returns as proof, together with the receipt's secret.
///
/// The receipt's text is base64url of: format (1 byte) ‖ shard (2) ‖ id (16). The secret is derived from the receipt
/// under the server key, for one project and app. So Redis does not store the secret, and a forged pair is rejected
/// without a round trip.
struct PushReceipt: Sendable {
    private static let format: UInt8 = 1

    let id: PushReceiptID

    init(id: PushReceiptID) {
        self.id = id
    }

    /// Parses a receipt; nil if the text is not a receipt.
    init?(_ text: String, _ shards: ShardCount) {
        guard text.utf8.count <= 64, let bytes = Base64URL.decode(text.utf8),
            bytes.count == 3 + PushReceiptID.byteCount, bytes[0] == Self.format
        else { return nil }
        let shard = UInt16(bytes[1]) << 8 | UInt16(bytes[2])
        guard shard < shards.value,
            let id = PushReceiptID(shard: Shard(index: shard), bytes: Array(bytes[3...]))
        else { return nil }
        self.id = id
    }

    /// The text that the SDK stores.
    var text: String {
        let shard = id.shard.index
        return Base64URL.string([Self.format, UInt8(shard >> 8), UInt8(shard & 0xFF)] + id.bytes)
    }

    /// Returns the secret of this receipt for an app.
    func secret(for bundleID: String, in project: String, _ keys: ServerKeys) -> String {
        secret(for: bundleID, in: project, keys.codes)
    }

    private func secret(for bundleID: String, in project: String, _ codes: KeyedHash) -> String {
        Base64URL.string(codes("push-secret", .text(project), .text(bundleID), .bytes(Self.shardBytes(id) + id.bytes)))
    }

    /// Returns whether `answer` is the secret under any accepted generation of the server key. Compares in constant
    /// time for all wrong secrets of the correct length.
    func hasSecret(_ answer: String, for bundleID: String, in project: String, _ keys: ServerKeys) -> Bool {
        keys.acceptedCodes.contains {
            equalInConstantTime(Array(secret(for: bundleID, in: project, $0).utf8), Array(answer.utf8))
        }
    }

    private static func shardBytes(_ id: PushReceiptID) -> [UInt8] {
        [UInt8(id.shard.index >> 8), UInt8(id.shard.index & 0xFF)]
    }
}
