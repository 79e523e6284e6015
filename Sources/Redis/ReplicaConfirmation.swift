/// The number of replicas that must have a write before it counts as done, and how long to wait for them.
///
/// It uses the server's `WAIT`: <https://redis.io/docs/latest/commands/wait/>. `WAIT` makes it less likely that a
/// failover loses a write, but not impossible, because the failover may promote a replica that lacks the write. A
/// confirmation that arrives after Sentinel has begun to replace the master does not count:
/// ``Sentinels/countsConfirmation(by:since:)``.
public struct ReplicaConfirmation: Hashable, Sendable {
    /// The number of replicas.
    public let replicas: Int
    /// How long to wait for them, in milliseconds.
    public let milliseconds: Int

    /// Requires this many replicas. Returns nil if either value is not positive: with a timeout of 0, the server would
    /// wait forever.
    public init?(replicas: Int, milliseconds: Int) {
        guard replicas > 0, milliseconds > 0 else { return nil }
        self.replicas = replicas
        self.milliseconds = milliseconds
    }

    /// The command that waits for the writes of this connection.
    var command: Command { Command("WAIT", .integer(Int64(replicas)), .integer(Int64(milliseconds))) }

    /// Verifies the reply to ``command``.
    /// - Throws: ``RedisError/notReplicated(replicas:of:)`` if too few replicas confirmed,
    ///   ``RedisError/connectionLost(_:)`` if the server became a replica and closes the connection, and
    ///   ``RedisError/server(_:)`` if it refused. None of these errors means that the writes were not
    ///   executed.
    func check(_ reply: Reply) throws(RedisError) {
        if case .error(let error) = reply {
            throw error.code == "UNBLOCKED" ? .connectionLost(error.description) : .server(error)
        }
        guard let confirmed = reply.integer else { throw .protocolViolation("WAIT returned no number") }
        guard confirmed >= replicas else { throw .notReplicated(replicas: Int(confirmed), of: replicas) }
    }
}
