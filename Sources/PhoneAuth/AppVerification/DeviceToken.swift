public import Encodings
internal import RedisStore

/// The address that APNs gave one app on one device: 1 to 100 bytes.
///
/// Apple has always made them 32 bytes long and asks not to count on it. Upper- and lower-case spellings are the same token.
/// Printed, it shows at most its last four digits.
public struct DeviceToken: Hashable, Sendable, Confidential {
    /// How many bytes a token may have.
    public static let byteCounts = 1...100

    /// Lower-case hexadecimal digits, two a byte.
    public let hexadecimal: String

    /// Reads hexadecimal digits of either case; nil where they are not whole bytes or not 1 to 100 of them.
    public init?(hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(text), Self.byteCounts.contains(bytes.count) else { return nil }
        hexadecimal = Hexadecimal.encode(bytes)
    }

    /// As long as real ones are, and too regular to be one: to ask APNs about everything but a device.
    public static let ofNoDevice = DeviceToken(canonical: String(repeating: "0", count: 64))

    private init(canonical: String) {
        hexadecimal = canonical
    }

    /// Dots, and the last four digits of a token long enough not to be given away by them.
    public var description: String { hexadecimal.utf8.count >= 32 ? "••••\(hexadecimal.suffix(4))" : "••••" }

    /// How Redis knows the device.
    func identity(for bundleID: String, in project: String, _ keys: ServerKeys, among shards: ShardCount)
        -> DeviceIdentity
    {
        let hash = keys.indexes("device", .text(project), .text(bundleID), .text(hexadecimal))
        return DeviceIdentity(
            project: project,
            hash: Base64URL.string(hash.prefix(16)),
            shard: shards.shard(ofHash: hash)
        )
    }
}
