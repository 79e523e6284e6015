extension Link {
    /// Logs in, selects the database and sets the connection's name, in one round trip.
    ///
    /// - Parameters:
    ///   - configuration: the user, the database and the name.
    ///   - requiresMaster: whether a replica is an error.
    ///   - end: the deadline.
    /// - Throws: ``RedisError``, such as ``RedisError/refused(_:)`` if the server rejects the user.
    func logIn(
        _ configuration: ConnectionConfiguration,
        requiresMaster: Bool = false,
        until end: Instant
    ) throws(RedisError) {
        var commands: [Command] = []
        if let password = configuration.password {
            var command = Command("AUTH")
            if let user = configuration.user { command.append(user) }
            command.append(password)
            commands.append(command)
        }
        if configuration.database != 0 { commands.append(Command("SELECT", .integer(Int64(configuration.database)))) }
        commands.append(Command("CLIENT", "SETNAME", .text(configuration.clientName)))
        // Every user may read the role from HELLO. ROLE would need an additional permission.
        if requiresMaster { commands.append(Command("HELLO")) }
        for command in commands { append(command) }
        var last = Reply.null
        do {
            try flush(until: end)
            for _ in commands { last = try nextReply(until: end).get() }
        } catch .connectionLost(let reason) {
            // No command of the caller has been sent yet. A Redis that expects TLS closes plain connections.
            throw .unavailable(mayLackTLS ? "\(reason); if it expects TLS, the address is rediss://" : reason)
        } catch .protocolViolation(let reason) {
            throw isAlert(reason)
                ? .unavailable("it expects TLS: the address is rediss://") : .protocolViolation(reason)
        }
        if requiresMaster { try last.requireMaster() }
    }

    /// Whether a protocol error shows the first byte of a TLS alert (RFC 8446 § 5.1).
    private func isAlert(_ reason: String) -> Bool { mayLackTLS && reason.contains(#"\x15"#) }
}

extension Reply {
    /// Verifies that this reply to `HELLO` comes from a master.
    /// - Throws: ``RedisError/unavailable(_:)``
    fileprivate func requireMaster() throws(RedisError) {
        guard let role = value(of: "role") else {
            throw .unavailable("it does not report its role: Redis 6.2 or later is required")
        }
        guard role == "master" else { throw .unavailable("it is a \(role), not the master") }
    }
}
