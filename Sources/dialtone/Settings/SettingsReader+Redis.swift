import Redis

extension SettingsReader<DeploymentValues> {
    /// Returns the address of Redis, and the replicas that must confirm changes.
    func connection() throws(FaultySetting) -> ConnectionConfiguration {
        let redis = self.redis
        return ConnectionConfiguration(
            endpoint: try required(\.redis.address),
            user: redis.user,
            password: redis.password,
            database: redis.database,
            connectTimeout: redis.connectTimeout,
            commandTimeout: redis.commandTimeout,
            replicaConfirmation: collect(try replicaConfirmation()) ?? nil
        )
    }

    /// Returns the required replica confirmation; nil if changes do not wait for replicas.
    private func replicaConfirmation() throws(FaultySetting) -> ReplicaConfirmation? {
        let milliseconds = Int(self.redis.replicaTimeout / .milliseconds(1))
        guard
            let confirmation = ReplicaConfirmation(
                replicas: self.redis.replicasBeforeAnswer,
                milliseconds: milliseconds
            )
        else { return nil }
        try check(\.redis.replicaTimeout, \.redis.commandTimeout)
        guard self.redis.replicaTimeout < self.redis.commandTimeout else {
            let command = Int(self.redis.commandTimeout / .milliseconds(1))
            let name = name(of: \.redis.replicaTimeout)
            let form = "less than \(self.name(of: \.redis.commandTimeout)), which is \(command)"
            throw FaultySetting(name: name, line: "\(name): \(milliseconds) is not \(form)")
        }
        return confirmation
    }
}
