import TestServers

@testable import Redis

extension RedisCluster {
    /// Returns a configuration with timeouts long enough for a busy machine unless specified.
    func configuration(
        _ list: String? = nil,
        tls: TLSContext? = nil,
        user: RedisServer.User? = nil,
        commandTimeout: Duration = .seconds(5),
        replicaConfirmation: ReplicaConfirmation? = nil
    ) throws -> ConnectionConfiguration {
        ConnectionConfiguration(
            servers: try RedisAddress("redis+cluster://\(list ?? self.list)").servers,
            tls: tls,
            user: user?.name,
            password: user?.password,
            connectTimeout: .seconds(5),
            commandTimeout: commandTimeout,
            replicaConfirmation: replicaConfirmation,
            maxRetryDelay: .milliseconds(100)
        )
    }

    func connection() throws -> Connection { Connection(try configuration()) }
}
