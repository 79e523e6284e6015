import TestServers
import Testing

@testable import Redis

@Suite struct ScriptTests {
    let redis: RedisServer
    let connection: Connection
    let count = Script(name: "count", source: Array("return {redis.call('INCRBY', KEYS[1], ARGV[1]), ARGV[2]}".utf8))
    let double = Script(name: "double", source: Array("return ARGV[1] * 2".utf8))

    init() throws {
        redis = try RedisServer.start()
        connection = redis.connection()
    }

    @Test("a script runs once, whether the server had it, did not have it, or lost it")
    func run() throws {
        for total in 1...3 {
            let reply = try connection.run(count, keys: ["key": "total"], arguments: ["a": 1, "b": "tag"])
            #expect(reply == .array([.integer(Int64(total)), .bytes(Array("tag".utf8))]))
            redis.cli("SCRIPT", "FLUSH")
        }
        #expect(redis.cli("GET", "total") == "3")
    }

    @Test("a script that packs its arguments gets them and a list, whatever their lengths")
    func packed() throws {
        for count in [0, 1, 15, 16, 70] {
            let list = (0..<count).map { Argument.bytes([UInt8](repeating: UInt8($0), count: $0)) }
            let lengths = [0, 1, 31, 32, 255, 256, 65_535, 65_536]
            for length in lengths {
                let text = String(repeating: "é", count: length / 2) + String(repeating: "x", count: length % 2)
                let arguments = NamedValues(["number": -7, "text": .text(text)], list: "list", list)
                let script = Script(
                    name: "packed",
                    source: Array((arguments.packedDeclarations + "return {number, text, list}").utf8),
                    packsArguments: true
                )
                let values = list.map { Reply.bytes($0.bytes) }
                let expected = Reply.array([.bytes(Array("-7".utf8)), .bytes(Array(text.utf8)), .array(values)])
                #expect(try connection.run(script, keys: [:], arguments: arguments) == expected)
            }
        }
    }

    @Test("missing scripts in a pipeline are repaired in place")
    func pipeline() throws {
        for _ in 0..<2 {
            let replies = try connection.pipeline([
                Command("PING"), Command(double, keys: [:], arguments: ["a": 4]), Command("ECHO", "x"),
                Command(double, keys: [:], arguments: ["a": 5]),
                Command(count, keys: ["key": "other"], arguments: ["a": 0, "b": "y"]),
            ])
            #expect(replies[0] == .status("PONG"))
            #expect(replies[1] == .integer(8))
            #expect(replies[2].text == "x")
            #expect(replies[3] == .integer(10))
            #expect(replies[4].array?.last?.text == "y")
            redis.cli("SCRIPT", "FLUSH")
        }
    }

    @Test("loaded scripts keep their place in a pipeline")
    func loaded() throws {
        _ = try connection.send(count.loading)
        let replies = try connection.pipeline([
            Command(count, keys: ["key": "n"], arguments: ["a": 1, "b": ""]), Command("GET", "n"),
        ])
        #expect(replies[1].text == "1")
    }

    @Test("a failing script is reported, not repeated")
    func failing() throws {
        let failing = Script(
            name: "failing",
            source: Array("redis.call('INCR', 'runs') return redis.error_reply('LIMITED come back later')".utf8)
        )
        #expect(throws: RedisError.server(ServerError(line: "LIMITED come back later"))) {
            try connection.run(failing, keys: [:], arguments: [:])
        }
        #expect(redis.cli("GET", "runs") == "1")
        let broken = Script(name: "broken", source: Array("this is no Lua".utf8))
        #expect(throws: RedisError.self) { try connection.run(broken, keys: [:], arguments: [:]) }
        #expect(try connection.send(Command("PING")) == .status("PONG"))
    }
}

extension Argument {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .integer(let number): Array(String(number).utf8)
        }
    }
}
