/// How much of its maximum memory Redis uses.
public struct MemoryUse: Hashable, Sendable {
    /// The memory that counts towards the maximum: without the buffers of replicas and of the append-only file.
    public let usedBytes: Int64
    /// `maxmemory`.
    public let maximumBytes: Int64

    /// The used part of the maximum.
    public var share: Double { Double(usedBytes) / Double(maximumBytes) }

    /// Reads the reply to `INFO memory`. Returns nil if Redis has no maximum, or evicts keys to make room.
    init?(information: [String: String]) {
        func bytes(_ name: String) -> Int64? { information[name].flatMap { Int64($0) } }
        guard let used = bytes("used_memory"), let maximum = bytes("maxmemory"), maximum > 0,
            information["maxmemory_policy"] == "noeviction"
        else { return nil }
        usedBytes = used - (bytes("mem_not_counted_for_evict") ?? 0)
        maximumBytes = maximum
    }
}

extension Store {
    /// Returns Redis's memory use, or nil if it has no maximum or the ACL denies `INFO`. For a cluster, returns the use
    /// of the fullest node that answers: accounts on the others cannot be created anyway.
    /// - Throws: ``StoreUnavailable`` if no node answers.
    public func memoryUse() throws(StoreUnavailable) -> MemoryUse? {
        let outcomes = try outcomes(ofAllServersTo: "INFO", "memory")
        let replies = outcomes.compactMap { try? $0.get() }
        if replies.isEmpty { _ = try outcomes.first?.get() }
        return replies.compactMap { $0.information.flatMap { MemoryUse(information: $0) } }.max { $0.share < $1.share }
    }
}
