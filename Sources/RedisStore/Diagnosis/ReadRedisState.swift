public import Redis

extension RedisState {
    /// Reads a Redis's own reports. Changes nothing, and leaves out what the user has no right to read. `now` returns
    /// this machine's time in milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable`` if Redis cannot be reached or rejects the user.
    public static func read(
        _ configuration: ConnectionConfiguration,
        now: () -> Int64
    ) throws(StoreUnavailable) -> RedisState {
        let connection = Connection(configuration)
        do {
            var state = RedisState()
            state.clockDifference = try clockDifference(connection, now)
            if let text = try answer(to: Command("INFO"), connection)?.text { state.information = fields(of: text) }
            for name in settingNames {
                guard let reply = try answer(to: Command("CONFIG", "GET", .text(name)), connection) else { continue }
                state.settings[name] = reply.array?.last?.text
            }
            state.refusedCommands = try refusedCommands(connection)
            state.shards = try answer(to: Command("GET", .text(KeyNames.deploymentShards)), connection)?.text
            return state
        } catch {
            throw StoreUnavailable(description: error.description)
        }
    }

    /// Settings that `INFO` does not contain.
    private static let settingNames = [
        "appendfsync", "min-replicas-to-write", "stop-writes-on-bgsave-error", "hash-max-listpack-value",
    ]

    private static func clockDifference(_ connection: Connection, _ now: () -> Int64) throws(RedisError) -> Int64 {
        // Connects first, so that connecting does not count towards the measured time.
        _ = try connection.send(Command("PING"))
        let before = now()
        let reply = try connection.send(Command("TIME"))
        let after = now()
        let parts = (reply.array ?? []).compactMap { $0.text.flatMap { Int64($0) } }
        guard parts.count == 2 else { throw .protocolViolation("TIME gave no time") }
        return parts[0] * 1000 + parts[1] / 1000 - (before + after) / 2
    }

    private static func refusedCommands(_ connection: Connection) throws(RedisError) -> [String]? {
        do {
            let commands = NamedValues(list: "commands", NeededCommands.all.map { Argument.text($0) })
            let script = LuaScript.checkRights.script([:], commands)
            let reply = try connection.run(script, keys: [:], arguments: commands)
            return reply.array.map { $0.compactMap(\.text) }
        } catch .refused {
            return ["EVALSHA", "SCRIPT LOAD"]
        }
    }

    /// Returns nil if the user has no right to the command, or the operator has disabled it.
    private static func answer(to command: Command, _ connection: Connection) throws(RedisError) -> Reply? {
        do {
            return try connection.send(command)
        } catch .refused {
            return nil
        } catch .server {
            return nil
        }
    }

    private static func fields(of text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
        return fields
    }
}
