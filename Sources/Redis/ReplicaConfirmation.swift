/// How many replicas must have a write before it counts as done, and how long to wait for them.
///
/// The server's `WAIT` asks for it: <https://redis.io/docs/latest/commands/wait/>. It makes the loss of a write by a fail-over less likely, not
/// impossible, because whoever chooses the new master decides which replica that is.
public struct ReplicaConfirmation: Hashable, Sendable {
    /// How many replicas.
    public let replicas: Int
    /// How long to wait for them, in milliseconds.
    public let milliseconds: Int

    /// Asks so many replicas; nil without a replica or without any time, which the server would take for ever.
    public init?(replicas: Int, milliseconds: Int) {
        guard replicas > 0, milliseconds > 0 else { return nil }
        self.replicas = replicas
        self.milliseconds = milliseconds
    }

    /// The command that waits for what this connection has written.
    var command: Command { Command("WAIT", .integer(Int64(replicas)), .integer(Int64(milliseconds))) }

    /// Judges the answer to ``command``.
    /// - Throws: ``RedisError/notReplicated(replicas:of:)`` where it were too few.
    func check(_ reply: Reply) throws(RedisError) {
        guard let confirmed = try reply.get().integer else { throw .protocolViolation("WAIT gave no number") }
        guard confirmed >= replicas else { throw .notReplicated(replicas: Int(confirmed), of: replicas) }
    }
}
