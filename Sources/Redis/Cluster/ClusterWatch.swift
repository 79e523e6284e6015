import Synchronization
import Threads

/// A watch that reads the slot map of a cluster when a connection requests it, on its own thread. There is one per
/// process.
final class ClusterWatch: Sendable {
    let cluster = Cluster()
    private let loop: Loop
    private let isStarted = Mutex(false)

    /// Creates a watch that is not started.
    init(seeds: [Endpoint]) { loop = Loop(cluster, seeds: seeds) }

    deinit { loop.stop() }

    /// Returns the map; waits if the first one has not been read yet.
    ///
    /// - Parameters:
    ///   - configuration: how to log in to the nodes.
    ///   - end: the deadline.
    /// - Returns: the map.
    /// - Throws: ``RedisError``: the reason why no node reported a map.
    func map(_ configuration: ConnectionConfiguration, until end: Link.Instant) throws(RedisError) -> ClusterMap {
        if let map = cluster.state.map { return map }
        let attempts = cluster.state.attempts
        let state = try wait(until: end, configuration) { $0.map != nil || $0.attempts != attempts }
        guard let map = state.map else { throw state.failure ?? Self.tooLate }
        return map
    }

    /// Reads the map again, and returns it.
    ///
    /// - Throws: ``RedisError``: the reason why no node reported a map.
    func newMap(_ configuration: ConnectionConfiguration, until end: Link.Instant) throws(RedisError) -> ClusterMap {
        // The attempt that ends next may have got its reply before this call.
        let enough = cluster.state.attempts + 2
        let state = try wait(until: end, configuration) { $0.attempts >= enough }
        if let failure = state.failure { throw failure }
        guard let map = state.map else { throw Self.tooLate }
        return map
    }

    private static let tooLate = RedisError.unavailable("no node of the cluster named the masters in time")

    private func wait(
        until end: Link.Instant,
        _ configuration: ConnectionConfiguration,
        _ isOver: (Cluster.State) -> Bool
    ) throws(RedisError) -> Cluster.State {
        try start(configuration)
        while true {
            let state = cluster.state
            if isOver(state) { return state }
            guard .now < end else { throw Self.tooLate }
            cluster.requestMap()
            ActiveThreads.sleep(for: .milliseconds(1))
        }
    }

    private func start(_ configuration: ConnectionConfiguration) throws(RedisError) {
        let isRunning = isStarted.withLock { isStarted in
            if !isStarted, let thread = try? WorkThread(name: "cluster", run: { [loop] in loop.run(configuration) }) {
                thread.detach()
                isStarted = true
            }
            return isStarted
        }
        guard isRunning else { throw .unavailable("cannot start a thread for the cluster map") }
    }
}

/// The work of the thread. The thread retains this object, and not the watch, so that the watch can end the thread.
private final class Loop: Sendable {
    /// How long a map is used if no new one is requested.
    private static let maximumAge: Duration = .seconds(30)
    /// The maximum number of nodes of the map that are asked, in addition to the configured nodes.
    private static let maxKnownNodes = 16
    /// The minimum time that a node gets to reply.
    private static let minimumShare: Duration = .milliseconds(100)

    private typealias Instant = Link.Instant

    private let cluster: Cluster
    private let seeds: [Endpoint]
    private let isStopped = Atomic(false)

    init(_ cluster: Cluster, seeds: [Endpoint]) {
        self.cluster = cluster
        self.seeds = seeds
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        cluster.requestMap()
    }

    private var isOver: Bool { isStopped.load(ordering: .acquiring) }

