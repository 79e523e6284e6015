import Testing

@testable import Redis

/// Replies that hiredis reads from a server's bytes, and their conversion.
@Suite struct ReplyReaderTests {
    /// A class around the reader, because expectations copy the values that they mention.
    private final class Reader {
        private let reader: ReplyReader

        init() throws { reader = try ReplyReader() }

        func next() throws -> Reply? { try reader.next() }

        func feed(_ text: String) { feed(Array(text.utf8)) }

        func feed(_ bytes: [UInt8]) {
            let isTaken = bytes.withUnsafeBytes { reader.feed($0) }
            #expect(isTaken)
        }
    }

    /// Returns the replies in a text, which is read to its end.
    private func replies(in text: String) throws -> [Reply] {
        let reader = try Reader()
        reader.feed(text)
        var replies: [Reply] = []
        while let reply = try reader.next() { replies.append(reply) }
        return replies
    }

    static let kinds: [(text: String, reply: Reply)] = [
        ("+OK\r\n", .status("OK")), ("+\r\n", .status("")),
        ("-ERR no\r\n", .error(ServerError(line: "ERR no"))),
        (":0\r\n", .integer(0)), (":-1\r\n", .integer(-1)),
        (":9223372036854775807\r\n", .integer(.max)), (":-9223372036854775808\r\n", .integer(.min)),
        ("$-1\r\n", .null), ("*-1\r\n", .null),
        ("$0\r\n\r\n", .bytes([])), ("$2\r\n\r\n\r\n", .bytes([13, 10])), ("$3\r\na\0b\r\n", .bytes([97, 0, 98])),
        ("*0\r\n", .array([])),
        ("*3\r\n:1\r\n$-1\r\n*-1\r\n", .array([.integer(1), .null, .null])),
        ("*2\r\n-ERR no\r\n+OK\r\n", .array([.error(ServerError(line: "ERR no")), .status("OK")])),
        (
            "*3\r\n*2\r\n:1\r\n*0\r\n*1\r\n*1\r\n:2\r\n$1\r\nx\r\n",
            .array([
                .array([.integer(1), .array([])]), .array([.array([.integer(2)])]), .bytes([120]),
            ])
        ),
    ]

    @Test("each kind of reply is parsed, as a whole or byte by byte", arguments: kinds.indices)
    func read(index: Int) throws {
        let (text, reply) = Self.kinds[index]
        #expect(try replies(in: text) == [reply])
        let reader = try Reader()
        for byte in text.unicodeScalars.dropLast() {
            reader.feed(String(byte))
            #expect(try reader.next() == nil)
        }
        reader.feed("\n")
        #expect(try reader.next() == reply)
        #expect(try reader.next() == nil)
    }

    @Test("several replies are returned in order, and a partial one waits for the rest")
    func sequence() throws {
        let reader = try Reader()
        reader.feed(Self.kinds.map(\.text).joined() + "*2\r\n$3\r\nab")
        for (_, reply) in Self.kinds { #expect(try reader.next() == reply) }
        #expect(try reader.next() == nil)
        reader.feed("c\r\n:5\r\n+next\r\n")
        #expect(try reader.next() == .array([.bytes(Array("abc".utf8)), .integer(5)]))
        #expect(try reader.next() == .status("next"))
    }

    @Test("an array has all its elements, however many")
    func manyElements() throws {
        let count = 5_000
        let text = "*\(count)\r\n" + (0..<count).map { ":\($0)\r\n" }.joined()
        #expect(try replies(in: text) == [.array((0..<count).map { .integer(Int64($0)) })])
    }

    @Test("invalid UTF-8 is repaired in statuses and errors and kept in values")
    func invalidUTF8() throws {
        let reader = try Reader()
        reader.feed([43, 0xff, 13, 10, 45, 0xff, 13, 10, 36, 49, 13, 10, 0xff, 13, 10])
        #expect(try reader.next() == .status("\u{FFFD}"))
        #expect(try reader.next() == .error(ServerError(line: "\u{FFFD}")))
        #expect(try reader.next() == .bytes([0xff]))
    }

    @Test("arrays may be nested seven levels deep, not more")
    func depth() throws {
        var nested = Reply.integer(1)
        for _ in 0..<7 { nested = .array([nested]) }
        #expect(try replies(in: String(repeating: "*1\r\n", count: 7) + ":1\r\n") == [nested])
        #expect(throws: RedisError.self) {
            try replies(in: String(repeating: "*1\r\n", count: 8) + ":1\r\n")
        }
    }

    @Test(
        "a large announced size allocates no memory",
        arguments: ["*2147483647\r\n", "$2147483647\r\n", "*2147483647\r\n*2147483647\r\n*2147483647\r\n:1\r\n"]
    )
    func claims(text: String) throws {
        let reader = try Reader()
        reader.feed(text)
        #expect(try reader.next() == nil)
    }

    @Test(
        "an invalid reply is a protocol error, and reading stops",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n", "?1\r\n", ":12x\r\n", ":\r\n", ":9223372036854775808\r\n", "$x\r\n",
            "$-2\r\n", "$1\r\nab\r\n", "*x\r\n", "*-2\r\n", "*2147483648\r\n", "*2\r\n:1\r\n?\r\n",
            "$99999999999999999999\r\n", "\0",
            // Types of RESP3, which hiredis 1.0 and later can read.
            ",1.5\r\n", "#t\r\n", "%1\r\n+a\r\n+b\r\n", "*2\r\n,1.5\r\n:1\r\n:2\r\n", "*1\r\n%1\r\n+a\r\n+b\r\n+c\r\n",
            "*1\r\n~1\r\n:1\r\n", ">1\r\n:1\r\n", "(1\r\n", "=5\r\ntxt:a\r\n",
        ]
    )
    func malformed(text: String) throws {
        let reader = try Reader()
        reader.feed("+OK\r\n" + text)
        #expect(try reader.next() == .status("OK"))
        for _ in 0..<2 {
            let error = #expect(throws: RedisError.self) { while try reader.next() != nil {} }
            guard case .protocolViolation(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(!reason.isEmpty)
        }
    }
}
