/// The slots of a Redis Cluster and their masters, as reported by one node.
///
/// A map never changes. Connections keep their map until ``Cluster`` has a newer one.
final class ClusterMap: Sendable {
    /// The maximum number of masters in a map. Redis recommends at most 1,000.
    static let maxMasters = 1000

    private static let noOwner = UInt16.max

    /// The masters that have slots, each once.
    let masters: [Endpoint]
    /// The cluster's epoch as known to the node; each failover raises it. 0 if unknown.
    let epoch: UInt64
    /// The index in ``masters`` for each slot.
    private let owners: [UInt16]

    private init(masters: [Endpoint], epoch: UInt64, owners: [UInt16]) {
        self.masters = masters
        self.epoch = epoch
        self.owners = owners
    }

    /// Parses the reply to `CLUSTER SLOTS`: for each range, its first and last slot, its master and its replicas.
    ///
    /// - Parameters:
    ///   - reply: the reply.
    ///   - asked: the node that sent the reply. A node that does not know its own address reports itself without a
    ///     host.
    ///   - epoch: the cluster's epoch.
    /// - Throws: ``RedisError/protocolViolation(_:)``, or ``RedisError/unavailable(_:)`` if no node has slots.
    convenience init(_ reply: Reply, from asked: Endpoint, epoch: UInt64 = 0) throws(RedisError) {
        guard let ranges = reply.array else { throw .protocolViolation("CLUSTER SLOTS gave no list") }
        var masters: [Endpoint] = []
        var indices: [Endpoint: UInt16] = [:]
        var owners = [UInt16](repeating: Self.noOwner, count: Slot.count)
        for range in ranges {
            guard let fields = range.array, fields.count >= 3, let first = fields[0].integer.flatMap({ Slot(Int($0)) }),
                let last = fields[1].integer.flatMap({ Slot(Int($0)) }), first.number <= last.number,
                let master = Self.endpoint(fields[2], from: asked)
            else { throw .protocolViolation("CLUSTER SLOTS gave a range without slots or a master") }
            let index = indices[master] ?? UInt16(masters.count)
            if indices.updateValue(index, forKey: master) == nil { masters.append(master) }
            guard masters.count <= Self.maxMasters else { throw .protocolViolation("the cluster has too many nodes") }
            for slot in Int(first.number)...Int(last.number) { owners[slot] = index }
        }
        guard !masters.isEmpty else { throw .unavailable("no node of the cluster has slots") }
        self.init(masters: masters, epoch: epoch, owners: owners)
    }

    /// Returns the master of a slot; nil if no node has the slot.
    func owner(of slot: Slot) -> Endpoint? {
        let index = owners[Int(slot.number)]
        return index == Self.noOwner ? nil : masters[Int(index)]
    }

    /// Returns a map in which a slot has another master, or this map if it already has that master.
    func moving(_ slot: Slot, to endpoint: Endpoint) -> ClusterMap {
        if owner(of: slot) == endpoint { return self }
        guard let index = masters.firstIndex(of: endpoint) ?? (masters.count < Self.maxMasters ? masters.count : nil)
        else { return self }
        var owners = owners
        owners[Int(slot.number)] = UInt16(index)
        let masters = index < masters.count ? masters : masters + [endpoint]
        return ClusterMap(masters: masters, epoch: epoch, owners: owners)
    }

    /// Returns whether each slot has the same master in both maps.
    func hasSameOwners(as other: ClusterMap) -> Bool {
        if masters == other.masters { return owners == other.owners }
        return (0..<Slot.count).lazy.compactMap { Slot($0) }.allSatisfy { owner(of: $0) == other.owner(of: $0) }
    }

    /// Returns how many masters have been replaced since an earlier map: by a failover, or because a node lost all of
    /// its slots to a new one.
    func replacedMasters(since earlier: ClusterMap) -> Int {
        let (now, before) = (Set(masters), Set(earlier.masters))
        return min(now.subtracting(before).count, before.subtracting(now).count)
    }

    /// Parses a node: its preferred address, its port, its id and, since Redis 7, further addresses by name.
    private static func endpoint(_ node: Reply, from asked: Endpoint) -> Endpoint? {
        guard let fields = node.array, fields.count >= 2, let port = fields[1].integer else { return nil }
        var host = fields[0].text ?? ""
        // The node prefers host names, but has none configured.
        if host == "?" { host = fields.count > 3 ? fields[3].value(of: "ip") ?? "" : "" }
        return Endpoint(host: host, port: String(port), from: asked)
    }
}

extension Endpoint {
    /// Creates the endpoint that a node of a cluster reports; nil if it is invalid. If the host is empty, it is the
    /// host of the node that sent the reply.
    init?(host: String, port: String, from asked: Endpoint) {
        guard host.isEmpty else {
            self.init(host: host, port: port)
            return
        }
        guard case .tcp(let host, _) = asked else { return nil }
        self.init(host: host, port: port)
    }
}
