public import Redis

extension RedisState {
    /// Reads a Redis's own reports. Changes nothing, and leaves out what the ACL does not permit the user to read.
    /// `now` returns this machine's time in milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable`` if Redis cannot be reached or rejects the user.
    public static func read(
        _ configuration: ConnectionConfiguration,
        now: () -> Int64
    ) throws(StoreUnavailable) -> RedisState {
        let states = try readAll(configuration, now: now)
        guard let first = states.first else { throw .unexpectedReply }
        return first
    }

    /// Does the same for all masters of a cluster. A master that cannot be reached gets a state that says so.
    /// - Throws: ``StoreUnavailable`` if no master can be reached, or they reject the user.
    static func readAll(
        _ configuration: ConnectionConfiguration,
        now: () -> Int64
    ) throws(StoreUnavailable) -> [RedisState] {
        let connection = Connection(configuration)
        do throws(RedisError) {
            var states: [RedisState] = []
            for node in try connection.nodes() {
                do throws(RedisError) {
                    states.append(try read(node, connection, now))
                } catch {
                    guard connection.isCluster else { throw error }
                    states.append(RedisState(node: node.description, failure: error.description))
                }
            }
            return states
        } catch {
            throw StoreUnavailable(error)
        }
    }

    private static func read(
        _ node: ServerNode,
        _ connection: Connection,
        _ now: () -> Int64
    ) throws(RedisError) -> RedisState {
        var state = RedisState()
        state.clockDifference = try clockDifference(node, connection, now)
        state.information = try answer(to: Command("INFO"), node, connection)?.information
        for name in settingNames {
            let reply = try answer(to: Command("CONFIG", "GET", .text(name)), node, connection)
            state.settings[name] = reply?.array?.last?.text
        }
        state.refusedCommands = try refusedCommands(node, connection)
        if connection.isCluster {
            state.node = node.description
            state.cluster = try answer(to: Command("CLUSTER", "INFO"), node, connection)?.information ?? [:]
            let nodes = try answer(to: Command("CLUSTER", "NODES"), node, connection)?.text
            state.openSlots = nodes.map(OpenSlot.all)
        }
        let deployment = Command("HGETALL", .text(KeyNames.deployment))
        if connection.isCluster || state.information?["cluster_enabled"] == "1" {
            // The key is on one of the nodes, and may be on one that cannot be reached. Replicas have no keys to read.
            state.deployment = (try? connection.send(deployment)).map { ScriptReply($0).fields(from: 0).texts }
        } else {
            state.deployment = try answer(to: deployment, node, connection)
                .map { ScriptReply($0).fields(from: 0).texts }
        }
        return state
    }

    /// Settings that `INFO` does not contain.
    private static let settingNames = [
        "appendfsync", RedisState.rewriteName, RedisState.minimumName, RedisState.maximumLagName,
        "stop-writes-on-bgsave-error", "hash-max-listpack-value", RedisState.coverageName,
    ]

    private static func clockDifference(
        _ node: ServerNode,
        _ connection: Connection,
        _ now: () -> Int64
    ) throws(RedisError) -> Int64 {
        // Connects first, so that connecting does not count towards the measured time.
        _ = try connection.send(Command("PING"), to: node)
        let before = now()
        let reply = try connection.send(Command("TIME"), to: node)
        let after = now()
        let parts = (reply.array ?? []).compactMap { $0.text.flatMap { Int64($0) } }
        guard parts.count == 2 else { throw .protocolViolation("TIME gave no time") }
        return parts[0] * 1000 + parts[1] / 1000 - (before + after) / 2
    }

    private static func refusedCommands(
        _ node: ServerNode,
        _ connection: Connection
    ) throws(RedisError) -> [String]? {
        do {
            let needed = NeededCommands.all + (connection.isCluster ? NeededCommands.ofClusters : [])
            let commands = NamedValues(list: "commands", needed.map { Argument.text($0) })
            let script = LuaScript.checkRights.script([:], commands)
            let reply = try connection.send(Command(script, keys: [:], arguments: commands), to: node)
            return reply.array.map { $0.compactMap(\.text) }
        } catch .refused {
            return ["EVALSHA", "SCRIPT LOAD"]
        }
    }

    /// Returns nil if the ACL denies the command, or the operator has disabled it.
    private static func answer(
        to command: Command,
        _ node: ServerNode,
        _ connection: Connection
    ) throws(RedisError) -> Reply? {
        do {
            return try connection.send(command, to: node)
        } catch .refused {
            return nil
        } catch .server {
            return nil
        }
    }
}
