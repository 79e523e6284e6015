import GatewayStandIn
import APNsStandIn
import OutgoingHTTP
import SMSGateways
import TestServers
import Testing

@Suite struct ConnectionTests {
    @Test("consecutive messages share a connection")
    func reuse() async throws {
        try await Pair.run { pair in
            for _ in 0..<20 {
                let outcome = await (try pair.gateway(.twilio)).send(try Example.message())
                #expect(outcome.description == "accepted")
            }
            #expect(pair.server.requests.count == 20)
            #expect(pair.server.connectionCount == 1)
        }
    }

    @Test("concurrent messages use at most the maximum number of connections, and all arrive")
    func connectionLimit() async throws {
        try await Pair.run(configuring: { $0.maximumConnectionsPerHost = 3 }) { pair in
            let gateway = try pair.gateway(.twilio)
            let message = try Example.message()
            for _ in 0..<40 {
                var reply = Reply.twilioAccepted
                reply.delay = .milliseconds(5)
                pair.server.queue(reply)
            }
            let accepted = await withTaskGroup(of: GatewayOutcome.self) { group in
                for _ in 0..<40 { group.addTask { await gateway.send(message) } }
                return await group.reduce(0) { $0 + ($1.description == "accepted" ? 1 : 0) }
            }
            #expect(accepted == 40)
            #expect(pair.server.connectionCount <= 3)
            #expect(pair.server.maximumAtOnce <= 3)
        }
    }

    @Test("a message that waits for a connection until its deadline was not sent")
    func starved() async throws {
        try await Pair.run(configuring: {
            $0.maximumConnectionsPerHost = 1
            $0.deadline = .seconds(4)
        }) { pair in
            let gateway = try pair.gateway(.twilio)
            let message = try Example.message()
            pair.server.queue(.silence, .silence, .silence, .silence, .silence, .silence)
            let outcomes = await withTaskGroup(of: GatewayOutcome.self) { group in
                for _ in 0..<6 { group.addTask { await gateway.send(message) } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            let timedOut = GatewayTrouble(.timedOut)
            #expect(outcomes == [.uncertain(timedOut), .retry(after: nil, timedOut)])
        }
    }

    @Test("a cancelled task stops waiting, and after shutdown nothing is sent")
    func cancelled() async throws {
        let server = try await GatewayServer.start()
        var configuration = GatewayHTTPConfiguration()
        configuration.trustRoots = .certificates(pem: server.authority.certificatePEM)
        let pair = Pair(server: server, client: try GatewayHTTPClient(configuration))
        let gateway = try pair.gateway(.twilio)
        let message = try Example.message()
        server.queue(.silence)
        let task = Task { await gateway.send(message) }
        #expect(await waitUntil { !server.requests.isEmpty })
        task.cancel()
        #expect(await task.value == .uncertain(GatewayTrouble(.cancelled)))
        await pair.client.shutDown()
        #expect(await gateway.send(message) == .retry(after: nil, GatewayTrouble(.cancelled)))
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("invalid trusted certificates are rejected")
    func trustRoots() {
        var configuration = GatewayHTTPConfiguration()
        configuration.trustRoots = .certificates(pem: "none")
        #expect(throws: UnreadableTrustRoots.self) { try GatewayHTTPClient(configuration) }
    }
}
