import Redis
import TestServers
import Testing

/// Commands, pipelines and replies, with a healthy server.
@Suite struct CommandExchangeTests {
    let redis: RedisServer
    let connection: Connection

    init() throws {
        redis = try RedisServer.start()
        connection = redis.connection()
    }

    @Test("a connection works over a Unix socket and over TCP")
    func transports() throws {
        for endpoint in [redis.unixEndpoint, redis.tcpEndpoint] {
            let connection = Connection(
                ConnectionConfiguration(servers: ServerList(endpoint), connectTimeout: .seconds(5))
            )
            #expect(try connection.send(Command("PING")) == .status("PONG"))
            #expect(try connection.send(Command("CLIENT", "GETNAME")).text == ConnectionConfiguration.nameOfProcess)
        }
    }

    @Test("a connection selects its database")
    func database() throws {
        let third = Connection(
            ConnectionConfiguration(servers: ServerList(redis.unixEndpoint), database: 3, connectTimeout: .seconds(5))
        )
        _ = try third.send(Command("SET", "key", "in 3"))
        #expect(try connection.send(Command("GET", "key")) == .null)
        #expect(redis.cli("-n", "3", "GET", "key") == "in 3")
    }

    @Test("each kind of reply has its type")
    func kinds() throws {
        #expect(try connection.send(Command("SET", "key", "value")) == .status("OK"))
        #expect(try connection.send(Command("GET", "key")) == .bytes(Array("value".utf8)))
        #expect(try connection.send(Command("GET", "none")) == .null)
        #expect(try connection.send(Command("INCRBY", "count", -7)) == .integer(-7))
        #expect(try connection.send(Command("MGET", "key", "none")) == .array([.bytes(Array("value".utf8)), .null]))
        let nested = try connection.send(Command("EVAL", "return {1, {2, {3, {}}}, redis.error_reply('ODD one')}", 0))
        let innermost: Reply = .array([.integer(3), .array([])])
        #expect(
            nested == .array([.integer(1), .array([.integer(2), innermost]), .error(ServerError(line: "ODD one"))])
        )
    }

    @Test("a value may contain any bytes and be large", arguments: [0, 1, 256, 16_384, 5_000_000])
    func values(size: Int) throws {
        let value = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        _ = try connection.send(Command("SET", .bytes([0, 13, 10, 255]), .bytes(value)))
        #expect(try connection.send(Command("GET", .bytes([0, 13, 10, 255]))) == .bytes(value))
        #expect(try connection.send(Command("STRLEN", .bytes([0, 13, 10, 255]))) == .integer(Int64(size)))
    }

    @Test("a pipeline's replies are in the order of its commands, including errors")
    func pipelineOrder() throws {
        var commands = (0..<1000).map { Command("ECHO", .integer(Int64($0))) }
        commands[500] = Command("LPUSH", "list")
        let replies = try connection.pipeline(commands)
        #expect(replies.count == 1000)
        for (index, reply) in replies.enumerated() where index != 500 { #expect(reply.text == String(index)) }
        #expect(throws: RedisError.server(ServerError(line: "ERR wrong number of arguments for 'lpush' command"))) {
            try replies[500].get()
        }
        #expect(try connection.pipeline([]) == [])
    }

    @Test("an error reply is thrown, and the connection stays usable")
    func errorReply() throws {
        _ = try connection.send(Command("SET", "key", "text"))
        let identity = try connection.send(Command("CLIENT", "ID"))
        let error = #expect(throws: RedisError.self) { try connection.send(Command("LPUSH", "key", "x")) }
        guard case .server(let details) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.code == "WRONGTYPE")
        #expect(try connection.send(Command("CLIENT", "ID")) == identity)
    }

    @Test("out-of-memory and read-only errors have their own types")
    func typedErrors() throws {
        redis.cli("CONFIG", "SET", "maxmemory", "1")
        #expect(throws: RedisError.outOfMemory) { try connection.send(Command("SET", "key", "x")) }
        redis.cli("CONFIG", "SET", "maxmemory", "0")
        redis.cli("REPLICAOF", "127.0.0.1", "1")
        let error = #expect(throws: RedisError.self) { try connection.send(Command("SET", "key", "x")) }
        guard case .unavailable(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.hasPrefix("READONLY"))
    }
}
