/// How many replicas must have a write before it counts as done, and how long to wait for them.
///
/// Uses the server's `WAIT`: <https://redis.io/docs/latest/commands/wait/>. `WAIT` makes the loss of a write by a
/// failover less likely, but not impossible: the failover may promote a replica that lacks the write. A confirmation
/// that comes after Sentinel has begun to replace the master does not count: ``Sentinels/failoverCount()``.
public struct ReplicaConfirmation: Hashable, Sendable {
    /// The number of replicas.
    public let replicas: Int
    /// How long to wait for them, in milliseconds.
    public let milliseconds: Int

    /// Requires this many replicas. Returns nil without a replica or a time: the server would wait forever for a time
    /// of 0.
    public init?(replicas: Int, milliseconds: Int) {
        guard replicas > 0, milliseconds > 0 else { return nil }
        self.replicas = replicas
        self.milliseconds = milliseconds
    }

    /// The command that waits for the writes of this connection.
    var command: Command { Command("WAIT", .integer(Int64(replicas)), .integer(Int64(milliseconds))) }

    /// Verifies the reply to ``command``.
    /// - Throws: ``RedisError/notReplicated(replicas:of:)`` if too few replicas confirmed.
    func check(_ reply: Reply) throws(RedisError) {
        guard let confirmed = try reply.get().integer else { throw .protocolViolation("WAIT returned no number") }
        guard confirmed >= replicas else { throw .notReplicated(replicas: Int(confirmed), of: replicas) }
    }
}
