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

extension Command {
    /// The slot of the command's first key; nil if it has no key.
    ///
    /// A command with keys in several slots is sent to the node of the first one, which refuses it (`CROSSSLOT`).
    var slot: Slot? {
        var arguments = Arguments(body: body[...])
        switch "\(name)" {
        case "EVALSHA", "EVAL":
            // EVALSHA digest count key …
            arguments.skip(2)
            guard let count = arguments.next(), !count.elementsEqual("0".utf8) else { return nil }
        case "XGROUP", "XINFO", "OBJECT":
            // XGROUP subcommand key …
            arguments.skip(2)
        case "XREADGROUP", "XREAD":
            while let argument = arguments.next(), !argument.elementsEqual("STREAMS".utf8) {}
        case let name where Self.withoutKey.contains(name):
            return nil
        default:
            arguments.skip(1)
        }
        return arguments.next().map { Slot(ofKey: $0) }
    }

    /// The commands that any node executes. Every other command has its key as its first argument, unless ``slot``
    /// handles it specially.
    private static let withoutKey: Set<String> = [
        "ACL", "ASKING", "AUTH", "CLIENT", "CLUSTER", "CONFIG", "DBSIZE", "ECHO", "HELLO", "INFO", "PING", "ROLE",
        "SCAN", "SCRIPT", "SELECT", "TIME", "WAIT",
    ]

    /// An iterator over the arguments of a command in wire format, which this module has written.
    private struct Arguments {
        var body: ArraySlice<UInt8>

        /// Returns the next argument; nil after the last one.
        mutating func next() -> ArraySlice<UInt8>? {
            guard body.popFirst() == UInt8(ascii: "$") else { return nil }
            var count = 0
            while let byte = body.popFirst(), byte != 13 { count = count * 10 + Int(byte - UInt8(ascii: "0")) }
            body = body.dropFirst()
            defer { body = body.dropFirst(count + 2) }
            return body.prefix(count)
        }

        mutating func skip(_ count: Int) {
            for _ in 0..<count { _ = next() }
        }
    }
}
