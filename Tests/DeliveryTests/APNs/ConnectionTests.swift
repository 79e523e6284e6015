import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct ConnectionTests {
        @Test("a cut connection fails pushes in flight, and the next push opens a new connection")
        func cut() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: .silence)
                let waiting = Task { await pair.push() }
                _ = await pair.production.pushes(atLeast: 1)
                await pair.production.cutConnections()
                #expect(await waiting.value == .retry(after: nil, .transport(.connectionLost)))
                #expect(await pair.deliver(toDevices: 0..<100) == [])
                #expect(pair.production.connectionCount == 2)
            }
        }

        @Test("a connection cut by one of 100 pushes fails some, duplicates none, and retries deliver all")
        func cutUnderLoad() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device(50), with: .cut, .accepted)
                #expect(await pair.deliver(toDevices: 0..<100) == [])
                #expect(Set(pair.production.pushes.map(\.deviceToken)).count == 100)
            }
        }

        @Test("after GOAWAY, pushes in flight get their responses, and the next push opens a new connection")
        func goAway() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: .accepted(after: .seconds(2)))
                let waiting = Task { await pair.push() }
                _ = await pair.production.pushes(atLeast: 1)
                try await pair.production.sendGoAway()
                #expect(await waiting.value == .delivered(.production))
                #expect(await pair.push(to: Example.device(1)) == .delivered(.production))
                #expect(pair.production.connectionCount == 2)
            }
        }

        @Test("if APNs drops a connection, pushes in flight fail, and the next push opens a new connection")
        func abandoned() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: .silence)
                let waiting = Task { await pair.push() }
                _ = await pair.production.pushes(atLeast: 1)
                try await pair.production.sendGoAway(isAbandoning: true)
                #expect(await waiting.value == .retry(after: nil, .transport(.connectionLost)))
                #expect(await pair.deliver(toDevices: [1]) == [])
            }
        }

        @Test("a server that never responds delays a push until the deadline, and the next push opens a new connection")
        func hanging() async throws {
            try await APNsPair.run(deadline: .seconds(6)) { pair in
                pair.production.answer(Example.device, with: .silence)
                #expect(await pair.push() == .retry(after: nil, .transport(.timedOut)))
                #expect(await pair.push(to: Example.device(1)) == .delivered(.production))
                #expect(pair.production.pushes.map(\.connection) == [1, 2])
            }
        }

        @Test("a single hanging push does not close the connection for other pushes")
        func hangingAlone() async throws {
            try await APNsPair.run(deadline: .seconds(8)) { pair in
                pair.production.answer(Example.device, with: .silence)
                let waiting = Task { await pair.push() }
                _ = await pair.production.pushes(atLeast: 1)
                #expect(await pair.push(to: Example.device(1)) == .delivered(.production))
                #expect(await waiting.value == .retry(after: nil, .transport(.timedOut)))
                #expect(await pair.push(to: Example.device(2)) == .delivered(.production))
                #expect(pair.production.connectionCount == 1)
            }
        }

        @Test("a hanging server does not delay pushes to the other server")
        func separateLimits() async throws {
            try await APNsPair.run { pair in
                pair.sandbox.answer(Example.device, with: .silence)
                let waiting = Task { await pair.push(tryingFirst: .sandbox) }
                _ = await pair.sandbox.pushes(atLeast: 1)
                #expect(await pair.push() == .delivered(.production))
                waiting.cancel()
                #expect(await waiting.value == .retry(after: nil, .transport(.cancelled)))
            }
        }

        @Test("a server that is down is reported as unreachable and is used again once it is up")
        func restart() async throws {
            try await APNsPair.run { pair in
                #expect(await pair.push() == .delivered(.production))
                await pair.production.stop()
                let lost = PushOutcome.retry(after: nil, .transport(.connectionLost))
                var outcome = lost
                for _ in 0..<10 where outcome == lost { outcome = await pair.push() }
                #expect(outcome == .retry(after: nil, .transport(.unreachable)))
                let again = try await APNsServer.start(authority: pair.production.authority, port: pair.production.port)
                #expect(await pair.push() == .delivered(.production))
                await again.stop()
            }
        }

        @Test("a cancelled push ends immediately, and a push after shutdown does not start")
        func cancellation() async throws {
            try await APNsPair.run { pair in
                pair.production.answer(Example.device, with: .silence)
                let waiting = Task { await pair.push() }
                _ = await pair.production.pushes(atLeast: 1)
                waiting.cancel()
                #expect(await waiting.value == .retry(after: nil, .transport(.cancelled)))
                await pair.client.shutDown()
                #expect(await pair.push() == .retry(after: nil, .transport(.cancelled)))
            }
        }
    }
}
