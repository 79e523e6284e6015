extension Connection {
    /// Sends a call of a script, and waits until replicas have what it wrote.
    ///
    /// The server counts what the connection itself has written: both commands go over the same one, the write first.
    func send(
        _ command: Command,
        of script: Script,
        confirmedBy confirmation: ReplicaConfirmation,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        var replies = try exchange([command, confirmation.command], deadline: deadline)
        if replies[0].isUnknownScript {
            replies = try exchange([script.loading, command, confirmation.command], deadline: deadline)
            _ = try replies.removeFirst().get()
        }
        let reply = try replies[0].get()
        try confirmation.check(replies[1])
        return reply
    }
}
