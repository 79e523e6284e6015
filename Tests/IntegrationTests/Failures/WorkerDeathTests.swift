import TestServers
import Testing

/// A worker that dies between any two steps of a request. Accounts and the claims that lead to them are in different
/// shards of Redis, which no script changes together.
@Suite(.serialized, .timeLimit(.minutes(30)), .tags(.load)) struct WorkerDeathTests {
    /// More steps than any request has.
    private static let mostSteps = 20

    @Test(
        "no account is lost, duplicated or unreachable, whether nginx or the user repeats the request",
        arguments: AccountOperation.all,
        [true, false]
    )
    func killed(operation: AccountOperation, repeatsRequests: Bool) throws {
        guard operation.isRepeatable || !repeatsRequests else { return }
        let test = try InterruptedServer(repeatsRequests: repeatsRequests)
        // Redis then knows all scripts, so that each one is a single step.
        let rehearsal = try operation.prepare(test)
        let answer = try rehearsal.request()
        #expect(answer.status == 200, "\(answer.errorMessage ?? "")")
        try rehearsal.check(answer)

        var steps = 0
        while try isKilled(operation, afterSteps: steps, repeatsRequests, test) {
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(steps > 1, "a request of one step needs no test")
    }

    @Test(
        "a request that its client repeats under its key has one effect, and the same answer, whenever its worker died",
        arguments: AccountOperation.all
    )
    func repeatedByClient(operation: AccountOperation) throws {
        let test = try InterruptedServer(repeatsRequests: false)
        let rehearsal = try operation.prepare(test)
        #expect(try rehearsal.request().status == 200)
        var steps = 0
        while try isRepeated(operation, afterSteps: steps, test) { steps += 1 }
        #expect(steps > 1, "a request of one step needs no test")
    }

    private func isRepeated(
        _ operation: AccountOperation,
        afterSteps steps: Int,
        _ test: InterruptedServer
    ) throws -> Bool {
        let attempt = try operation.prepare(test)
        let before = AccountAudit(test.server.redis).uids
        let context: Comment = "\(operation.testDescription), after \(steps) steps"
        let key = [("Idempotency-Key", "0123456789abcdef-\(steps)")]
        return try RunningServer.$clientHeaders.withValue(key) {
            let (answer, isKilled) = try test.interrupt(afterSteps: steps, attempt.request)
            #expect(isKilled ? answer.status == 503 : answer.status == 200, context)
            let repeated = try attempt.request()
            guard answer.status == 503 || answer["refreshToken"] != nil else { return isKilled }
            // A repeated deletion succeeds.
            #expect(repeated.status == 200 || repeated.errorMessage == "USER_NOT_FOUND", "\(context): \(repeated.text)")
            let again = try attempt.request()
            #expect(again["refreshToken"] == repeated["refreshToken"], "\(context): \(again.text)")
            if !isKilled { #expect(answer["refreshToken"] == repeated["refreshToken"], context) }
            try RunningServer.$clientHeaders.withValue([]) {
                try attempt.checkEnd(repeated, accountsBefore: before.count, test.server, context)
            }
            return isKilled
        }
    }

    /// Runs the operation once with new accounts, and returns false if the request had fewer steps.
    private func isKilled(
        _ operation: AccountOperation,
        afterSteps steps: Int,
        _ repeatsRequests: Bool,
        _ test: InterruptedServer
    ) throws -> Bool {
        let attempt = try operation.prepare(test)
        let before = AccountAudit(test.server.redis).uids
        var (answer, isKilled) = try test.interrupt(afterSteps: steps, attempt.request)
        let context: Comment = "\(operation.testDescription), after \(steps) steps"
        let meanwhile = AccountAudit(test.server.redis)
        #expect(meanwhile.faults == [], context)
        #expect(meanwhile.uids.isSuperset(of: attempt.kept), context)
        if !isKilled || repeatsRequests {
            #expect(answer.status == 200, context)
        } else {
            #expect(answer.status == 503, context)
            answer = try attempt.again()
            // A repeated deletion succeeds.
            #expect(answer.status == 200 || answer.errorMessage == "USER_NOT_FOUND", context)
        }
        try attempt.checkEnd(answer, accountsBefore: before.count, test.server, context)
        return isKilled
    }
}
