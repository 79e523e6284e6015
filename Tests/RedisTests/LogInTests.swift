import Redis
import TestServers
import Testing

@Suite struct LogInTests {
    @Test("the correct user logs in")
    func right() throws {
        let redis = try RedisServer.start(user: .init("app", password: "correct-horse"))
        let connection = connection(to: redis, as: "app", "correct-horse")
        #expect(try connection.send(Command("ACL", "WHOAMI")).text == "app")
    }

    @Test("a wrong or missing password is rejected with an error that does not contain it", arguments: ["staple", nil])
    func wrong(password: String?) throws {
        let redis = try RedisServer.start(user: .init("app", password: "correct-horse"))
        let error = #expect(throws: RedisError.self) {
            try connection(to: redis, as: "app", password).send(Command("PING"))
        }
        guard case .refused(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.hasPrefix(password == nil ? "NOAUTH" : "WRONGPASS"))
        #expect(!reason.contains("staple"))
    }

    @Test("a password without a user belongs to the default user")
    func defaultUser() throws {
        let redis = try RedisServer.start()
        redis.cli("CONFIG", "SET", "requirepass", "hush")
        let connection = connection(to: redis, as: nil, "hush")
        #expect(try connection.send(Command("ACL", "WHOAMI")).text == "default")
    }

    @Test("a command without permission is rejected")
    func permissions() throws {
        let redis = try RedisServer.start()
        redis.cli("ACL", "SETUSER", "reader", "on", ">hush", "~*", "+get", "+client")
        let connection = connection(to: redis, as: "reader", "hush")
        #expect(try connection.send(Command("GET", "key")) == .null)
        let error = #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "secret")) }
        guard case .refused(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.hasPrefix("NOPERM"))
        #expect(!reason.contains("secret"))
    }

    private func connection(to redis: RedisServer, as user: String?, _ password: String?) -> Connection {
        Connection(
            ConnectionConfiguration(
                servers: ServerList(redis.unixEndpoint),
                user: user,
                password: password,
                connectTimeout: .seconds(5),
                commandTimeout: .seconds(5)
            )
        )
    }
}
