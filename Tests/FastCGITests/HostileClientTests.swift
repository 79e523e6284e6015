import FastCGI
import Glibc
import Testing

@Suite struct HostileClientTests {
    let socket = TemporarySocket()

    @Test("silent clients occupy no thread and are disconnected after the timeout")
    func silent() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2, ioTimeout: .seconds(8))
        let kept = try FastCGIClient(server.address)
        #expect(kept.exchange(RequestRecords(body: [65]))?.text == "A")
        let silent = try (0..<10).map { _ in try FastCGIClient(server.address) }
        #expect(try FastCGIClient(server.address).exchange(RequestRecords(body: [65]))?.text == "A")
        #expect(silent.allSatisfy { !$0.isReadable }, "the answer came while all of them were connected")
        #expect(silent.allSatisfy { $0.isEnded() })
        #expect(kept.exchange(RequestRecords(body: [66]))?.text == "B", "a kept connection may idle longer")
    }

    @Test("an incomplete request occupies one thread until the timeout, and affects no other client")
    func halfSent() throws {
        let server = try RunningServer(Listener(socket.address), threads: 4, ioTimeout: .seconds(8))
        let request = RequestRecords([("NAME", "value")], body: [65, 66, 67])
        let halves = [
            Array(request.bytes.prefix(11)), Array(request.head.dropLast(9)), request.head + request.stdin.prefix(10),
        ]
        let clients = try halves.map { half in
            let client = try FastCGIClient(server.address)
            client.send(half)
            return client
        }
        // Connections are accepted in order.
        #expect(try FastCGIClient(server.address).exchange(request)?.text == "ABC")
        #expect(clients.allSatisfy { !$0.isReadable }, "the answer came while all of them were connected")
        #expect(clients.allSatisfy { $0.isEnded() })
    }

    @Test("if there are as many incomplete requests as threads, others wait at most until the timeout")
    func allThreadsHeld() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2, ioTimeout: .milliseconds(300))
        let held = try (0..<2).map { _ in try FastCGIClient(server.address) }
        for client in held { client.send([1, 1, 0]) }
        #expect(try FastCGIClient(server.address).exchange(RequestRecords(body: [65]))?.text == "A")
        #expect(held.allSatisfy { $0.isEnded() })
    }

    @Test("a body that trickles in is dropped at the deadline, even if each byte arrives in time")
    func trickle() throws {
        let server = try RunningServer(Listener(socket.address), threads: 1, ioTimeout: .milliseconds(200))
        let client = try FastCGIClient(server.address)
        let request = RequestRecords(body: [UInt8](repeating: 65, count: 100))
        client.send(request.head + request.stdin.prefix(8))
        let pause: useconds_t = 50_000  // between two bytes, much shorter than the timeout
        let sent = (0..<100).prefix { _ in usleep(pause) == 0 && client.send([65]) }.count
        #expect(sent < 100)
    }

    static let brokenRecords: [(name: String, bytes: [UInt8])] = [
        ("noise", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)),
        ("another version", [9] + RequestRecords().bytes.dropFirst()),
        ("a begin record of the wrong length", RequestRecords.record(1, 1, [0, 1, 1])),
        ("an unknown role", RequestRecords().begin(role: 9) + RequestRecords().bytes.dropFirst(16)),
        ("a role that is no responder", RequestRecords().begin(role: 2) + RequestRecords().bytes.dropFirst(16)),
        ("body before parameters", RequestRecords().begin(role: 1) + RequestRecords(body: [1]).stdin),
        ("a parameter cut off by the stream's end", paramsOnly([4, 200, 65])),
        ("a name longer than all", paramsOnly([0xff, 0xff, 0xff, 0xff, 1, 65])),
        ("a value longer than the stream", paramsOnly([1, 0x80, 1, 0, 0, 65, 66])),
        ("parameters after the body began", RequestRecords().head + RequestRecords().head.dropFirst(16)),
    ]

    private static func paramsOnly(_ content: [UInt8]) -> [UInt8] {
        RequestRecords().begin(role: 1) + RequestRecords.record(4, 1, content) + RequestRecords.record(4, 1, [])
    }

    @Test("invalid records end only their own connection", arguments: brokenRecords.indices)
    func broken(index: Int) throws {
        let server = try RunningServer(Listener(socket.address), threads: 1, ioTimeout: .milliseconds(300))
        let bystander = try FastCGIClient(server.address)
        #expect(bystander.exchange(RequestRecords(body: [65]))?.text == "A")
        let client = try FastCGIClient(server.address)
        client.send(Self.brokenRecords[index].bytes)
        #expect(client.isEnded(), "\(Self.brokenRecords[index].name)")
        #expect(bystander.exchange(RequestRecords(body: [66]))?.text == "B")
    }

    @Test("clients that disconnect without reading their response cause no errors")
    func leavers() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2) { _ in
            Response(status: 200, body: [UInt8](repeating: 0, count: 500_000))
        }
        for _ in 0..<50 { try FastCGIClient(server.address).send(RequestRecords().bytes) }
        #expect(try FastCGIClient(server.address).exchange(RequestRecords())?.body.count == 500_000)
    }

    @Test("at the connection limit, the connection that has been idle longest is closed")
    func connectionLimit() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2, maxConnections: 4)
        var clients: [FastCGIClient] = []
        for number in 0..<20 {
            let client = try FastCGIClient(server.address)
            #expect(client.exchange(RequestRecords(body: [65]))?.text == "A", "client \(number)")
            clients.append(client)
        }
        #expect(clients.prefix(10).allSatisfy { $0.isEnded() })
        #expect(clients.last?.exchange(RequestRecords(body: [66]))?.text == "B")
    }
}
