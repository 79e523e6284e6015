import Metrics

/// The counters of a connection: operations and their duration, round trips, connections and second tries. They belong
/// to the connection's thread.
final class ConnectionMetrics {
    /// Round trips to the server.
    let roundTrips: Counter
    /// Connections that were opened.
    let connections: Counter
    /// Operations that were sent again.
    let secondTries: Counter
    /// The server, or the configured servers before the first connection.
    let node: String
    private var durations: [String: Histogram] = [:]

    init(of node: String) {
        self.node = node
        let registry = MetricRegistry.process
        roundTrips = registry.counter(.redisRoundTrips, node)
        connections = registry.counter(.redisConnections, node)
        secondTries = registry.counter(.redisSecondTries, node)
    }

    /// Runs an operation, and counts its duration under the name of its first command or script.
    func observing<Answer>(
        _ command: Command?,
        _ operation: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        let start = ContinuousClock.now
        defer { duration(of: command).observe(.now - start) }
        do throws(RedisError) {
            return try operation()
        } catch {
            MetricFamily.redisErrors.count(error.kind, node)
            throw error
        }
    }

    private func duration(of command: Command?) -> Histogram {
        let name = command.map { $0.script?.name ?? $0.name.description } ?? "none"
        if let known = durations[name] { return known }
        let new = MetricRegistry.process.histogram(.redisDuration, name, node)
        durations[name] = new
        return new
    }
}

extension RedisError {
    /// The kind of the error, as a metric label.
    fileprivate var kind: String {
        switch self {
        case .unavailable: "unavailable"
        case .connectionLost: "connection-lost"
        case .timedOut: "timed-out"
        case .refused: "refused"
        case .notReplicated: "not-replicated"
        case .outOfMemory: "out-of-memory"
        case .server: "server"
        case .protocolViolation: "protocol-violation"
        }
    }
}
