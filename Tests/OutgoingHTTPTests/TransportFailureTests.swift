import APNsStandIn
import GatewayStandIn
import OutgoingHTTP
import Synchronization
import TestServers
import Testing
import Threads

/// Transport failures, which the tests provoke for real.
@Suite struct TransportFailureTests {
    private func notSent(_ reason: TransportFailure) -> RequestFailure { RequestFailure(reason, mayBeSent: false) }

    private func client(trusting authority: TestAuthority? = nil) throws -> BoundedHTTPClient {
        guard let authority else { return BoundedHTTPClient() }
        return BoundedHTTPClient(try HTTPClientConfiguration(trusting: .certificates(pem: authority.certificatePEM)))
    }

    @Test("a port without a listener, and a name that does not resolve, mean that nothing was sent")
    func noServer() async throws {
        let server = try RawServer { _ in }
        server.stop()
        let client = try client()
        #expect(await client.failure(postingTo: "https://127.0.0.1:\(server.port)/") == notSent(.unreachable))
        #expect(await client.failure(postingTo: "https://dialtone.invalid/") == notSent(.nameNotResolved))
        await client.shutDown()
    }

    @Test("a server that never answers in the TLS handshake delays a request until the connect timeout")
    func silentHandshake() async throws {
        let server = try RawServer { while $0.read() != nil {} }
        var configuration = HTTPClientConfiguration()
        configuration.connectDeadline = .milliseconds(300)
        let client = BoundedHTTPClient(configuration)
        let begin = ContinuousClock.now
        #expect(await client.failure(postingTo: "https://127.0.0.1:\(server.port)/") == notSent(.timedOut))
        #expect(ContinuousClock.now - begin >= .milliseconds(250))
        // The request's deadline may come first.
        let hasty = BoundedHTTPClient()
        let failure = await hasty.failure(postingTo: "https://127.0.0.1:\(server.port)/", within: .milliseconds(200))
        #expect(failure == notSent(.timedOut))
        await client.shutDown()
        await hasty.shutDown()
        server.stop()
    }

    @Test("a server that does not speak TLS causes a TLS failure")
    func plainServer() async throws {
        let server = try RawServer { connection in
            _ = connection.read()
            connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        let client = try client()
        #expect(await client.failure(postingTo: "https://127.0.0.1:\(server.port)/") == notSent(.tlsRefused))
        await client.shutDown()
        server.stop()
    }

    @Test("a certificate of an untrusted authority, or for another host, is rejected")
    func untrusted() async throws {
        let authority = try TestAuthority()
        for (host, trusted) in [("127.0.0.1", try TestAuthority()), ("127.0.0.2", authority), ("127.0.0.1", nil)] {
            let server = try await GatewayServer.start(host: host, authority: authority)
            let client = try client(trusting: trusted)
            #expect(await client.failure(postingTo: server.url) == notSent(.untrustedServer))
            #expect(server.requests.isEmpty)
            await client.shutDown()
            await server.stop()
        }
    }

    @Test("a connection that closes at the start, after the request or within the response is lost")
    func cut() async throws {
        let server = try await GatewayServer.start()
        let client = try client(trusting: server.authority)
        for reply in [Reply.cutAtHead, .cutAtEnd, .cutInAnswer] {
            server.queue(reply)
            #expect(await client.failure(postingTo: server.url) == RequestFailure(.connectionLost, mayBeSent: true))
        }
        await client.shutDown()
        await server.stop()
    }

    @Test("a server that requires a client certificate causes a failure")
    func noIdentity() async throws {
        let server = try await APNsServer.start(isVerifyingClients: true)
        let client = try client(trusting: server.authority)
        let failure = await client.failure(postingTo: server.url)
        #expect(failure?.reason == .connectionLost || failure?.reason == .tlsRefused)
        await client.shutDown()
        await server.stop()
    }

    @Test("at the deadline, a queued request has not been sent, and one with a partial response has")
    func deadline() async throws {
        let hasRequest = Atomic(false)
        let server = try RawServer { connection in
            _ = connection.readRequest()
            hasRequest.store(true, ordering: .relaxed)
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            _ = connection.read()
        }
        var configuration = HTTPClientConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let client = BoundedHTTPClient(configuration)
        let url = server.url
        let first = Task { await client.failure(postingTo: url, within: .seconds(600)) }
        #expect(await waitUntil { hasRequest.load(ordering: .relaxed) })
        let second = await client.failure(postingTo: url, within: .milliseconds(100))
        #expect(second == notSent(.timedOut))
        first.cancel()
        #expect(await first.value == RequestFailure(.cancelled, mayBeSent: true))
        await client.shutDown()
        server.stop()
    }

    @Test(
        "a response that is not HTTP counts as a lost connection",
        arguments: [
            "", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: nine\r\n\r\n", "HTTP/1.1 xyz\r\n\r\n",
            "\0\0\0\0\0\0\0\0",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhalf",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nField: with",
        ]
    )
    func garbage(text: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.write(text)
        }
        let client = try client()
        #expect(await client.failure(postingTo: server.url) == RequestFailure(.connectionLost, mayBeSent: true))
        await client.shutDown()
        server.stop()
    }

    @Test(
        "an endless header section is not read to the end",
        arguments: ["X-Filler: \(String(repeating: "a", count: 1000))\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "a"]
    )
    func hugeHead(piece: String) async throws {
        let server = try RawServer { connection in
            _ = connection.readRequest()
            if !piece.hasPrefix("HTTP") { connection.write("HTTP/1.1 200 OK\r\n") }
            while connection.write(String(repeating: piece, count: 100)) {}
        }
        let client = try client()
        #expect(await client.failure(postingTo: server.url) == RequestFailure(.connectionLost, mayBeSent: true))
        await client.shutDown()
        server.stop()
    }
}
