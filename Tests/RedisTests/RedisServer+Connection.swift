import Redis
import TestServers

extension RedisServer {
    var unixEndpoint: Endpoint { .unix(path: socketPath) }
    var tcpEndpoint: Endpoint { .tcp(host: "127.0.0.1", port: port) }

    /// A connection over the Unix socket, with time-outs long enough for a busy machine unless told otherwise.
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

/// What an operation took, and the error it threw, if any.
func measured(_ operation: () throws(RedisError) -> Void) -> (duration: Duration, error: RedisError?) {
    let start = ContinuousClock.now
    do {
        try operation()
        return (start.duration(to: .now), nil)
    } catch {
        return (start.duration(to: .now), error)
    }
}
