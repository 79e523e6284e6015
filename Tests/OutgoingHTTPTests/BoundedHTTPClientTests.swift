import APNsStandIn
import GatewayStandIn
import TestServers
import Testing
import Threads

@testable import OutgoingHTTP

@Suite struct BoundedHTTPClientTests {
    /// Sends a request to a new server with this reply, and shuts the client down.
    private func answer(_ reply: Reply, within deadline: Duration = .seconds(600)) async throws -> HTTPAnswer {
        let server = try await GatewayServer.start()
        server.queue(reply)
        let client = try client(of: server)
        let outcome = await client.outcome(of: HTTPRequest(url: server.url), within: deadline)
        await client.shutDown()
        await server.stop()
        return try outcome.get()
    }

    private func client(of server: GatewayServer) throws -> BoundedHTTPClient {
        let trusted = TrustRoots.certificates(pem: server.authority.certificatePEM)
        return BoundedHTTPClient(try HTTPClientConfiguration(trusting: trusted))
    }

    @Test("a response is returned unchanged, including a redirect")
    func answers() async throws {
        let ok = try await answer(.answer(201, "text", [("Retry-After", "7")]))
        #expect(ok.status == 201 && ok.body == Array("text".utf8))
        #expect(ok.headers.first(name: "retry-after") == "7")
        #expect("\(ok)" == "HTTPAnswer(…)" && "\(ok.headers)" == "HTTPHeaderFields(…)")
        #expect(try await answer(.answer(302, "", [("Location", "https://127.0.0.1:1/")])).status == 302)
    }

    @Test("a body beyond the size limit is not read")
    func longBody() async throws {
        let limit = AnswerReader.maximumBodyBytes
        #expect(try await answer(.answer(200, String(repeating: "a", count: limit))).body.count == limit)
        #expect(try await answer(.answer(200, String(repeating: "a", count: limit + 1))).body.isEmpty)
        #expect(try await answer(Reply(action: .stuckAfter(bytes: limit + 1))).status == 200)
    }

