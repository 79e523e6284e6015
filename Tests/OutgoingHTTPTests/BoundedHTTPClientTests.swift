import APNsStandIn
import AsyncHTTPClient
import GatewayStandIn
import NIOHTTP1
import NIOSSL
import Testing

@testable import OutgoingHTTP

@Suite struct BoundedHTTPClientTests {
    /// Asks a new server, which replies so, and shuts the client down.
    private func answer(_ reply: Reply, within deadline: Duration = .seconds(600)) async throws -> HTTPAnswer {
        let server = try await GatewayServer.start()
        server.queue(reply)
        let client = try client(of: server)
        let result: Result<HTTPAnswer, TransportFailure>
        do throws(TransportFailure) {
            result = .success(try await client.send(HTTPClientRequest(url: server.url), within: deadline))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        await client.shutDown()
        return try result.get()
    }

    private func client(of server: GatewayServer) throws -> BoundedHTTPClient {
        let trusted = TrustRoots.certificates(pem: server.authority.certificatePEM)
        return BoundedHTTPClient(try .outgoing(trusting: trusted))
    }

    @Test("an answer comes as it is, a redirect too")
    func answers() async throws {
        let ok = try await answer(.answer(201, "text", [("Retry-After", "7")]))
        #expect(ok.status == 201 && ok.body == Array("text".utf8))
        #expect(ok.headers.first(name: "retry-after") == "7")
        #expect("\(ok)" == "HTTPAnswer(…)")
        #expect(try await answer(.answer(302, "", [("Location", "https://127.0.0.1:1/")])).status == 302)
    }

    @Test("a longer body than any that is agreed is not read")
    func longBody() async throws {
        let limit = BoundedHTTPClient.maximumAnswerBytes
        #expect(try await answer(.answer(200, String(repeating: "a", count: limit))).body.count == limit)
        #expect(try await answer(.answer(200, String(repeating: "a", count: limit + 1))).body.isEmpty)
    }

    @Test("a server that hangs or drips costs the deadline")
    func slow() async throws {
        for reply in [Reply.silence, .drip] {
            await #expect(throws: TransportFailure.timedOut) {
                try await answer(reply, within: .milliseconds(500))
            }
        }
    }

    @Test("after it has shut down, and when its caller is cancelled, a request is cancelled")
    func cancelled() async throws {
        let server = try await GatewayServer.start()
        let client = try client(of: server)
        server.queue(.silence)
        let task = Task {
            _ = await #expect(throws: TransportFailure.cancelled) {
                try await client.send(HTTPClientRequest(url: server.url), within: .seconds(600))
            }
        }
        task.cancel()
        await task.value
        // A cancelled task shuts down like any other.
        let last = Task { await client.shutDown() }
        last.cancel()
        await last.value
        await #expect(throws: TransportFailure.cancelled) {
            try await client.send(HTTPClientRequest(url: server.url), within: .seconds(600))
        }
        await server.stop()
    }

    @Test("what is no certificate in PEM is no trust root", arguments: ["", "none", "-----BEGIN CERTIFICATE-----"])
    func trustRoots(pem: String) {
        #expect(throws: UnreadableTrustRoots.self) {
            try HTTPClient.Configuration.outgoing(trusting: .certificates(pem: pem))
        }
    }

    @Test("with the system's trust roots as with others, there is no redirect, no proxy and no TLS below 1.2")
    func configuration() throws {
        for configuration in [HTTPClient.Configuration.outgoing(), try .outgoing(trusting: .system)] {
            #expect(configuration.tlsConfiguration?.minimumTLSVersion == .tlsv12)
            #expect(configuration.proxy == nil)
            #expect("\(configuration.redirectConfiguration)".contains("disallow"))
        }
    }
}
