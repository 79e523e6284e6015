extension Connection {
    /// Whether confirmed script calls wait for replicas.
    public var waitsForReplicas: Bool { configuration.replicaConfirmation != nil }

    /// Sends a script call, and waits until replicas have what it wrote.
    ///
    /// `WAIT` covers the writes of its own connection, so all commands use one connection, the writes first. On a
    /// second try, the script may find that the lost connection made all writes. The `mark` is then the write that
    /// replicas confirm, and with it all earlier writes of the slot.
    ///
    /// - Throws: ``RedisError/notReplicated(replicas:of:)`` if too few replicas confirmed the writes, or if a failover
    ///   began meanwhile, because a failover may drop writes that a replica has confirmed.
    func send(
        _ command: Command,
        markedBy mark: Command?,
        confirmedBy confirmation: ReplicaConfirmation,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        try withoutFailover(confirmation) { () throws(RedisError) in
            let calls = mark.map { [command, $0] } ?? [command]
            var replies = try exchange(calls + [confirmation.command], deadline: deadline)
            if let unknown = replies.firstIndex(where: \.isUnknownScript) {
                // The server has executed the commands that precede the unknown script. They are not resent, because
                // their second replies could differ, and only this server can confirm them.
                let (link, open) = (node.link, calls[unknown...])
                let loads = open.compactMap { $0.script?.loading }
                do throws(RedisError) {
                    let repaired = try exchange(loads + open + [confirmation.command], deadline: deadline)
                    for load in repaired.prefix(loads.count) { _ = try load.get() }
                    replies.replaceSubrange(unknown..., with: repaired.dropFirst(loads.count))
                    guard unknown == 0 || link === node.link else {
                        throw RedisError.connectionLost("before replicas had the changes")
                    }
                } catch {
                    throw unknown == 0 ? error : error.afterWrites
                }
            }
            return try self.reply(in: replies, confirmedBy: confirmation)
        }
    }

    /// Writes and waits for replicas, while no failover of the master begins.
    private func withoutFailover<Answer>(
        _ confirmation: ReplicaConfirmation,
        _ write: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        guard let sentinels = configuration.watch?.sentinels else { return try write() }
        let failovers = try sentinels.failoverCount()
        let answer = try write()
        // The link may be newer than the count, and a Sentinel that does not yet know of the failover may have led to
        // the former master.
        guard let master = node.link?.endpoint, sentinels.countsConfirmation(by: master, since: failovers)
        else { throw .notReplicated(replicas: 0, of: confirmation.replicas) }
        return answer
    }

    /// Sends several commands at once, as ``pipeline(_:deadline:)`` does, and waits in a second round trip until
    /// replicas have what they wrote in the slots of `keys`.
    ///
    /// The servers that executed the commands must still be the masters then, because another master need not have the
    /// writes. On a single server, both round trips must use one link.
    ///
    /// - Parameters:
    ///   - commands: the commands.
    ///   - keys: a key of each slot in which the commands write.
    ///   - blockTime: how long the commands may block on the server before it replies.
    ///   - hasWritten: whether a reply shows that its command has written something.
    ///   - deadline: the time after which the replies are useless.
    /// - Returns: the replies, as from ``pipeline(_:deadline:)``.
    /// - Throws: ``RedisError``; whether the commands were executed is then unknown.
    public func pipeline(
        _ commands: [Command],
        confirmingSlotsOf keys: some Collection<String>,
        blockingFor blockTime: Duration = .zero,
        if hasWritten: (Reply) -> Bool = { _ in true },
        deadline: Instant? = nil
    ) throws(RedisError) -> [Reply] {
        self.blockTime = blockTime
        defer { self.blockTime = .zero }
        guard let confirmation = configuration.replicaConfirmation, let slotMark, let key = keys.first else {
            return try pipeline(commands, deadline: deadline)
        }
        if let cluster {
            return try pipeline(commands, confirmingSlotsOf: keys, if: hasWritten, by: confirmation, cluster, deadline)
        }
        return try withoutFailover(confirmation) { () throws(RedisError) in
            let replies = try pipeline(commands, deadline: deadline)
            guard replies.contains(where: hasWritten) else { return replies }
            let link = node.link
            do throws(RedisError) {
                // On a second try, the lost connection may have made all writes. The mark is the server's last write,
                // so its confirmation covers all slots.
                _ = try send(slotMark(key), markedBy: nil, confirmedBy: confirmation, deadline)
            } catch {
                throw error.afterWrites
            }
            guard let link, link === node.link else { throw .connectionLost("before replicas had the changes") }
            return replies
        }
    }

    /// Returns a script's reply, which precedes those of a mark and of `WAIT`.
    ///
    /// Once the script was executed, no error of the others may mean that it was not: a mark that a cluster's node
    /// redirects, for example.
    func reply(
        in replies: [Reply],
        confirmedBy confirmation: ReplicaConfirmation
    ) throws(RedisError) -> Reply {
        let reply = try replies[0].get()
        for case .error(let error) in replies[1..<(replies.count - 1)] { throw .server(error) }
        try confirmation.check(replies[replies.count - 1])
        return reply
    }
}

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
