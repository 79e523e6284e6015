internal import Encodings
internal import RedisScripts

/// Reads the fields of an opaque token in the order in which ``TokenWriter`` wrote them. A field is nil if the token is
/// too short for it, or if its value is invalid.
struct TokenReader {
    private let bytes: [UInt8]
    private var position = 0

    /// Decodes a text of at most `maximumByteCount` bytes; nil if it is longer or not base64url.
    init?(_ text: String, atMost maximumByteCount: Int) {
        guard text.utf8.count <= maximumByteCount, let bytes = Base64URL.decode(text.utf8) else { return nil }
        self.bytes = bytes
    }

    /// Decodes a token of a format.
    init?(_ text: String, format: UInt8, atMost maximumByteCount: Int = 256) {
        self.init(text, atMost: maximumByteCount)
        guard number(UInt8.self) == format else { return nil }
    }

    /// The length of the whole token.
    var byteCount: Int { bytes.count }

    /// All fields that have been read.
    var header: [UInt8] { Array(bytes[..<position]) }

    /// All fields that have not been read.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    mutating func field(_ byteCount: Int) -> [UInt8]? {
        guard rest.count >= byteCount else { return nil }
        defer { position += byteCount }
        return Array(rest.prefix(byteCount))
    }

    /// Reads a number, big-endian.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let byteCount = Number.bitWidth / 8
        guard rest.count >= byteCount else { return nil }
        defer { position += byteCount }
        return rest.prefix(byteCount).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    mutating func shard(among shards: ShardCount) -> Shard? {
        guard let index = number(UInt16.self), index < shards.value else { return nil }
        return Shard(index: index)
    }

    mutating func id<Subject>(in project: String) -> RandomID<Subject>? {
        field(RandomID<Subject>.byteCount).flatMap { RandomID(project: project, bytes: $0) }
    }

    mutating func pushReceiptID(among shards: ShardCount) -> PushReceiptID? {
        guard let shard = shard(among: shards), let bytes = field(PushReceiptID.byteCount) else { return nil }
        return PushReceiptID(shard: shard, bytes: bytes)
    }
}
