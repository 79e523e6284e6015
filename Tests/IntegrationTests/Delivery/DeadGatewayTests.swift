import GatewayStandIn
import Glibc
import Processes
import TestServers
import Testing

/// Gateways that hang or refuse while messages for them accumulate.
@Suite(.timeLimit(.minutes(30))) struct DeadGatewayTests {
    enum Death: CaseIterable {
        case hangs, refusesConnections, answersWithErrors
    }

    @Test(
        "with 5,000 messages waiting for a dead gateway, messages of another route arrive within seconds",
        arguments: Death.allCases
    )
    func otherRoute(death: Death) async throws {
        let deployment = try await MessageDeployment.start(routes: "US=first; GB=second; *=second")
        switch death {
        case .hangs: deployment.first.always(.silence)
        case .refusesConnections: await deployment.first.stop()
        case .answersWithErrors: deployment.first.always(.answer(503))
        }
        try deployment.enqueue(5000)
        try deployment.server.startDispatcher()
        #expect(eventually(within: .seconds(240)) { deployment.waiting >= 4900 })

        var times: [Duration] = []
        for index in 0..<20 {
            let start = ContinuousClock.now
            _ = try deployment.server.openVerification("+4477009009\(index < 10 ? "0" : "")\(index)")
            #expect(
                eventually(within: .seconds(60), every: .milliseconds(10)) {
                    deployment.second.requests.count == index + 1
                }
            )
            times.append(.now - start)
        }
        times.sort()
        print("with a gateway that \(death): median \(times[10]), longest \(times[19])")
        // Behind the waiting messages they would take minutes.
        #expect(times[10] < .seconds(5))
        // The gateway receives a message before the dispatcher removes it from the outbox.
        #expect(eventually { deployment.queued == 5000 })
    }

    @Test("waiting messages survive a killed dispatcher and are sent once when the gateway recovers")
    func recovery() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        deployment.first.always(.answer(503))
        try deployment.enqueue(200)
        let dispatcher = try deployment.server.startDispatcher()
        #expect(eventually(within: .seconds(120)) { deployment.first.requests.count >= 10 })
        #expect(eventually(within: .seconds(120)) { deployment.waiting == 200 })
        // The dispatcher is killed while it holds no message; otherwise it would send that message again.
        let isIdle = eventually(within: .seconds(120), every: .milliseconds(200)) {
            halt(dispatcher.processID)
            if deployment.waiting == 200 { return true }
            dispatcher.send(SIGCONT)
            return false
        }
        #expect(isIdle)
        dispatcher.stop(SIGKILL)
        let before = MessageDeployment.messages(deployment.first)
        deployment.first.always(.twilioAccepted)
        try deployment.server.startDispatcher()
        #expect(eventually(within: .seconds(240), every: .milliseconds(200)) { deployment.queued == 0 })
        let after = MessageDeployment.messages(deployment.first).dropFirst(before.count)
        #expect(after.count == 200)
        #expect(Set(after.map(\.to)).count == 200)
        // A gateway recognizes a message by its id, which is the same in each attempt.
        let ids = Dictionary(after.map { ($0.to, $0.id) }) { first, _ in first }
        #expect(before.allSatisfy { ids[$0.to] == $0.id })
        #expect(deployment.waiting == 0)
    }

    @Test("messages waiting for a hanging gateway are sent through the next gateway of their route")
    func failover() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first,second")
        deployment.first.always(.silence)
        try deployment.enqueue(500)
        try deployment.server.startDispatcher()
        #expect(eventually(within: .seconds(240), every: .milliseconds(200)) { deployment.queued == 0 })
        #expect(Set(MessageDeployment.messages(deployment.second).map(\.to)).count == 500)
        #expect(MessageDeployment.messages(deployment.second).count == 500)
        #expect(deployment.first.maximumAtOnce <= 64)
    }

    @Test("messages are sent although Redis refuses the dispatcher's maintenance")
    func refusedMaintenance() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        let server = deployment.server
        server.redis.cli(["ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-zrange"])
        try server.change(["REDIS_USER": "limited", "REDIS_PASSWORD": "secret"])
        try server.startDispatcher()
        #expect(eventually { server.log.contains("an outbox operation failed") })
        for number in 1...2 {
            _ = try server.openVerification("+1650555084\(number)")
            #expect(eventually { deployment.first.requests.count == number })
        }
    }

    @Test("a dispatcher logs that Redis did not say whether a message is needed, or did not let it leave")
    func denied() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        let server = deployment.server
        server.redis.cli(
            ["ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-get", "-xgroup|delconsumer"]
        )
        _ = try server.openVerification("+16505550842")
        try server.change(["REDIS_USER": "limited", "REDIS_PASSWORD": "secret"])
        let dispatcher = try server.startDispatcher()
        #expect(eventually { server.log.contains(#""outcome":"postponed: "#) })
        #expect(!server.log.contains("an outbox operation failed"))
        dispatcher.stop()
        #expect(server.log.contains("an outbox operation failed"))
        #expect(deployment.first.requests.isEmpty)
    }

    @Test("a waiting message is dropped if its session has ended")
    func ended() async throws {
        let deployment = try await MessageDeployment.start(routes: "*=first")
        deployment.first.always(.answer(503))
        try deployment.server.startDispatcher()
        let session = try deployment.server.openVerification("+16505550841")
        #expect(eventually { !deployment.first.requests.isEmpty })
        #expect(try deployment.server.signIn(session, try deployment.server.code(of: session)).status == 200)
        #expect(eventually { deployment.queued == 0 })
        #expect(deployment.waiting == 0)
        #expect(deployment.isShownInOutbox("no gateway: 1 ended"))
    }
}
