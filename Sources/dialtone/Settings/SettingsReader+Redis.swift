import Redis

/// Where Redis is, and when it has a change for good.
extension SettingsReader {
    func redis() throws(Failure) -> ConnectionConfiguration {
        guard let endpoint = Endpoint(try required("redis.address")) else {
            throw wrong("redis.address", "unix:/path or tcp:host:port")
        }
        let commandMilliseconds = try number("redis.commandTimeoutMilliseconds", in: 10...30_000, or: 1000)
        return ConnectionConfiguration(
            endpoint: endpoint,
            user: source.text("redis.user"),
            password: source.text("redis.password"),
            database: try number("redis.database", in: 0...65_535, or: 0),
            connectTimeout: .milliseconds(try number("redis.connectTimeoutMilliseconds", in: 10...30_000, or: 500)),
            commandTimeout: .milliseconds(commandMilliseconds),
            replicaConfirmation: try replicaConfirmation(commandMilliseconds: commandMilliseconds)
        )
    }

    /// nil where changes are not to wait for replicas.
    private func replicaConfirmation(commandMilliseconds: Int) throws(Failure) -> ReplicaConfirmation? {
        let replicas = try number("redis.replicasBeforeAnswer", in: 0...16, or: 0)
        let milliseconds = try number("redis.replicaTimeoutMilliseconds", in: 1...30_000, or: 300)
        guard let confirmation = ReplicaConfirmation(replicas: replicas, milliseconds: milliseconds) else { return nil }
        guard milliseconds < commandMilliseconds else {
            let command = SettingName.shown("redis.commandTimeoutMilliseconds")
            throw wrong("redis.replicaTimeoutMilliseconds", "less than \(command), which is \(commandMilliseconds)")
        }
        return confirmation
    }
}
