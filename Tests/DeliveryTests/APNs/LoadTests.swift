import APNsStandIn
import Delivery
import OutgoingHTTP
import PhoneAuth
import RedisScripts
import Testing

extension APNsTests {
    @Suite struct LoadTests {
        @Test("1,000 concurrent pushes use one connection, each exactly once")
        func thousandPushes() async throws {
            try await APNsPair.run { pair in
                await Self.expectOneConnection(for: 1000, pair)
            }
        }

        @Test(
            "if streams run out, pushes wait instead of opening another connection",
            arguments: [20, 1]
        )
        func fewStreams(maximumStreams: Int) async throws {
            try await APNsPair.run(maximumStreams: maximumStreams) { pair in
                await Self.expectOneConnection(for: 200, pair)
            }
        }

        @Test("after GOAWAY under load, a new connection follows, and every lost push is reported")
        func goAwayUnderLoad() async throws {
            try await APNsPair.run { pair in
                async let outcomes = pair.push(toDevices: 0..<200)
                _ = await pair.production.pushes(atLeast: 50)
                try await pair.production.sendGoAway()
                var failed: [Int] = []
                for (number, outcome) in await outcomes.enumerated() where outcome != .delivered(.production) {
                    #expect(outcome == .retry(after: nil, .transport(.connectionLost)))
                    failed.append(number)
                }
                // Only the pushes in flight at that moment are lost.
                #expect(failed.count <= 100)
                #expect(await pair.deliver(toDevices: failed) == [])
                #expect(Set(pair.production.pushes.map(\.deviceToken)).count == 200)
                #expect(pair.production.connectionCount == 2)
            }
        }

        private static func expectOneConnection(for count: Int, _ pair: APNsPair) async {
            let outcomes = await pair.push(toDevices: 0..<count)
            #expect(outcomes.count == count)
            #expect(outcomes.allSatisfy { $0 == .delivered(.production) })
            #expect(pair.production.pushes.map(\.deviceToken).sorted() == (0..<count).map(Example.device))
            #expect(pair.production.connectionCount == 1)
            #expect(Set(pair.production.pushes.map { $0.header("authorization") }).count == 1)
        }
    }
}
