import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Steps that operations do not depend on, and that Redis does not perform.
@Suite struct DroppedStepTests {
    @Test("a step that Redis does not perform is reported, and the operation continues")
    func reported() throws {
        let test = try TestStore()
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
        #expect(steps == ["count an event", "record a decision"])
    }
}
