import APNsStandIn
import Glibc
import PhoneAuth
import Processes
import RedisScripts
import Testing
import TestServers

/// Many concurrent silent pushes, and dispatchers that die during them.
@Suite(.timeLimit(.minutes(30)), .tags(.load)) struct PushLoadTests {
    @Test("a thousand waiting pushes are all sent")
    func thousand() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSH_TIMEOUT_SECONDS": "60"])
        let receipts = try await enqueue(1000, in: deployment)
        try deployment.server.startDispatcher()
        #expect(await arrive(receipts, in: deployment))
    }

    @Test("a dispatcher that is killed loses nothing: each push is sent at least once")
    func killed() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSH_TIMEOUT_SECONDS": "60"])
        let receipts = try await enqueue(200, in: deployment)
        // The first responses are slow, so that the dispatcher dies with unfinished pushes.
        for _ in 1...60 { deployment.production.queue(.accepted(after: .seconds(20))) }
        let first = try deployment.server.startDispatcher()
        _ = await deployment.production.pushes(atLeast: 50)
        first.stop(SIGKILL)
        try deployment.server.startDispatcher()
        #expect(await arrive(receipts, in: deployment))
    }

    @Test("two dispatchers share the work")
    func shared() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSH_TIMEOUT_SECONDS": "60"])
        for _ in 1...2 { try deployment.server.startDispatcher() }
        let receipts = try await enqueue(300, in: deployment)
        #expect(await arrive(receipts, in: deployment))
        #expect(eventually { isEmpty(deployment) })
    }

    /// Queues one push per device, and returns the receipts.
    private func enqueue(_ count: Int, in deployment: PushDeployment) async throws -> Set<String> {
        let perThread = count / 10
        let receipts = try inParallel(10) { thread in
            try (0..<perThread).map { index in
                let answer = try deployment.verifyClient(PushDeployment.device(1000 + thread * perThread + index))
                return answer["receipt"] ?? "none: \(answer.errorMessage ?? "")"
            }
        }
        #expect(receipts.joined().allSatisfy { !$0.hasPrefix("none") })
        return Set(receipts.joined())
    }

    /// Waits until exactly these receipts have been sent, and returns whether they were before the timeout.
    private func arrive(_ receipts: Set<String>, in deployment: PushDeployment) async -> Bool {
        var sent: Set<String> = []
        var count = 0
        while !sent.isSuperset(of: receipts), !Task.isCancelled {
            let pushes = await deployment.production.pushes(atLeast: count + 1)
            sent.formUnion(pushes.dropFirst(count).compactMap { $0.credential?.receipt })
            count = pushes.count
        }
        return sent == receipts
    }

    private func isEmpty(_ deployment: PushDeployment) -> Bool {
        deployment.queued == 0
    }
}
