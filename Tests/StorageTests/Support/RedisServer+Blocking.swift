import TestServers

extension RedisServer {
    /// Sends a command from another thread once a client blocks on this server.
    func whenBlocking(send words: String...) throws {
        try startThread { [self] in
            if eventually({ cli("INFO", "clients").contains("blocked_clients:1") }) { cli(words) }
        }
    }
}
