import Redis
import TestServers

extension RedisServer {
    var unixEndpoint: Endpoint { .unix(path: socketPath) }
    var tcpEndpoint: Endpoint { .tcp(host: "127.0.0.1", port: port) }

    /// Returns a connection over the Unix socket, with timeouts long enough for a busy machine unless specified.
    func connection(
        connectTimeout: Duration = .seconds(5),
        commandTimeout: Duration = .seconds(5)
    ) -> Connection {
        Connection(
            ConnectionConfiguration(
                servers: ServerList(unixEndpoint),
                connectTimeout: connectTimeout,
                commandTimeout: commandTimeout
            )
        )
    }
}

/// Returns the duration of an operation, and the error it threw, if any.
func measured(_ operation: () throws(RedisError) -> Void) -> (duration: Duration, error: RedisError?) {
    let start = ContinuousClock.now
    do {
        try operation()
        return (start.duration(to: .now), nil)
    } catch {
        return (start.duration(to: .now), error)
    }
}
