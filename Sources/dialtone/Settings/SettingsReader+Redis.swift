import Redis

extension SettingsReader<DeploymentValues> {
    /// Returns the address of Redis, and the replicas that must confirm changes.
    func connection() throws(Failure) -> ConnectionConfiguration {
        let redis = self.redis
        return ConnectionConfiguration(
            endpoint: try required(\.redis.address),
            user: redis.user,
            password: redis.password,
            database: redis.database,
            connectTimeout: redis.connectTimeout,
            commandTimeout: redis.commandTimeout,
            replicaConfirmation: try replicaConfirmation()
        )
    }

    /// Returns the required replica confirmation; nil if changes do not wait for replicas.
    private func replicaConfirmation() throws(Failure) -> ReplicaConfirmation? {
        let milliseconds = Int(self.redis.replicaTimeout / .milliseconds(1))
        guard
            let confirmation = ReplicaConfirmation(
                replicas: self.redis.replicasBeforeAnswer,
                milliseconds: milliseconds
            )
        else { return nil }
        guard self.redis.replicaTimeout < self.redis.commandTimeout else {
            let command = Int(self.redis.commandTimeout / .milliseconds(1))
            throw Failure(
                "\(name(of: \.redis.replicaTimeout)): \(milliseconds) is not less than "
                    + "\(name(of: \.redis.commandTimeout)), which is \(command)"
            )
        }
        return confirmation
    }
}
