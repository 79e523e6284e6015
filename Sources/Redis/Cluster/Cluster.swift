import Metrics
import Synchronization
import Threads

/// A process's knowledge of a Redis Cluster, shared by all of its connections.
///
/// One thread (``ClusterWatch``) reads the slot map, however many connections notice at the same time that the map is
/// outdated. They request a new map, and meanwhile follow the redirections of the nodes.
final class Cluster: Sendable {
    /// The slot map, and the result of the last attempt to read it.
    struct State {
        /// The map; nil before the first one was read.
        var map: ClusterMap?
        /// The number of completed attempts to read the map.
        var attempts: UInt64 = 0
        /// Why the last attempt failed; nil if it succeeded.
        var failure: RedisError?
    }

    private let current = Mutex(State())
    /// Changes with the map.
    private let versions = Atomic<UInt64>(0)
    private let isRequested = Atomic(false)
    private let requests = Semaphore()

    /// A number that changes with the map, so that connections notice a new one without a lock.
    var version: UInt64 { versions.load(ordering: .acquiring) }

    /// The current state.
    var state: State { current.withLock { $0 } }

    /// Requests a new map, because a node was lost or has redirected a command. Does not wait for it.
    func requestMap() {
        if !isRequested.exchange(true, ordering: .acquiringAndReleasing) { requests.signal() }
    }

    /// Waits until a new map is requested, at most for this time.
    func waitForRequest(atMost time: Duration) {
        _ = requests.wait(atMost: time)
        isRequested.store(false, ordering: .releasing)
    }

    /// Records the new master of a slot, and requests a new map, because other slots may have moved with it.
    func moved(_ slot: Slot, to endpoint: Endpoint?) {
        current.withLock { state in
            guard let endpoint, let map = state.map else { return }
            let new = map.moving(slot, to: endpoint)
            guard new !== map else { return }
            state.map = new
            versions.add(1, ordering: .releasing)
        }
        requestMap()
    }

    /// Records a map that was read.
    func read(_ new: ClusterMap) {
        let replaced = current.withLock { state in
            state.attempts += 1
            state.failure = nil
            let former = state.map
            state.map = new
            if let former, former.hasSameOwners(as: new) { return 0 }
            versions.add(1, ordering: .releasing)
            return former.map { new.replacedMasters(since: $0) } ?? 0
        }
        if replaced > 0 { MetricFamily.redisMasterSwitches.count(by: UInt64(replaced)) }
    }

    /// Records why no map could be read.
    func failed(_ error: RedisError) {
        current.withLock { state in
            state.attempts += 1
            state.failure = error
        }
    }
}

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
