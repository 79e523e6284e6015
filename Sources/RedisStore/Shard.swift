/// In how many parts a deployment's keys are divided; fixed when the deployment is created.
///
/// All keys of one number, or of one account, carry the same shard tag (`{p17}`, `{u17}`), so that a script touches one
/// slot of a Redis Cluster.
public struct ShardCount: Hashable, Sendable {
    /// 1 … 4096.
    public let value: Int

    /// What new deployments get.
    public static let standard = ShardCount(uncheckedValue: 64)

    /// Makes a count, or nil outside 1 … 4096.
    public init?(_ value: Int) {
        guard (1...4096).contains(value) else { return nil }
        self.value = value
    }

    private init(uncheckedValue: Int) {
        value = uncheckedValue
    }

    /// Every shard there is.
    public var shards: [Shard] { (0..<value).map { Shard(index: UInt16($0)) } }

    /// The shard that a uniformly distributed number falls into.
    public func shard(of hash: UInt64) -> Shard {
        Shard(index: UInt16(hash % UInt64(value)))
    }

    /// The shard that the first 64 bits of a keyed hash choose.
    public func shard(ofHash hash: [UInt8]) -> Shard {
        shard(of: hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}

/// One part of a deployment's keys.
public struct Shard: Hashable, Sendable {
    /// 0 … 4095.
    public let index: UInt16

    /// Makes the shard with this number; that it exists is for the caller to know.
    public init(index: UInt16) {
        self.index = index
    }
}
