import GatewayStandIn
import APNsStandIn
import OutgoingHTTP
import SMSGateways
import Synchronization
import TestServers
import Testing

@Suite struct TransportTests {
    private static func impatient(_ configuration: inout GatewayHTTPConfiguration) {
        configuration.deadline = .seconds(4)
        configuration.connectDeadline = .seconds(4)
    }

    @Test("a hanging or dripping gateway is dropped at the deadline and may have sent the message")
    func slow() async throws {
        for reply in [Reply.silence, .drip] {
            try await Pair.run(configuring: Self.impatient) { pair in
                for gateway in [try pair.gateway(.twilio), try pair.gateway(.vonage), try pair.webhook()]
                    as [any SMSGateway]
                {
                    let begin = ContinuousClock.now
                    let outcome = try await pair.outcome(of: gateway, reply)
                    let took = ContinuousClock.now - begin
                    #expect(outcome == .uncertain(GatewayTrouble(.timedOut)))
                    #expect(took >= .milliseconds(3900))
                }
                #expect(pair.server.requests.count == 3)
                // Its connection was closed as well.
                #expect(
                    try await pair.outcome(of: try pair.gateway(.twilio), .twilioAccepted).description == "accepted"
                )
            }
        }
    }

    @Test("if a connection closes before the response, it is uncertain whether the message was sent")
    func dropped() async throws {
        try await Pair.run { pair in
            for reply in [Reply.cutAtHead, .cutAtEnd, .cutInAnswer] {
                for gateway in [try pair.gateway(.twilio), try pair.gateway(.vonage), try pair.webhook()]
                    as [any SMSGateway]
                {
                    let outcome = try await pair.outcome(of: gateway, reply)
                    #expect(outcome == .uncertain(GatewayTrouble(.connectionLost)))
                }
            }
            #expect(try await pair.outcome(of: try pair.gateway(.twilio), .twilioAccepted).description == "accepted")
        }
    }

    @Test("a gateway that closes a kept connection got the message once and may have sent it")
    func endedConnection() async throws {
        let count = Mutex(0)
        let server = try RawServer { connection in
            while connection.readRequest() != nil,
                count.withLock({
                    $0 += 1; return $0
                }) != 2
            { connection.answer() }
        }
        let client = try GatewayHTTPClient()
        let gateway = WebhookGateway<OutgoingMessage>(
            name: try Example.name(),
            address: try GatewayURL(server.url),
            key: try Example.webhookKey(),
            client: client
        )
        #expect(await gateway.send(try Example.message()) == .accepted(nil))
        #expect(await gateway.send(try Example.message()) == .uncertain(GatewayTrouble(.connectionLost)))
        #expect(count.withLock { $0 } == 2)
        await client.shutDown()
        server.stop()
    }

    @Test("only the maximum size of a huge response is read")
    func huge() async throws {
        try await Pair.run(configuring: Self.impatient) { pair in
            let gateway = try pair.webhook()
            let tooLong = try await pair.outcome(of: gateway, Reply(action: .stuckAfter(bytes: 16 * 1024 + 1)))
            #expect(tooLong == .accepted(nil))
            let inTime = try await pair.outcome(of: gateway, Reply(action: .stuckAfter(bytes: 8 * 1024)))
            #expect(inTime == .uncertain(GatewayTrouble(.timedOut)))
        }
    }

    @Test("nothing is sent to a gateway without a listener")
    func nothingListens() async throws {
        try await Pair.run { pair in
            let gateway = try pair.gateway(.twilio)
            await pair.server.stop()
            #expect(await gateway.send(try Example.message()) == .retry(after: nil, GatewayTrouble(.unreachable)))
            let nameless = WebhookGateway<OutgoingMessage>(
                name: try Example.name(),
                address: try GatewayURL("https://gateway.dialtone.invalid/"),
                key: try Example.webhookKey(),
                client: pair.client
            )
            #expect(await nameless.send(try Example.message()) == .retry(after: nil, GatewayTrouble(.nameNotResolved)))
        }
    }

    @Test("nothing is sent to a gateway that never answers in the TLS handshake")
    func silentHandshake() async throws {
        let server = try RawServer { while $0.read() != nil {} }
        var configuration = GatewayHTTPConfiguration()
        Self.impatient(&configuration)
        let client = try GatewayHTTPClient(configuration)
        let gateway = WebhookGateway<OutgoingMessage>(
            name: try Example.name(),
            address: try GatewayURL("https://127.0.0.1:\(server.port)/"),
            key: try Example.webhookKey(),
            client: client
        )
        #expect(await gateway.send(try Example.message()) == .retry(after: nil, GatewayTrouble(.timedOut)))
        await client.shutDown()
        server.stop()
    }

    @Test("nothing is sent to a gateway with an untrusted certificate or another host name")
    func untrusted() async throws {
        let authority = try TestAuthority()
        for (host, trusted) in [("127.0.0.1", try TestAuthority()), ("127.0.0.2", authority)] {
            let server = try await GatewayServer.start(host: host, authority: authority)
            var configuration = GatewayHTTPConfiguration()
            configuration.trustRoots = .certificates(pem: trusted.certificatePEM)
            let pair = Pair(server: server, client: try GatewayHTTPClient(configuration))
            let outcome = await (try pair.gateway(.vonage)).send(try Example.message())
            #expect(outcome == .retry(after: nil, GatewayTrouble(.untrustedServer)))
            #expect(server.requests.isEmpty)
            await pair.client.shutDown()
            await server.stop()
        }
    }

    @Test("nothing is sent to a gateway that does not speak TLS")
    func plainServer() async throws {
        try await Pair.run(isPlain: true) { pair in
            let gateway = WebhookGateway<OutgoingMessage>(
                name: try Example.name(),
                address: try GatewayURL("https" + pair.server.url.dropFirst(4)),
                key: try Example.webhookKey(),
                client: pair.client
            )
            guard case .retry(nil, _) = await gateway.send(try Example.message()) else {
                Issue.record("not to be tried again")
                return
            }
            #expect(pair.server.requests.isEmpty)
        }
    }
}
