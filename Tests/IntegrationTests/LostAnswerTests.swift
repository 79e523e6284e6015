import Encodings
import Glibc
import Processes
import Synchronization
import TestServers
import Testing

/// Redis, or a worker, that stops for longer than a command may take: the script has run, and its user cannot do the
/// same again.
@Suite(.serialized, .timeLimit(.minutes(30))) struct LostAnswerTests {
    /// More steps than any request has.
    private static let mostSteps = 20

    @Test(
        "whichever of Redis's answers is lost, the request is done once, and nobody needs another code",
        arguments: AccountOperation.all
    )
    func lost(operation: AccountOperation) throws {
        let test = try InterruptedServer(repeatsRequests: false)
        // Redis knows all scripts from then on, so that each step is one.
        let rehearsal = try operation.prepare(test)
        try rehearsal.check(try rehearsal.request())

        var steps = 0
        while try isLost(operation, afterSteps: steps, test) {
            steps += 1
            guard steps < Self.mostSteps else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(steps > 1, "a request of one step needs no test")
    }

    /// Does it once, with fresh accounts; false if the request had fewer steps.
    private func isLost(_ operation: AccountOperation, afterSteps steps: Int, _ test: InterruptedServer) throws -> Bool
    {
        let attempt = try operation.prepare(test)
        let before = AccountAudit(test.server.redis).uids
        var (answer, isLost) = try test.loseAnswer(afterSteps: steps, attempt.request)
        let context: Comment = "\(operation.testDescription), answer \(steps)"
        // Scripts that do not know their caller's request again are not called again. Nothing that they use up is lost.
        let mayFail = !operation.isRepeatable || operation.testDescription.hasPrefix("deletion")
        if answer.status == 503, mayFail { answer = try attempt.again() }
        #expect(
            answer.status == 200 || mayFail && answer.errorMessage == "USER_NOT_FOUND",
            "\(context): \(answer.text)"
        )
        try attempt.checkEnd(answer, accountsBefore: before.count, test.server, context)
        return isLost
    }

    @Test(
        "a right code signs in, once and without another message, when Redis stops for longer than a command may take"
    )
    func redisHalts() throws {
        let server = try RunningServer(workers: 1, settings: ["REDIS_COMMAND_TIMEOUT_MILLISECONDS": "500"])
        let number = "+16505550171"
        _ = try server.signInFresh("+16505550172")
        let session = try server.openSession(number)
        let code = try server.code(of: session)
        server.redis.pause()
        let answers = try inParallel(2) { racer -> HTTPAnswer? in
            if racer == 0 { return try server.signIn(session, code) }
            usleep(1_500_000)
            server.redis.resume()
            return nil
        }
        let first = try #require(answers[0])
        // Only scripts are called again. A request that fails before its script runs, when it reads the project's
        // settings, leaves the code good.
        let signedIn = first.status == 503 ? try server.signIn(session, code) : first
        #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true), "\(signedIn.text)")
        #expect(try server.signIn(session, code).errorMessage == "SESSION_EXPIRED")
        #expect(try server.messages(to: number).count == 1)
        #expect(AccountAudit(server.redis).faults == [] && AccountAudit(server.redis).uids.count == 2)
    }

    @Test("a worker that was halted itself reads the answer that is there, and asks nothing twice", arguments: [1, 2])
    func workerHalts(steps: Int) throws {
        let test = try InterruptedServer(repeatsRequests: false)
        let server = test.server
        _ = try server.signInFresh(test.newNumber())
        func signIn(haltingAfter steps: Int) throws -> (answer: HTTPAnswer, steps: Int, isHalted: Bool) {
            let session = try server.openSession(test.newNumber())
            let code = try server.code(of: session)
            return try test.halt(afterSteps: steps) { try server.signIn(session, code) }
        }
        let halted = try signIn(haltingAfter: steps)
        #expect(halted.answer.status == 200 && halted.isHalted, "\(halted.answer.text)")
        #expect(halted.steps == 2)
    }

    @Test("while Redis hangs, half of a worker's threads wait for it, and health checks are answered")
    func health() throws {
        let server = try RunningServer(
            workers: 1,
            settings: [
                "THREADS": "4", "REDIS_COMMAND_TIMEOUT_MILLISECONDS": "500",
                "REDIS_CONNECT_TIMEOUT_MILLISECONDS": "500",
            ]
        )
        // Each thread has a connection.
        for index in 0..<16 { #expect(try server.sendVerificationCode(fictionalNumber(index)).status == 200) }
        server.redis.pause()
        let isOver = Mutex(false)
        let results = try inParallel(5) { racer -> Bool in
            if racer == 4 {
                defer {
                    isOver.withLock { $0 = true }
                    server.redis.resume()
                }
                for _ in 0..<10 {
                    usleep(100_000)
                    let health = try server.get("/healthz")
                    #expect(health.status == 200, "\(health.text)")
                }
                let readiness = try server.get("/readyz")
                #expect(readiness.status == 503, "\(readiness.text)")
                return true
            }
            while !isOver.withLock({ $0 }) { _ = try server.sendVerificationCode(fictionalNumber(30 + racer)) }
            return true
        }
        #expect(results.allSatisfy { $0 })
        #expect(try eventually { try server.get("/readyz").status == 200 })
    }
}
