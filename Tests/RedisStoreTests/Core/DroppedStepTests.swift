import TestServers
import Testing

@testable import RedisStore

/// Steps that operations do not depend on, and that Redis does not perform.
@Suite struct DroppedStepTests {
    @Test("a step that Redis does not perform is reported, and the operation continues")
    func reported() throws {
        let test = try TestStore()
        let network = NetworkIdentity(project: "demo", hash: "net", shard: Shard(index: 5))
        let limit = RateLimit.messages(by: ClientNetworks(narrowest: network).all[0], .hour(5))
        let decision = try test.store.decide(.spending(reserving: [limit], eventID: "event"), now: test.now)
        guard case .allowed(let refund?) = decision else {
            Issue.record("\(decision)")
            return
        }
        var steps: [String] = []
        test.store.onDroppedStep = { step, _ in steps.append("\(step)") }
        test.store.count("field", in: { KeyNames.pushCounts("demo", day: $0) }, now: test.now)
        #expect(steps.isEmpty)

        test.redis.kill()
        test.store.count("field", in: { KeyNames.pushCounts("demo", day: $0) }, now: test.now)
        test.store.record(
            DecisionRecord(
                at: test.now,
                operation: "send",
                project: "demo",
                maskedNumber: nil,
                region: nil,
                outcome: "INVALID_PHONE_NUMBER",
                detail: nil
            ),
            as: DecisionReference(requestID: "r")
        )
        test.store.release(refund)
        #expect(steps == ["count an event", "record a decision", "release a reservation"])
    }
}
