import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing

@Suite struct BodyTests {
    let socket = TemporarySocket()

    @Test("a body up to the limit arrives complete", arguments: [0, 1, 8_000, 8_192, 65_535, 65_536])
    func withinLimit(size: Int) throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for announced in ["\(size)", ""] {
            // Compared outside #expect, which would print every byte.
            let isWhole = client.exchange(RequestRecords(body: body, announced: announced))?.body == body
            #expect(isWhole)
        }
    }

    @Test(
        "a body beyond the limit is rejected, with and without Content-Length",
        arguments: ["65537", "9999999999999", ""]
    )
    func beyondLimit(announced: String) throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        let body = [UInt8](repeating: 1, count: 65_537)
        #expect(
            client.exchange(RequestRecords(body: body, announced: announced))?.head.first
                == "Status: 413 Content Too Large"
        )
    }

    @Test("the response to a large body is sent before the body is read, and the rest is discarded")
    func largeBody() throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        let request = RequestRecords(body: [UInt8](repeating: 1, count: 1_000_000)).bytes
        client.send(Array(request.prefix(300_000)))
        #expect(eventually { client.isReadable })
        #expect(client.send(Array(request.dropFirst(300_000))))
        #expect(client.receive()?.head.first == "Status: 413 Content Too Large")
        #expect(client.isEnded())
    }

    @Test("the content of a rejected body is never parsed as another request (request smuggling)")
    func smuggling() throws {
        final class Seen: Sendable { let forged = Atomic(0) }
        let seen = Seen()
        let server = try RunningServer(Listener(socket.address)) { request in
            if request.parameter("FORGED") != nil { seen.forged.add(1, ordering: .relaxed) }
            return echo(request)
        }
        let forged = RequestRecords([("FORGED", "1")]).bytes
        for padding in forged.indices {  // one of them begins wherever the server stops reading
            let client = try FastCGIClient(server.address)
            var body = [UInt8](repeating: 0, count: padding)
            while body.count <= 65_536 { body += forged }
            #expect(client.exchange(RequestRecords(body: body))?.head.first == "Status: 413 Content Too Large")
            #expect(client.receive(within: .milliseconds(20)) == nil)
        }
        #expect(seen.forged.load(ordering: .relaxed) == 0)
    }

    @Test("a body whose length differs from the announced one is incomplete", arguments: ["6", "400"])
    func incomplete(announced: String) throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        let request = RequestRecords(body: Array("hello".utf8), announced: announced)
        #expect(client.exchange(request)?.head.first == "Status: 400 Bad Request")
        #expect(client.exchange(RequestRecords(body: [65]))?.text == "A")
    }
}
