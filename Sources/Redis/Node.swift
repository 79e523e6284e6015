import Metrics
import Threads

/// One server of a connection, with the link to it, if there is one. It belongs to the connection's thread.
final class Node {
    typealias Instant = ContinuousClock.Instant

    /// The server; nil for the server to which the configured servers or Sentinels lead.
    let endpoint: Endpoint?
    /// The link, which may have failed since it was last used.
    private(set) var link: Link?
    /// The counters of the server to which the last link was opened; before that, of the configured servers.
    private(set) var metrics: ConnectionMetrics
    /// Whether the connection runs its first commands on a new link.
    private(set) var isBeingPrepared = false

    private let configuration: ConnectionConfiguration
    private var backoff: Backoff
    /// Why the last attempt to connect failed.
    private var lastFailure = RedisError.unavailable("no connection was attempted")
    /// ``Sentinels/switchCount`` at the time of the last failed attempt to connect.
    private var failureSwitchCount: UInt64 = 0

    /// Creates a node without a link.
    init(_ configuration: ConnectionConfiguration, _ endpoint: Endpoint? = nil) {
        self.configuration = configuration
        self.endpoint = endpoint
        metrics = ConnectionMetrics(of: endpoint?.description ?? configuration.servers.description)
        backoff = Backoff(first: configuration.firstRetryDelay, maximum: configuration.maxRetryDelay)
    }

    /// Returns the current link if it is sound, or a new one.
    ///
    /// - Parameters:
    ///   - deadline: the caller's deadline.
    ///   - isSecondTry: whether connecting may take until the deadline.
    ///   - end: the deadline of connecting.
    ///   - spreadOut: waits for a random time.
    ///   - prepare: sends the first commands on a new link, until the deadline of connecting.
    /// - Returns: the link.
    /// - Throws: ``RedisError/unavailable(_:)``, and ``RedisError/timedOut`` if only the caller's deadline has passed.
    func soundLink(
        _ deadline: Instant?,
        isSecondTry: Bool,
        until end: @autoclosure () -> Instant,
        spreadOut: () -> Void,
        prepare: (Instant) throws(RedisError) -> Void
    ) throws(RedisError) -> Link {
        if let link, isBeingPrepared || !isOutdated(link), link.isQuiet { return link }
        // The links of all threads become outdated at the same time.
        if let link, !isBeingPrepared, isOutdated(link) { spreadOut() }
        link = nil
        guard !isBeingPrepared else { throw .connectionLost("while the new connection was being prepared") }
        if !backoff.isOver(at: .now) {
            guard let watch = configuration.watch, watch.sentinels.switchCount != failureSwitchCount else {
                throw lastFailure
            }
            // The backoff was for a former master.
            backoff.succeeded()
            spreadOut()
        }
        let switchCount = configuration.watch?.sentinels.switchCount ?? 0
        do {
            let link = try connect(until: end(), prepare)
            backoff.succeeded()
            metrics.connections.add()
            return link
        } catch {
            link = nil
            // That the caller's own deadline passed says nothing about the server.
            if !isSecondTry, let deadline, deadline <= .now { throw .timedOut }
            backoff.failed(at: .now)
            failureSwitchCount = switchCount
            lastFailure =
                switch error {
                case .unavailable, .refused: error
                case .timedOut: .unavailable("it accepts connections but does not respond")
                case .connectionLost(let reason): .unavailable("it closed a new connection: \(reason)")
                default: .unavailable("\(error)")
                }
            switch error {
            case .timedOut, .connectionLost: throw lastFailure
            default: throw error
            }
        }
    }

    private func connect(until end: Instant, _ prepare: (Instant) throws(RedisError) -> Void) throws(RedisError) -> Link
    {
        let newLink =
            if let endpoint {
                try Link.connect(to: endpoint, configuration, until: end)
            } else {
                try Link.connect(configuration, until: end)
            }
        let name = newLink.endpoint.description
        if name != metrics.node { metrics = ConnectionMetrics(of: name) }
        link = newLink
        isBeingPrepared = true
        defer { isBeingPrepared = false }
        try prepare(end)
        // Nil if a command in `prepare` failed, even if `prepare` did not rethrow its error.
        guard let link else { throw .connectionLost("while the new connection was being prepared") }
        return link
    }

    /// Drops the link. The next use opens a new one.
    func drop() { link = nil }

    /// Drops a link whose server refuses commands because it is not the master. Returns whether it was dropped. A new
    /// link would probably lead to the same server, so a link is dropped only if it is at least a second old.
    func leaveIfRefusing(_ refusing: Link) -> Bool {
        guard refusing.isRefusing, !isBeingPrepared, isOld(refusing) else { return false }
        link = nil
        return true
    }

    /// Returns whether a link is so old that a new one may lead to another server.
    private func isOld(_ link: Link) -> Bool { link.openedAt.duration(to: .now) >= .seconds(1) }

    /// Returns whether a link may lead to a former master.
    private func isOutdated(_ link: Link) -> Bool {
        guard let watch = configuration.watch else { return false }
        return watch.sentinels.switchCount != link.switchCount || link.isDisputed && isOld(link)
    }
}
