/// The nodes of a cluster to which one connection has, or had, links.
final class ClusterNodes {
    let watch: ClusterWatch
    private let configuration: ConnectionConfiguration
    private var map: ClusterMap?
    /// The ``Cluster/version`` of the map.
    private var version: UInt64 = 0
    private var nodes: [Endpoint: Node] = [:]
    /// The counters that are used before the first command.
    private let metrics: ConnectionMetrics

    init(_ watch: ClusterWatch, _ configuration: ConnectionConfiguration) {
        self.watch = watch
        self.configuration = configuration
        metrics = ConnectionMetrics(of: configuration.servers.description)
    }

    /// Returns the current map, and drops the links to servers that it does not contain. Waits for the first map.
    /// - Throws: ``RedisError``
    func currentMap(until end: Link.Instant) throws(RedisError) -> ClusterMap {
        let version = watch.cluster.version
        if let map, version == self.version { return map }
        let new = try watch.map(configuration, until: end)
        map = new
        self.version = version
        let masters = Set(new.masters)
        nodes = nodes.filter { masters.contains($0.key) || $0.value.isBeingPrepared }
        return new
    }

    /// Returns the node with an address.
    func node(_ endpoint: Endpoint) -> Node {
        if let known = nodes[endpoint] { return known }
        let node = Node(configuration, endpoint)
        nodes[endpoint] = node
        return node
    }

    /// Returns the master of a slot.
    /// - Throws: ``RedisError``
    func master(of slot: Slot, until end: Link.Instant) throws(RedisError) -> Node {
        guard let endpoint = try currentMap(until: end).owner(of: slot) else {
            watch.cluster.requestMap()
            throw .unavailable("no node of the cluster has the slot \(slot.number)")
        }
        return node(endpoint)
    }

    /// Returns all masters, for a command without a key: first those with links, the others in random order.
    /// - Throws: ``RedisError``
    func nodesInOrder(until end: Link.Instant) throws(RedisError) -> [Node] {
        let all = try currentMap(until: end).masters.shuffled().map(node)
        return all.filter { $0.link != nil } + all.filter { $0.link == nil }
    }

    /// Returns the counters of the node that will probably execute a command.
    func metrics(of command: Command?) -> ConnectionMetrics {
        guard let slot = command?.slot, let owner = map?.owner(of: slot) else { return metrics }
        return nodes[owner]?.metrics ?? metrics
    }
}
