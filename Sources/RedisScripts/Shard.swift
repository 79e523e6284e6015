/// The number of shards of a deployment's keys; fixed when the deployment is created.
///
/// Accounts, claims of e-mail addresses and devices are divided into shards. All keys of one account have the same hash
/// tag (`{u/17}`), so that a script's keys are in one slot of a Redis Cluster.
public struct ShardCount: Hashable, Sendable {
    /// 1 … 4096.
    public let value: Int

    /// The default for new deployments.
    public static let standard = ShardCount(uncheckedValue: 64)

    /// Creates a count, or returns nil outside 1 … 4096.
    public init?(_ value: Int) {
        guard (1...4096).contains(value) else { return nil }
        self.value = value
    }

    private init(uncheckedValue: Int) {
        value = uncheckedValue
    }

    /// All shards.
    public var shards: [Shard] { (0..<value).map { Shard(index: UInt16($0)) } }

    /// Returns the shard of a uniformly distributed number.
    public func shard(of hash: UInt64) -> Shard {
        Shard(index: UInt16(hash % UInt64(value)))
    }

    /// Returns the shard that the first 64 bits of a keyed hash select.
    public func shard(ofHash hash: [UInt8]) -> Shard {
        shard(of: hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}

/// One part of a deployment's keys.
public struct Shard: Hashable, Sendable {
    /// 0 … 4095.
    public let index: UInt16

    /// Creates the shard with this number. The caller must know that it exists.
    public init(index: UInt16) {
        self.index = index
    }
}
