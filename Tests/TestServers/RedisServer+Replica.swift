extension RedisServer {
    /// Starts a replica of this server, and returns when the replica is in sync. With `tls`, it follows the TLS port.
    ///
    /// - Throws: ``StartError`` or ``ServerFailure``
    public func startReplica(tls: TLS? = nil) throws -> RedisServer {
        // By default, a diskless sync waits for more replicas.
        cli("CONFIG", "SET", "repl-diskless-sync-delay", "0")
        let follows = tls == nil ? [] : ["tls-replication yes"]
        let master = tls.flatMap { _ in tlsPort } ?? port
        let replica = try RedisServer.start(tls: tls, settings: follows + ["replicaof 127.0.0.1 \(master)"])
        guard eventually({ cli("WAIT", "1", "100") != "0" && isOnline(replica) }) else {
            throw ServerFailure(description: "the replica did not follow: \(replica.log.suffix(500))")
        }
        return replica
    }

    private func isOnline(_ replica: RedisServer) -> Bool {
        cli("INFO", "replication").split(whereSeparator: \.isNewline).contains {
            $0.contains("port=\(replica.tlsPort ?? replica.port),state=online")
        }
    }
}