    @Test("a server that hangs or drips delays a request until the deadline")
    func slow() async throws {
        for reply in [Reply.silence, .drip] {
            await #expect(throws: RequestFailure(.timedOut, mayBeSent: true)) {
                // Long enough for a connection on a busy machine. The request may have been sent only if there was a
                // connection.
                try await answer(reply, within: .seconds(3))
            }
        }
    }

    @Test("a blocked call ends soon after its deadline even if the thread that carries requests is stuck")
    func stuckLoop() throws {
        let loop = EventLoop()
        let client = BoundedHTTPClient(HTTPClientConfiguration(), loop: loop)
        let request = HTTPRequest(url: "http://127.0.0.1:1/")
        // The first request starts the thread.
        #expect(throws: RequestFailure.self) { try client.sendAndWait(request, within: .seconds(600)) }
        let isOver = Semaphore()
        loop.close(ClientSettings(HTTPClientConfiguration()).id) { isOver.wait() }
        let start = ContinuousClock.now
        #expect(throws: RequestFailure(.timedOut, mayBeSent: true)) {
            try client.sendAndWait(request, within: .milliseconds(100))
        }
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        isOver.signal()
        client.shutDownAndWait()
    }

    @Test("a server may send at most 1,000 session tickets per connection", arguments: [1000, 1001])
    func sessionTickets(count: Int) async throws {
        let server = try await GatewayServer.start(tickets: count)
        let client = try client(of: server)
        let failure = await client.failure(postingTo: server.url)
        #expect(failure == (count > 1000 ? RequestFailure(.connectionLost, mayBeSent: true) : nil))
        await client.shutDown()
        await server.stop()
    }

    @Test("a redirect to an invalid URL is returned like any other response")
    func strangeRedirect() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 307 Go\r\nLocation: no URL \u{7F}://\r\nContent-Length: 0\r\n\r\n")
        }
        let client = BoundedHTTPClient()
        #expect(try await client.send(HTTPRequest(url: server.url), within: .seconds(60)).status == 307)
        await client.shutDown()
        server.stop()
    }

    @Test("interim responses are skipped, and trailers do not count as headers")
    func interimAnswers() async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 103 Early Hints\r\nRetry-After: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n")
            connection.write("HTTP/1.1 200 OK\r\nField:  two words \r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write("4\r\nbody\r\n0\r\nRetry-After: 2\r\n\r\n")
        }
        let client = BoundedHTTPClient()
        let answer = try await client.send(HTTPRequest(url: server.url), within: .seconds(60))
        #expect(answer.status == 200 && answer.body == Array("body".utf8))
        #expect(answer.headers.first(name: "FIELD") == "two words" && answer.headers.first(name: "Retry-After") == nil)
        await client.shutDown()
        server.stop()
    }

    @Test("a request has the given headers, Host and Content-Length, and no others")
    func request() async throws {
        let server = try await GatewayServer.start(isPlain: true)
        let client = BoundedHTTPClient()
        _ = try await client.send(
            HTTPRequest(
                postingTo: "\(server.url)/a/../b?c=%2F",
                headers: ["Authorization": "Basic YTpi", "X-Empty": ""],
                body: [0, 255]
            ),
            within: .seconds(60)
        )
        _ = try await client.send(HTTPRequest(url: "\(server.url)/"), within: .seconds(60))
        let posted = try #require(server.requests.first)
        #expect(posted.method == "POST" && posted.path == "/a/../b?c=%2F" && posted.body == [0, 255])
        #expect(
            posted.headers.map { $0.name.lowercased() }.sorted() == [
                "authorization", "content-length", "host", "x-empty",
            ]
        )
        let got = try #require(server.requests.last)
        #expect(got.method == "GET" && got.headers.map { $0.name.lowercased() } == ["host"])
        await client.shutDown()
        await server.stop()
    }

    @Test(
        "a request that HTTP cannot represent is not sent",
        arguments: [
            ("X", "a\r\nX-Other: b"), ("X", "a\nb"), ("X", "\0"), ("X: y", "a"), ("", "a"), ("X\r\n", "a"), ("Ä", "a"),
        ]
    )
    func malformedField(name: String, value: String) async throws {
        let server = try await GatewayServer.start(isPlain: true)
        let client = BoundedHTTPClient()
        let outcome = await client.outcome(of: HTTPRequest(url: server.url, headers: [name: value]))
        guard case .failure(RequestFailure(.connectionLost, mayBeSent: false)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(server.requests.isEmpty)
        await client.shutDown()
        await server.stop()
    }

    @Test(
        "only http and https are supported",
        arguments: [
            "file:///etc/hostname", "ftp://127.0.0.1/", "", "no URL", "http://", "https://user@127.0.0.1/",
            "http://a\r\nb/",
        ]
    )
    func schemes(url: String) async {
        let client = BoundedHTTPClient()
        guard case .failure(let failure) = await client.outcome(of: HTTPRequest(url: url)) else {
            Issue.record("an answer")
            return
        }
        #expect(!failure.mayBeSent)
        await client.shutDown()
    }

    @Test("cancelling the caller cancels its request, after and before it is sent")
    func cancelled() async throws {
        let server = try await GatewayServer.start()
        let client = try client(of: server)
        server.always(.silence)
        // The second request may be sent as well, so the test waits for the first one to arrive.
        for isSent in [true, false] {
            let task = Task { await client.outcome(of: HTTPRequest(url: server.url), within: .seconds(600)) }
            if isSent { #expect(await waitUntil { !server.requests.isEmpty }) }
            task.cancel()
            guard case .failure(let failure) = await task.value else {
                Issue.record("an answer")
                continue
            }
            #expect(failure.reason == .cancelled && (failure.mayBeSent || !isSent))
        }
        await client.shutDown()
        await server.stop()
    }

    @Test(
        "a shutdown cancels active and waiting requests immediately, is idempotent, and nothing is sent after it"
    )
    func shutDown() async throws {
        let server = try await GatewayServer.start()
        server.always(.silence)
        var configuration = try HTTPClientConfiguration(trusting: .certificates(pem: server.authority.certificatePEM))
        configuration.maximumConnectionsPerHost = 2
        let client = BoundedHTTPClient(configuration)
        await withTaskGroup(of: Result<HTTPAnswer, RequestFailure>.self) { group in
            for _ in 0..<5 {
                group.addTask { await client.outcome(of: HTTPRequest(url: server.url), within: .seconds(600)) }
            }
            #expect(await waitUntil { server.requests.count >= 2 })
            // A cancelled task shuts down like any other.
            let shutDown = Task { await client.shutDown() }
            shutDown.cancel()
            await shutDown.value
            var sent = 0
            for await outcome in group {
                guard case .failure(let failure) = outcome, failure.reason == .cancelled else {
                    Issue.record("\(outcome)")
                    continue
                }
                if failure.mayBeSent { sent += 1 }
            }
            #expect(sent == 2)
        }
        await client.shutDown()
        guard case .failure(let late) = await client.outcome(of: HTTPRequest(url: server.url)) else {
            Issue.record("an answer")
            return
        }
        #expect(late == RequestFailure(.cancelled, mayBeSent: false))
        #expect(server.requests.count == 2)
        await server.stop()
    }

    @Test("a client that was never used can be shut down")
    func unused() async {
        await BoundedHTTPClient().shutDown()
        BoundedHTTPClient().shutDownAndWait()
    }

    @Test("connections are kept for the idle time and then closed")
    func idleTime() async throws {
        let isClosed = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            while connection.readRequest() != nil { connection.answer() }
            isClosed.continuation.yield()
        }
        let patient = BoundedHTTPClient()
        for _ in 0..<2 { #expect(await patient.failure(postingTo: server.url) == nil) }
        #expect(server.connectionCount == 1)
        var configuration = HTTPClientConfiguration()
        configuration.maximumIdleTime = .seconds(1)
        let client = BoundedHTTPClient(configuration)
        let begin = ContinuousClock.now
        #expect(await client.failure(postingTo: server.url) == nil)
        for await _ in isClosed.stream { break }
        #expect(ContinuousClock.now - begin > .milliseconds(900))
        #expect(await client.failure(postingTo: server.url) == nil)
        #expect(server.connectionCount == 3)
        await client.shutDown()
        await patient.shutDown()
        server.stop()
    }

    @Test("releasing a client closes its connections")
    func released() async throws {
        let isClosed = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            while connection.readRequest() != nil { connection.answer() }
            isClosed.continuation.yield()
        }
        _ = await BoundedHTTPClient().failure(postingTo: server.url)
        for await _ in isClosed.stream { break }
        server.stop()
    }

    @Test("a busy host does not delay requests to other hosts")
    func hosts() async throws {
        let busy = try await GatewayServer.start(isPlain: true)
        let other = try await GatewayServer.start(isPlain: true)
        busy.always(.silence)
        var configuration = HTTPClientConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let client = BoundedHTTPClient(configuration)
        let (busyURL, otherURL) = (busy.url, other.url)
        let waiting = (0..<3).map { _ in Task { await client.failure(postingTo: busyURL) } }
        #expect(await waitUntil { !busy.requests.isEmpty })
        await withTaskGroup(of: RequestFailure?.self) { group in
            for _ in 0..<10 { group.addTask { await client.failure(postingTo: otherURL) } }
            for await failure in group { #expect(failure == nil) }
        }
        #expect(other.connectionCount == 1 && busy.connectionCount == 1)
        await client.shutDown()
        for task in waiting { #expect(await task.value?.reason == .cancelled) }
        await busy.stop()
        await other.stop()
    }

    @Test(
        "a text that is not a PEM certificate is not accepted as a trust root",
        arguments: ["", "none", "-----BEGIN CERTIFICATE-----"]
    )
    func trustRoots(pem: String) {
        #expect(throws: UnreadableTrustRoots.self) {
            try HTTPClientConfiguration(trusting: .certificates(pem: pem))
        }
    }

    @Test("trust roots with one invalid certificate are rejected")
    func brokenTrustRoots() throws {
        let good = try TestAuthority().certificatePEM
        let broken = good + "\n" + good.replacing("MII", with: "NII")
        #expect(throws: UnreadableTrustRoots.self) { try HTTPClientConfiguration(trusting: .certificates(pem: broken)) }
        _ = try HTTPClientConfiguration(trusting: .certificates(pem: good + "\nnotes\n" + good))
    }
}
