import APNsStandIn
import Encodings
import GatewayStandIn
import HookCalls
import OutgoingHTTP
import TestServers
import Testing

@testable import PhoneAuth

/// Calls over TLS to a test server. Calls block, so each one has its own thread.
@Suite struct BlockingHookClientTests {
    /// Returns the reply of a call to a new server with this reaction, trusted or not.
    private func reply(_ reply: Reply, within deadline: Duration = .seconds(60), isTrusted: Bool = true) async throws
        -> BlockingHookReply
    {
        let server = try await GatewayServer.start()
        server.queue(reply)
        let trusted: TrustRoots = isTrusted ? .certificates(pem: server.authority.certificatePEM) : .system
        let client = try BlockingHookClient(trusting: trusted, maximumConnectionsPerHost: 4)
        let hook = try ServiceURL(server.url + "/hook?token=hidden")
        let answer = await onThread {
            defer { client.shutDown() }
            return client.post(BlockingHookRequest(url: hook, body: Array("{}".utf8), deadline: deadline))
        }
        await server.stop()
        return answer
    }

    private func answered(_ reply: BlockingHookReply) -> (Int, [UInt8])? {
        guard case .answered(let status, let body) = reply else { return nil }
        return (status, body)
    }

    @Test("a response is returned unchanged, including a redirect")
    func answers() async throws {
        let denied = try #require(answered(try await reply(.answer(403, #"{"error":{}}"#))))
        #expect(denied.0 == 403 && denied.1 == Array(#"{"error":{}}"#.utf8))
        let redirect = try await reply(.answer(307, "", [("Location", "https://127.0.0.1:1/")]))
        #expect(answered(redirect)?.0 == 307)
        #expect("\(redirect)" == "BlockingHookReply(…)")
    }

    @Test("a response that is too long counts as empty")
    func tooMuch() async throws {
        let answer = try #require(answered(try await reply(.answer(200, String(repeating: " ", count: 20_000)))))
        #expect(answer.0 == 200 && answer.1.isEmpty)
    }

    @Test("a hook that hangs or drips delays a call until the deadline", arguments: [0, 1, 2])
    func slow(number: Int) async throws {
        let replies = [Reply.silence, .drip, Reply(action: .stuckAfter(bytes: 5))]
        guard case .timedOut = try await reply(replies[number], within: .milliseconds(400)) else {
            Issue.record("it did not time out")
            return
        }
    }

    @Test("while a request waits for a hook, another thread may be active")
    func steppingAside() async throws {
        let server = try await GatewayServer.start()
        server.queue(.silence)
        let client = try BlockingHookClient(
            trusting: .certificates(pem: server.authority.certificatePEM),
            maximumConnectionsPerHost: 4
        )
        let request = BlockingHookRequest(
            url: try ServiceURL(server.url + "/hook"),
            body: Array("{}".utf8),
            deadline: .seconds(60)
        )
        let isActive = await onThread {
            (try? anotherThreadIsActive(during: { _ = client.post(request) }, ended: { client.shutDown() })) ?? false
        }
        await server.stop()
        #expect(isActive)
    }

    @Test("an untrusted certificate and a closed connection are distinguished")
    func unreachable() async throws {
        for (reply, isTrusted, expected) in [
            (Reply.answer(200, "{}"), false, "untrustedServer"), (.cutAtEnd, true, "connectionLost"),
        ] {
            guard case .unreachable(let reason) = try await self.reply(reply, isTrusted: isTrusted) else {
                Issue.record("it answered")
                return
            }
            #expect(reason == expected)
        }
    }

    @Test("a request posts JSON to the complete URL")
    func request() async throws {
        let server = try await GatewayServer.start(isPlain: true)
        let client = try BlockingHookClient(trusting: .system, maximumConnectionsPerHost: 4)
        let hook = try ServiceURL(server.url + "/hook?token=hidden", allowsPlainLoopback: true)
        _ = await onThread {
            defer { client.shutDown() }
            return client.post(BlockingHookRequest(url: hook, body: Array("{}".utf8), deadline: .seconds(60)))
        }
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.path == "/hook?token=hidden" && request.text == "{}")
        #expect(request.header("content-type") == "application/json")
        await server.stop()
    }
}
