extension Link {
    /// Logs in, selects the database and sets the connection's name, in one round trip.
    ///
    /// - Throws: ``RedisError/refused(_:)`` if the server rejects the user, among others.
    func logIn(_ configuration: ConnectionConfiguration, until end: Instant) throws(RedisError) {
        var commands: [Command] = []
        if let password = configuration.password {
            var command = Command("AUTH")
            if let user = configuration.user { command.append(user) }
            command.append(password)
            commands.append(command)
        }
        if configuration.database != 0 { commands.append(Command("SELECT", .integer(Int64(configuration.database)))) }
        commands.append(Command("CLIENT", "SETNAME", .text(configuration.clientName)))
        for command in commands { append(command) }
        do {
            try flush(until: end)
            for _ in commands { _ = try nextReply(until: end).get() }
        } catch .connectionLost(let reason) {
            throw .unavailable(reason)  // nothing from the caller has been sent yet
        }
    }
}
