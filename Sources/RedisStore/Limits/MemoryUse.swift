/// How much of the memory that it may take Redis has taken.
public struct MemoryUse: Hashable, Sendable {
    /// What counts towards the maximum: without the buffers of replicas and of the append-only file.
    public let usedBytes: Int64
    /// `maxmemory`.
    public let maximumBytes: Int64

    /// Reads the answer to `INFO memory`; nil where Redis has no maximum, or makes room by evicting keys.
    init?(information: String) {
        var fields: [Substring: Substring] = [:]
        for line in information.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = line[line.index(after: colon)...]
        }
        func bytes(_ name: Substring) -> Int64? { fields[name].flatMap { Int64($0) } }
        guard let used = bytes("used_memory"), let maximum = bytes("maxmemory"), maximum > 0,
            fields["maxmemory_policy"] == "noeviction"
        else { return nil }
        usedBytes = used - (bytes("mem_not_counted_for_evict") ?? 0)
        maximumBytes = maximum
    }
}

extension Store {
    /// How much memory Redis has taken; nil where it has no maximum, or does not let this user ask.
    /// - Throws: ``StoreUnavailable``.
    public func memoryUse() throws(StoreUnavailable) -> MemoryUse? {
        // A refusal has no value in its place.
        let reply = try pipeline("INFO", [["memory"]]).first
        return (try? reply?.text()).flatMap { MemoryUse(information: $0) }
    }
}
