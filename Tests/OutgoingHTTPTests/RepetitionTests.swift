import APNsStandIn
import GatewayStandIn
import OutgoingHTTP
import Synchronization
import TestServers
import Testing
import Threads

/// A client that must never send a request twice, although libcurl retries a request by itself if a reused connection
/// ends without a response.
@Suite struct RepetitionTests {
    @Test(
        "if a server closes a kept connection at the second request, the request was sent once and may have arrived",
        arguments: [false, true]
    )
    func keptConnection(isReset: Bool) async throws {
        let requests = Mutex<[String]>([])
        let server = try RawServer { connection in
            while let request = connection.readRequest() {
                let count = requests.withLock { requests in
                    requests.append(request)
                    return requests.count
                }
                if count == 2 {
                    if isReset { connection.resetAtEnd() }
                    return
                }
                connection.answer()
            }
        }
        let client = BoundedHTTPClient()
        #expect(await client.failure(postingTo: server.url) == nil)
        let failure = await client.failure(postingTo: server.url)
        #expect(failure == RequestFailure(.connectionLost, mayBeSent: true))
        #expect(requests.withLock { $0.count } == 2)
        #expect(server.connectionCount == 1)
        // The connection is lost as well, so the client opens another.
        #expect(await client.failure(postingTo: server.url) == nil)
        #expect(server.connectionCount == 2)
        await client.shutDown()
        server.stop()
    }

    @Test("a kept connection that was closed before is not reused")
    func endedBefore() async throws {
        let hasEnded = Semaphore()
        let server = try RawServer { connection in
            _ = connection.readRequest()
            connection.answer()
            guard connection.number == 1 else { return }
            connection.halfClose()
            hasEnded.signal()
            _ = connection.read()
        }
        let client = BoundedHTTPClient()
        #expect(await client.failure(postingTo: server.url) == nil)
        hasEnded.wait()
        #expect(await client.failure(postingTo: server.url) == nil)
        #expect(server.connectionCount == 2)
        await client.shutDown()
        server.stop()
    }

    @Test("a kept TLS connection that the server closed is not reused")
    func closedBefore() async throws {
        let server = try await GatewayServer.start()
        let other = try await GatewayServer.start(isPlain: true)
        server.always(.acceptAndClose)
        let client = BoundedHTTPClient(
            try HTTPClientConfiguration(trusting: .certificates(pem: server.authority.certificatePEM))
        )
        for number in 1...10 {
            #expect(await client.failure(postingTo: server.url) == nil)
            #expect(server.connectionCount == number)
            // One thread runs both servers: once this one has responded, the other has closed its connection.
            #expect(await client.failure(postingTo: other.url) == nil)
        }
        #expect(other.connectionCount == 1)
        await client.shutDown()
        await server.stop()
        await other.stop()
    }

    @Test("a kept HTTP/2 connection that was closed without GOAWAY is not reused")
    func closedStreams() async throws {
        let (server, client, url) = try await http2()
        let other = try await GatewayServer.start(isPlain: true)
        for number in 1...10 {
            server.queue(.acceptedAndClosed)
            #expect(await client.failure(postingTo: url) == nil)
            #expect(server.connectionCount == number)
            // One thread runs both servers: once this one has responded, the other has closed its connection.
            #expect(await client.failure(postingTo: other.url) == nil)
        }
        await client.shutDown()
        await server.stop()
        await other.stop()
    }

    @Test("requests lost on a kept HTTP/2 connection are not repeated on another one")
    func streams() async throws {
        let (server, client, url) = try await http2()
        #expect(await client.failure(postingTo: url) == nil)
        for _ in 0..<5 { server.queue(.silence) }
        await withTaskGroup(of: RequestFailure?.self) { group in
            for _ in 0..<5 { group.addTask { await client.failure(postingTo: url) } }
            _ = await server.pushes(atLeast: 6)
            await server.cutConnections()
            for await failure in group { #expect(failure == RequestFailure(.connectionLost, mayBeSent: true)) }
        }
        #expect(server.pushes.count == 6)
        #expect(server.connectionCount == 1)
        await client.shutDown()
        await server.stop()
    }

    @Test("a stream refused by the server is not repeated")
    func refusedStream() async throws {
        let (server, client, url) = try await http2()
        #expect(await client.failure(postingTo: url) == nil)
        server.queue(.silence)
        async let failure = client.failure(postingTo: url)
        _ = await server.pushes(atLeast: 2)
        // The server did not process streams above the announced one, which makes libcurl retry them.
        try await server.sendGoAway(isAbandoning: true)
        #expect(await failure == RequestFailure(.connectionLost, mayBeSent: true))
        #expect(server.pushes.count == 2)
        await client.shutDown()
        await server.stop()
    }

    /// Returns an HTTP/2 server, a client that trusts it, and the URL for requests.
    private func http2() async throws -> (server: APNsServer, client: BoundedHTTPClient, url: String) {
        let server = try await APNsServer.start()
        var configuration = try HTTPClientConfiguration(trusting: .certificates(pem: server.authority.certificatePEM))
        configuration.version = .http2
        let url = "\(server.url)/3/device/\(String(repeating: "a1", count: 32))"
        return (server, BoundedHTTPClient(configuration), url)
    }
}
