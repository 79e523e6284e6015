internal import Encodings

/// The name of a push receipt: 128 random bits, and the shard that holds it.
public struct PushReceiptID: Hashable, Sendable {
    /// How many random bytes an id has.
    public static let byteCount = 16

    /// Where the receipt's keys live: where its device's do.
    public let shard: Shard
    /// The random part, ``byteCount`` bytes.
    public let bytes: [UInt8]
    /// The random part as it stands in Redis keys.
    public let text: String

    /// Makes an id of random `bytes`, or nil unless there are just ``byteCount`` of them.
    public init?(shard: Shard, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.shard = shard
        self.bytes = bytes
        text = Base64URL.string(bytes)
    }

    init?(shard: Shard, text: [UInt8]) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(shard: shard, bytes: bytes)
    }
}
