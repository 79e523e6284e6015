public import Encodings
internal import RedisScripts

/// The APNs device token of one app on one device: 1 to 100 bytes.
///
/// Apple's tokens have always been 32 bytes long, but Apple asks developers not to rely on it. Upper- and lower-case
/// spellings are the same token. The description shows at most the last four digits.
public struct DeviceToken: Hashable, Sendable, Confidential {
    /// The number of bytes that a token may have.
    static let byteCounts = 1...100

    /// The token in lower-case hexadecimal digits, two per byte.
    public let hexadecimal: String

    /// Parses hexadecimal digits of either case; nil unless they are 1 to 100 whole bytes.
    public init?(hexadecimal text: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(text), Self.byteCounts.contains(bytes.count) else { return nil }
        hexadecimal = Hexadecimal.encode(bytes)
    }

    /// A token as long as real tokens, but too regular to be one: for requests that test everything about APNs except a
    /// device.
    public static let ofNoDevice = DeviceToken(canonical: String(repeating: "0", count: 64))

    private init(canonical: String) {
        hexadecimal = canonical
    }

    /// Dots, followed by the last four digits if the token is too long for them to reveal it.
    public var description: String { hexadecimal.utf8.count >= 32 ? "••••\(hexadecimal.suffix(4))" : "••••" }

    /// Binds the sealed token to its app: a token copied to another app's queue does not decrypt.
    static func sealingContext(_ project: String, _ bundleID: String) -> SealingContext {
        SealingContext("device-token", of: "\(project)/\(bundleID)")
    }

    /// Returns the device's identity in Redis.
    func identity(for bundleID: String, in project: String, _ keys: ServerKeys, among shards: ShardCount)
        -> DeviceIdentity
    {
        let hash = keys.lookups("device", .text(project), .text(bundleID), .text(hexadecimal))
        return DeviceIdentity(
            project: project,
            hash: Base64URL.string(hash.prefix(16)),
            shard: shards.shard(ofHash: hash)
        )
    }
}