    func run(_ configuration: ConnectionConfiguration) {
        var backoff = Backoff(first: .milliseconds(50), maximum: .seconds(1))
        var lastAnswered: Endpoint?
        while !isOver {
            cluster.waitForRequest(atMost: Self.maximumAge * Double.random(in: 0.8...1.2))
            if isOver { return }
            do throws(RedisError) {
                let (map, node) = try readMap(configuration, first: lastAnswered)
                lastAnswered = node
                cluster.read(map)
                backoff.succeeded()
                // Limits the rate of one process's requests, and spreads the requests of many processes.
                ActiveThreads.sleep(for: .milliseconds(.random(in: 20...100)))
            } catch {
                lastAnswered = nil
                cluster.failed(error)
                backoff.failed(at: .now)
                ActiveThreads.sleep(for: backoff.remaining(at: .now))
            }
        }
    }

    /// Asks one node after another: first the one that replied last, then some nodes of the map and the configured
    /// nodes, in random order. Each gets a share of the connect timeout, so that a node that does not reply leaves time
    /// for the next.
    ///
    /// A node that was paused or partitioned may report former masters. A report is accepted at once if its node sees a
    /// working cluster and knows the latest epoch. If no node sends such a report, the best one is accepted: the
    /// cluster is down, or was recreated.
    private func readMap(
        _ configuration: ConnectionConfiguration,
        first: Endpoint?
    ) throws(RedisError) -> (ClusterMap, Endpoint) {
        let known = cluster.state.map
        let others = (known?.masters ?? []).shuffled().prefix(Self.maxKnownNodes) + seeds
        var nodes = [first].compactMap(\.self)
        for node in Array(others).shuffled() where !nodes.contains(node) { nodes.append(node) }
        let end = Link.Instant.now + configuration.connectTimeout
        var reasons: [String] = []
        var refusal: RedisError?
        var best: (report: ClusterReport, node: Endpoint)?
        for (index, node) in nodes.enumerated() {
            if isOver { break }
            do throws(RedisError) {
                let share = max(Instant.now.duration(to: end) / (nodes.count - index), Self.minimumShare)
                let report = try report(of: node, configuration, until: .now + share)
                if report.isHealthy, report.map.epoch >= known?.epoch ?? 0 { return (report.map, node) }
                if best.map({ report.isBetter(than: $0.report) }) != false { best = (report, node) }
            } catch {
                // A mistake in the settings of one node must not hide the others.
                if error.reasonToGoOn == nil { refusal = refusal ?? error }
                reasons.append("\(node): \(error.reasonToGoOn ?? error.description)")
            }
        }
        if let best { return (best.report.map, best.node) }
        throw refusal ?? .unavailable("no node of the cluster can be used: \(reasons.joined(separator: "; "))")
    }

    private func report(
        of node: Endpoint,
        _ configuration: ConnectionConfiguration,
        until end: Instant
    ) throws(RedisError) -> ClusterReport {
        let link = try Link.connect(to: node, configuration, until: end)
        link.append(Command("CLUSTER", "INFO"))
        link.append(Command("CLUSTER", "SLOTS"))
        try link.flush(until: end)
        let information = try link.nextReply(until: end)
        let slots = try link.nextReply(until: end)
        if case .error(let error) = slots, error.code == "ERR" {
            throw .unavailable("it is not a node of a Redis Cluster: the address is redis:// or rediss://")
        }
        return try ClusterReport(information: information.get(), slots: slots.get(), from: node)
    }
}

/// The report of one node about the cluster.
struct ClusterReport {
    let map: ClusterMap
    /// Whether the node sees a master for each slot, and most of the masters.
    let isHealthy: Bool

    /// Parses the replies to `CLUSTER INFO` and `CLUSTER SLOTS`.
    /// - Throws: ``RedisError``
    init(information: Reply, slots: Reply, from node: Endpoint) throws(RedisError) {
        let values = information.information ?? [:]
        isHealthy = values["cluster_state"] == "ok"
        map = try ClusterMap(slots, from: node, epoch: values["cluster_current_epoch"].flatMap { UInt64($0) } ?? 0)
    }

    /// Returns whether this report probably shows the current state of the cluster, rather than the other report.
    func isBetter(than other: ClusterReport) -> Bool {
        isHealthy == other.isHealthy ? map.epoch > other.map.epoch : isHealthy
    }
}
