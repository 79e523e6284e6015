import FastCGI
import Glibc
import Synchronization
import TestServers
import Testing

@Suite struct ServingTests {
    let socket = TemporarySocket()

    @Test("each of many requests on one kept connection gets a response")
    func keptConnection() throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        for number in 0..<2_000 {
            var request = RequestRecords(body: Array("\(number)".utf8))
            request.requestID = UInt16(1 + number)
            let answer = try #require(client.exchange(request))
            try #require(answer.text == "\(number)" && answer.requestID == request.requestID)
        }
    }

    @Test("a connection without FCGI_KEEP_CONN is closed after the response")
    func unkeptConnection() throws {
        let server = try RunningServer(Listener(socket.address))
        let client = try FastCGIClient(server.address)
        #expect(client.exchange(RequestRecords(body: [65], keepsConnection: false))?.text == "A")
        #expect(client.isEnded())
    }

    @Test("TCP works like a Unix socket")
    func tcp() throws {
        let server = try RunningServer(Listener(ListenAddress(parsing: "tcp:127.0.0.1:0")))
        let client = try FastCGIClient(server.address)
        for text in ["one", "two"] {
            #expect(client.exchange(RequestRecords(body: Array(text.utf8)))?.text == text)
        }
    }

    @Test("more idle kept connections than threads do not block a new one")
    func idleConnections() throws {
        let server = try RunningServer(Listener(socket.address), threads: 2)
        let idle = try (0..<40).map { _ in try FastCGIClient(server.address) }
        for client in idle { #expect(client.exchange(RequestRecords(body: [66]))?.text == "B") }
        let newcomer = try FastCGIClient(server.address)
        #expect(newcomer.exchange(RequestRecords(body: [67]))?.text == "C")
        for client in idle { #expect(client.exchange(RequestRecords(body: [68]))?.text == "D") }
    }

    @Test("many concurrent clients each get their own response")
    func manyClients() throws {
        let server = try RunningServer(Listener(socket.address), threads: 4)
        let address = server.address
        let wrong = try inParallel(12) { number in
            var client = try? FastCGIClient(address)
            return (0..<300).count { round in
                if round % 50 == 49 { client = try? FastCGIClient(address) }
                let text = "\(number)/\(round)"
                return client?.exchange(RequestRecords(body: Array(text.utf8)))?.text != text
            }
        }
        #expect(wrong.allSatisfy { $0 == 0 })
    }

    @Test(
        "responses of any size arrive complete",
        arguments: [0, 1, 7, 8, 8_150, 65_400, 65_480, 65_528, 65_536, 131_056, 1_000_000]
    )
    func answerSizes(size: Int) throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try RunningServer(Listener(socket.address)) { _ in Response(status: 200, body: body) }
        let client = try FastCGIClient(server.address)
        for _ in 0..<2 {
            let answer = try #require(client.exchange(RequestRecords()))
            #expect(answer.head == ["Status: 200 OK", "Content-Length: \(size)"])
            let isWhole = answer.body == body  // compared outside #expect, which would print every byte
            #expect(isWhole)
        }
    }

    @Test(
        "a header value that would inject another header is dropped (response splitting)",
        arguments: ["a\r\nb: c", "a\nb", "a\rb", "a\0b"]
    )
    func forgedHeader(value: String) throws {
        let server = try RunningServer(Listener(socket.address)) { _ in
            Response(status: 302, headers: [("Location", value), ("X-Kept", "ja: größer")])
        }
        let answer = try FastCGIClient(server.address).exchange(RequestRecords())
        #expect(answer?.head == ["Status: 302 Found", "X-Kept: ja: größer", "Content-Length: 0"])
    }

    @Test("each thread creates one handler, which no other thread uses")
    func handlers() throws {
        struct Counting: RequestHandler {
            let owner = pthread_self()
            var count = 0
            mutating func respond(to request: borrowing Request) -> Response {
                count += 1
                return Response(status: pthread_equal(owner, pthread_self()) != 0 ? 200 : 500)
            }
        }
        final class Made: Sendable { let count = Atomic(0) }
        let made = Made()
        let server = try RunningServer(Listener(socket.address), threads: 3) {
            made.count.add(1, ordering: .relaxed)
            return Counting()
        }
        let address = server.address
        let heads = try inParallel(6) { _ in
            let client = try? FastCGIClient(address)
            return (0..<100).compactMap { _ in client?.exchange(RequestRecords())?.head.first }
        }
        #expect(heads.joined().count == 600)
        #expect(heads.joined().allSatisfy { $0 == "Status: 200 OK" })
        #expect(made.count.load(ordering: .relaxed) == 3)
    }

    @Test("the program's own signal handling is unchanged")
    func signals() throws {
        let server = try RunningServer(Listener(socket.address))
        #expect(try FastCGIClient(server.address).exchange(RequestRecords()) != nil)
        var action = sigaction()
        sigaction(SIGUSR1, nil, &action)
        #expect(action.__sigaction_handler.sa_handler == nil)
    }
}
