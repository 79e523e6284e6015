/// One of the 16,384 hash slots into which a Redis Cluster divides its keys.
///
/// See <https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/>, "Key distribution model".
public struct Slot: Hashable, Sendable {
    /// The number of slots.
    public static let count = 16_384

    /// The number, 0 to 16383.
    public let number: UInt16

    /// Returns the slot with a number; nil if the number is out of range.
    init?(_ number: Int) {
        guard (0..<Self.count).contains(number) else { return nil }
        self.number = UInt16(number)
    }

    /// Returns the slot of a key: a checksum of the key's hash tag, or of the whole key if it has none.
    public init(ofKey key: some Collection<UInt8>) {
        number = CRC16.checksum(of: Self.hashTag(of: key)) % UInt16(Self.count)
    }

    /// Returns the part between the first `{` and the next `}`, or the whole key if that part is empty or missing.
    private static func hashTag<Key: Collection<UInt8>>(of key: Key) -> Key.SubSequence {
        guard let opening = key.firstIndex(of: UInt8(ascii: "{")) else { return key[...] }
        let rest = key[key.index(after: opening)...]
        guard let closing = rest.firstIndex(of: UInt8(ascii: "}")), closing > rest.startIndex else { return key[...] }
        return rest[..<closing]
    }
}

/// The checksum CRC-16/XMODEM: polynomial 0x1021, initial value 0, no reflection.
enum CRC16 {
    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }

    static func checksum(of bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
    }
}
