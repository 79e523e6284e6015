import APNsStandIn
import Cryptography
import Glibc
import Synchronization
import TestServers
import Testing

@testable import Redis

/// TLS connections to real servers.
@Suite struct TLSTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func serverTLS(
        _ identity: TestAuthority.Identity? = nil,
        requiresClients: Bool = false
    ) throws -> RedisServer.TLS {
        let identity = try identity ?? authority.serverIdentity()
        return RedisServer.TLS(
            authority: authority.certificatePEM,
            certificate: identity.certificate,
            privateKey: identity.privateKey,
            requiresClients: requiresClients
        )
    }

    private func server(
        _ identity: TestAuthority.Identity? = nil,
        user: RedisServer.User? = nil,
        requiresClients: Bool = false
    ) throws -> RedisServer {
        try RedisServer.start(user: user, tls: serverTLS(identity, requiresClients: requiresClients))
    }

    private func connection(
        to port: UInt16?,
        host: String = "127.0.0.1",
        trusting authority: TestAuthority? = nil,
        identity: TestAuthority.Identity? = nil,
        serverName: String? = nil,
        user: RedisServer.User? = nil,
        connectTimeout: Duration = .seconds(10)
    ) throws -> Connection {
        let tls = TLSConfiguration(
            authorities: (authority ?? self.authority).certificatePEM,
            identity: identity.map { .init(certificates: $0.certificate, privateKey: $0.privateKey) },
            serverName: serverName
        )
        return Connection(
            ConnectionConfiguration(
                servers: ServerList(.tcp(host: host, port: try #require(port))),
                tls: try TLSContext(tls),
                user: user?.name,
                password: user?.password,
                connectTimeout: connectTimeout,
                commandTimeout: .seconds(10)
            )
        )
    }

    private func failure(of connection: Connection) -> String? {
        let error = #expect(throws: RedisError.self) { try connection.send(Command("PING")) }
        #expect(error?.isUnavailable == true)
        return error?.description
    }

    @Test("a server with a valid certificate for its host is used", arguments: ["127.0.0.1", "localhost"])
    func valid(host: String) throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort, host: host)
        for number in 0..<50 as Range<Int64> {
            #expect(try connection.send(Command("ECHO", .integer(number))).text == String(number))
        }
    }

    @Test("the connection is kept between commands, although the server sends session tickets")
    func tickets() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        let identity = try connection.send(Command("CLIENT", "ID"))
        for _ in 0..<10 { #expect(try connection.send(Command("CLIENT", "ID")) == identity) }
    }

    @Test("commands continue after a failover, with TLS to the Sentinels and to Redis")
    func failover() throws {
        let sentinels = try RedisSentinels(tls: serverTLS())
        func sentinelConnection(_ scheme: String) throws -> Connection {
            let address = try RedisAddress("\(scheme)+sentinel://\(sentinels.list)")
            let tls = address.usesTLS ? TLSConfiguration(authorities: authority.certificatePEM) : nil
            return Connection(
                ConnectionConfiguration(
                    servers: address.servers,
                    tls: try tls.map { try TLSContext($0) },
                    connectTimeout: .seconds(5),
                    commandTimeout: .seconds(5)
                )
            )
        }
        let connection = try sentinelConnection("rediss")
        #expect(try connection.send(Command("SET", "key", "before")) == .status("OK"))
        let former = try #require(sentinels.masterPort)
        #expect(sentinels.startFailover())
        // The former master accepts commands for a moment longer, so the command is repeated.
        #expect(
            eventually(every: .milliseconds(50)) {
                guard let master = sentinels.masterPort, master != former else { return false }
                _ = try? connection.send(Command("SET", "key", "after"))
                return sentinels.server(master)?.cli("GET", "key") == "after"
            }
        )
        // Without TLS, the Sentinels' replies cannot be read.
        #expect(failure(of: try sentinelConnection("redis")) != nil)
    }

    @Test("all nodes of a cluster with TLS and a user are used, and a wrong password is reported")
    func cluster() async throws {
        let user = RedisServer.User("app", password: "correct-horse")
        let cluster = try await RedisCluster.start(user: user, tls: serverTLS())
        let tls = try TLSContext(TLSConfiguration(authorities: authority.certificatePEM))
        let connection = Connection(try cluster.configuration(tls: tls, user: user))
        for (key, server) in zip(cluster.keys("key"), cluster.masters) {
            #expect(try connection.send(Command("SET", .text(key), "x")) == .status("OK"))
            #expect(server.cli("GET", key) == "x")
        }
        let (source, target) = (cluster.masters[0], cluster.masters[1])
        let key = cluster.keys("key")[0]
        cluster.move(cluster.slot(ofKey: key), from: source, to: target)
        #expect(try connection.send(Command("GET", .text(key))).text == "x")
        let wrong = Connection(
            try cluster.configuration(tls: tls, user: RedisServer.User("app", password: "hunter2"))
        )
        let refused = #expect(throws: RedisError.self) { try wrong.send(Command("SET", "key", "value")) }
        guard case .refused = refused else { return #expect(Bool(false), "\(refused as Any)") }
        #expect(refused?.description.contains("hunter2") == false)
    }

    @Test("a user logs in over TLS")
    func user() throws {
        let user = RedisServer.User("app", password: "correct-horse")
        let redis = try server(user: user)
        #expect(try connection(to: redis.tlsPort, user: user).send(Command("ACL", "WHOAMI")).text == "app")
    }

    @Test("the certificate can be required to name a server other than the host")
    func serverName() throws {
        let redis = try server(authority.serverIdentity(names: "DNS:redis.example.com"))
        #expect(
            try connection(to: redis.tlsPort, serverName: "redis.example.com").send(Command("PING")) == .status("PONG")
        )
        #expect(
            try failure(of: connection(to: redis.tlsPort, serverName: "other.example.com"))?.contains("hostname")
                == true
        )
    }

    @Test("a server with another authority, name, address or an expired certificate is rejected with the reason")
    func invalid() throws {
        let stranger = try TestAuthority()
        for (identity, host, trusted, expected) in [
            (nil, "127.0.0.1", stranger, ""),
            (try authority.serverIdentity(names: "DNS:a.example"), "127.0.0.1", authority, "IP address mismatch"),
            (try authority.serverIdentity(names: "IP:127.0.0.1"), "localhost", authority, "hostname mismatch"),
            (try authority.serverIdentity(lifetime: -60), "127.0.0.1", authority, "certificate has expired"),
        ] {
            let redis = try server(identity)
            let connection = try connection(to: redis.tlsPort, host: host, trusting: trusted)
            let reason = try #require(failure(of: connection))
            #expect(reason.contains("its certificate is not valid: \(expected)"), "\(reason)")
        }
    }

    @Test("a server that requires a client certificate gets one, and rejects a missing or unknown one")
    func clients() throws {
        let redis = try server(requiresClients: true)
        let client = try authority.clientIdentity(commonName: "dialtone")
        #expect(try connection(to: redis.tlsPort, identity: client).send(Command("PING")) == .status("PONG"))
        let stranger = try TestAuthority().clientIdentity(commonName: "dialtone")
        for (identity, expected) in [(nil, "certificate required"), (stranger, "alert")] {
            let reason = try #require(failure(of: connection(to: redis.tlsPort, identity: identity)))
            #expect(reason.contains(expected), "\(reason)")
        }
    }

    @Test("a client certificate without its key, and files that are not certificates, are errors")
    func faults() throws {
        let client = try authority.clientIdentity(commonName: "dialtone")
        let other = try authority.clientIdentity(commonName: "other")
        for (configuration, fault) in [
            (TLSConfiguration(authorities: "none"), TLSFault.authorities),
            (TLSConfiguration(authorities: client.privateKey), .authorities),
            (
                TLSConfiguration(identity: .init(certificates: client.privateKey, privateKey: client.privateKey)),
                .certificates("not PEM certificates")
            ),
            (TLSConfiguration(identity: .init(certificates: client.certificate, privateKey: "none")), .privateKey),
            (
                TLSConfiguration(identity: .init(certificates: client.certificate, privateKey: other.privateKey)),
                .privateKey
            ),
        ] { #expect(throws: fault) { try TLSContext(configuration) } }
        #expect(throws: Never.self) { try TLSContext(TLSConfiguration()) }
    }

    @Test("plain TCP to a TLS port fails immediately, with the reason")
    func plainToTLS() throws {
        let redis = try server()
        let alerting = try RawServer { connection in
            _ = connection.read()
            connection.write("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}")
        }
        defer { alerting.stop() }
        for port in [try #require(redis.tlsPort), alerting.port] {
            let plain = Connection(
                ConnectionConfiguration(
                    servers: ServerList(.tcp(host: "127.0.0.1", port: port)),
                    connectTimeout: .seconds(60)
                )
            )
            let (duration, error) = measured { () throws(RedisError) in _ = try plain.send(Command("PING")) }
            #expect(error?.isUnavailable == true)
            #expect(error?.description.contains("rediss://") == true, "\(error as Any)")
            // The call ends before the connect timeout.
            #expect(duration < .seconds(50))
        }
    }

    @Test("a plain port, and a server that never completes the handshake, delay a connection until the connect timeout")
    func silent() throws {
        let redis = try server()
        let server = try RawServer { connection in while connection.read() != nil {} }
        defer { server.stop() }
        for port in [redis.port, server.port] {
            let connection = try connection(to: port, connectTimeout: .seconds(1))
            let (duration, error) = measured { () throws(RedisError) in _ = try connection.send(Command("PING")) }
            #expect(error?.description.contains("is this a port without TLS?") == true, "\(error as Any)")
            #expect((.milliseconds(990) ..< .seconds(30)).contains(duration))
        }
    }

    @Test(
        "a server that ends the connection during the handshake is unavailable",
        arguments: ["", "-ERR no\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"]
    )
    func ends(answer: String) throws {
        let server = try RawServer { connection in
            _ = connection.read()
            if !answer.isEmpty { connection.write(answer) }
        }
        defer { server.stop() }
        _ = try failure(of: connection(to: server.port))
    }

    @Test("a restart between two commands has no effect")
    func restart() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        for stop in [redis.stop, redis.kill] {
            _ = try connection.send(Command("PING"))
            stop()
            try redis.restart()
            #expect(try connection.send(Command("PING")) == .status("PONG"))
        }
    }

    @Test("a connection that the server closed is replaced before use")
    func closedByServer() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        for total in 1...5 {
            #expect(try connection.send(Command("INCR", "count")) == .integer(Int64(total)))
            redis.cli("CLIENT", "KILL", "TYPE", "normal")
        }
    }

    @Test("a command whose server exits is reported and not repeated, and causes no signal")
    func brokenMidway() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        _ = try connection.send(Command("PING"))
        let error = #expect(throws: RedisError.self) { try connection.send(Command("SHUTDOWN", "NOSAVE")) }
        guard case .connectionLost = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("pipelines and values of megabytes pass in both directions")
    func large() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        let value = [UInt8](repeating: 0x78, count: 1 << 20)
        #expect(try connection.send(Command("SET", "key", .bytes(value))) == .status("OK"))
        #expect(try connection.send(Command("GET", "key")).bytes == value)
        let part = Argument.bytes([UInt8](repeating: 0x79, count: 512))
        let replies = try connection.pipeline((0..<4096).map { _ in Command("ECHO", part) })
        #expect(replies.count == 4096)
        #expect(replies.allSatisfy { $0.bytes?.count == 512 })
    }

    @Test("a paused server delays a command until the timeout, and its late reply is dropped")
    func paused() throws {
        let redis = try server()
        let connection = try connection(to: redis.tlsPort)
        _ = try connection.send(Command("PING"))
        redis.pause()
        #expect(throws: RedisError.timedOut) {
            try connection.send(Command("ECHO", "late"), deadline: .now + .milliseconds(300))
        }
        redis.resume()
        #expect(try connection.send(Command("ECHO", "next")).text == "next")
    }

    @Test("while a reply takes long, another thread may be active")
    func steppingAside() throws {
        let redis = try server()
        let waiting = Mutex(try connection(to: redis.tlsPort))
        let other = Mutex(try connection(to: redis.tlsPort))
        let isActive = try anotherThreadIsActive(
            during: { waiting.withLock { _ = try? $0.send(Command("BLPOP", "list", "9")) } },
            ended: { other.withLock { _ = try? $0.send(Command("RPUSH", "list", "x")) } }
        )
        #expect(isActive)
    }

    @Test("threads share one context")
    func threads() throws {
        let redis = try server()
        let context = try TLSContext(TLSConfiguration(authorities: authority.certificatePEM))
        let port = try #require(redis.tlsPort)
        let counts = try inParallel(8) { _ in
            let connection = Connection(
                ConnectionConfiguration(
                    servers: ServerList(.tcp(host: "127.0.0.1", port: port)),
                    tls: context,
                    connectTimeout: .seconds(30),
                    commandTimeout: .seconds(30)
                )
            )
            return try (0..<50).map { _ in try connection.send(Command("INCR", "count")).integer }.count
        }
        #expect(counts.reduce(0, +) == 400)
        #expect(redis.cli("GET", "count") == "400")
    }
}
