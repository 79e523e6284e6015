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
        let sentinels = configuration.watch?.sentinels
        let failovers = try sentinels?.failoverCount()
        let calls = mark.map { [command, $0] } ?? [command]
        var replies = try exchange(calls + [confirmation.command], deadline: deadline)
        if replies.contains(where: \.isUnknownScript) {
            let loads = calls.compactMap { $0.script?.loading }
            replies = try exchange(loads + calls + [confirmation.command], deadline: deadline)
            for load in replies.prefix(loads.count) { _ = try load.get() }
            replies.removeFirst(loads.count)
        }
        let reply = try reply(in: replies, confirmedBy: confirmation)
        if let sentinels, let failovers, !sentinels.hasCounted(failovers) {
            throw .notReplicated(replicas: 0, of: confirmation.replicas)
        }
        unconfirmedReply = nil
        return reply
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
        unconfirmedReply = reply
        for case .error(let error) in replies[1..<(replies.count - 1)] { throw .server(error) }
        try confirmation.check(replies[replies.count - 1])
        return reply
    }
}
