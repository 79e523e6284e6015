import APNsStandIn
import PhoneAuth
import RedisScripts
import Testing
import TestServers

/// Clients that abuse the operator's APNs credential.
@Suite(.timeLimit(.minutes(30))) struct PushAbuseTests {
    private static let attacker = "192.0.2.66"

    @Test(
        "a client that invents device tokens is limited, leaves no lasting keys, and stops no other pushes"
    )
    func madeUpTokens() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSHES_PER_NETWORK_PER_HOUR": "150"])
        try deployment.server.startDispatcher()
        for server in [deployment.production, deployment.sandbox] {
            for _ in 0..<100 { server.queue(.refused(400, "BadDeviceToken")) }
        }
        let answers = try (0..<40).map {
            try deployment.verifyClient(PushDeployment.device($0), from: Self.attacker)
        }
        #expect(answers.filter { $0["receipt"] != nil }.count == 15)
        #expect(answers.last?.errorMessage == "INVALID_APP_CREDENTIAL")
        _ = await deployment.sandbox.pushes(atLeast: 15)
        let isRecorded = eventually {
            deployment.server.redis.cli("--scan", "--pattern", "*:push-counts:*") != ""
                && deployment.queued == 0
        }
        #expect(isRecorded)
        #expect(deployment.production.pushes.count == 15)
        let ofPushes = [":unproven-pushes:", ":queued-push:", ":rate:push:", ":device:", ":receipt:"]
        for key in deployment.server.redis.cli("--scan", "--pattern", "dt:*").split(separator: "\n") {
            guard ofPushes.contains(where: { key.contains($0) }) else { continue }
            let timeToLive = try #require(Int(deployment.server.redis.cli("TTL", String(key))))
            #expect((1...3600).contains(timeToLive), "\(key)")
        }
        #expect(deployment.server.log.contains("the network sent too many device tokens that APNs does not know"))
        deployment.production.answer(PushDeployment.device(99).lowercased(), with: .accepted)
        #expect(try deployment.verifyClient(PushDeployment.device(99))["receipt"] != nil)
        let delivered = await deployment.production.pushes(atLeast: 16)
        #expect(delivered.last?.deviceToken == PushDeployment.device(99).lowercased())
    }

    @Test(
        "a device token of another app or environment does not stop the pushes to the app's users",
        arguments: [(400, "DeviceTokenNotForTopic"), (403, "BadEnvironmentKeyInToken")]
    )
    func foreignToken(status: Int, reason: String) async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        let token = PushDeployment.device(1)
        for server in [deployment.production, deployment.sandbox] {
            server.answer(token.lowercased(), with: .refused(status, reason))
        }
        #expect(try deployment.verifyClient(token, from: Self.attacker)["receipt"] != nil)
        // The count is the last step, so everything else has been recorded.
        let isRecorded = eventually {
            deployment.server.redis.cli("--scan", "--pattern", "*:push-counts:*") != ""
        }
        #expect(isRecorded)
        #expect(deployment.server.log.contains("refused: \(reason)"))
        #expect(deployment.server.redis.cli("--scan", "--pattern", "*:refused-pushes:*") == "")
        #expect(try deployment.verifyClient(PushDeployment.device(2))["receipt"] != nil)
    }
}
