extension Connection {
    /// Sends a call of a script, and waits until replicas have what it wrote.
    ///
    /// `WAIT` covers the writes of its own connection, so all commands use one connection, the writes first. A second
    /// execution may find that the lost connection made all writes. The `mark` is then the write that replicas confirm,
    /// and with it all earlier writes of the slot.
    func send(
        _ command: Command,
        markedBy mark: Command?,
        confirmedBy confirmation: ReplicaConfirmation,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        let calls = mark.map { [command, $0] } ?? [command]
        var replies = try exchange(calls + [confirmation.command], deadline: deadline)
        if replies.contains(where: \.isUnknownScript) {
            let loads = calls.compactMap { $0.script?.loading }
            replies = try exchange(loads + calls + [confirmation.command], deadline: deadline)
            for load in replies.prefix(loads.count) { _ = try load.get() }
            replies.removeFirst(loads.count)
        }
        let confirmed = replies.removeLast()
        for reply in replies { _ = try reply.get() }
        try confirmation.check(confirmed)
        return replies[0]
    }
}
