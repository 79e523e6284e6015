import Encodings
import Processes
import Synchronization
import TestServers
import Testing

/// Redis, or a worker, that pauses for longer than the command timeout. The command may have been executed, and the
/// user cannot repeat the action.
@Suite(.serialized, .timeLimit(.minutes(30)), .tags(.load)) struct LostAnswerTests {
    /// More commands than any request sends.
    private static let mostCommands = 60
    /// The number of deployments that run operations concurrently. They wait most of the time.
    private static let lanes = 4
    private static let commandTimeout: Duration = .milliseconds(500)

    private static func server(_ settings: [String: String] = [:]) throws -> InterruptedServer {
        try InterruptedServer(repeatsRequests: false, commandTimeout: commandTimeout, settings: settings)
    }

    @Test("whichever Redis reply is lost, the request takes effect once, and no one needs another code")
    func lost() throws {
        let waiting = Mutex((AccountOperation.all + AccountOperation.byUser)[...])
        _ = try inParallel(Self.lanes) { _ in
            let test = try Self.server()
            while let operation = waiting.withLock({ $0.popFirst() }) {
                do {
                    try loseReplies(operation, test)
                } catch {
                    Issue.record(error, "\(operation.testDescription)")
                }
            }
        }
    }

    /// Loses each reply of the operation's request once.
    private func loseReplies(_ operation: AccountOperation, _ test: InterruptedServer) throws {
        // Redis then knows all scripts.
        let rehearsal = try operation.prepare(test)
        try rehearsal.check(try rehearsal.request())

        var commands = 0
        while try isLost(operation, afterCommands: commands, test) {
            commands += 1
            guard commands < Self.mostCommands else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(commands > 1, "\(operation.testDescription): a request of one command needs no test")
    }

    /// Runs the operation once with new accounts, and returns false if the request had fewer commands.
    private func isLost(
        _ operation: AccountOperation,
        afterCommands commands: Int,
        _ test: InterruptedServer
    ) throws -> Bool {
        let attempt = try operation.prepare(test)
        let before = AccountAudit(test.server.redis).uids
        let (answer, isLost) = try test.loseReply(afterCommands: commands, attempt.request)
        let context: Comment = "\(operation.testDescription), reply \(commands)"
        #expect(answer.status == 200, "\(context): \(answer.text)")
        try attempt.checkEnd(answer, accountsBefore: before.count, test.server, context)
        return isLost
    }

    @Test(
        "a correct code signs in once, without another message, if Redis pauses beyond the command timeout"
    )
    func redisHalts() throws {
        let test = try Self.server()
        let server = test.server
        let (number, other) = (test.newNumber(), test.newNumber())
        _ = try server.signInFresh(other)
        let session = try server.openVerification(number)
        let code = try server.code(of: session)
        let signedIn = try test.haltRedis { try server.signIn(session, code) }
        #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true), "\(signedIn.text)")
        #expect(try server.signIn(session, code).errorMessage == "SESSION_EXPIRED")
        #expect(try server.messages(to: number).count == 1)
        #expect(AccountAudit(server.redis).faults == [] && AccountAudit(server.redis).uids.count == 2)
    }

    @Test("a correct code signs in once, without another message, after whichever command Redis restarts")
    func redisRestarts() throws {
        let test = try InterruptedServer(
            repeatsRequests: false,
            commandTimeout: Self.commandTimeout,
            isPersistent: true
        )
        let server = test.server
        var commands = 1
        while true {
            let number = test.newNumber()
            let session = try server.openVerification(number)
            let code = try server.code(of: session)
            let (signedIn, isRestarted) = try test.restartRedis(afterCommands: commands) {
                try server.signIn(session, code)
            }
            let context: Comment = "restarted after \(commands) commands: \(signedIn.text)"
            #expect(signedIn.status == 200 && signedIn.json["isNewUser"] == .bool(true), context)
            #expect(try server.signIn(session, code).errorMessage == "SESSION_EXPIRED", context)
            #expect(try server.messages(to: number).count == 1, context)
            guard isRestarted else { break }
            commands += 1
            guard commands < Self.mostCommands else { throw ServerFailure(description: "the request has no end") }
        }
        #expect(commands > 2)
        #expect(AccountAudit(server.redis).faults == [] && AccountAudit(server.redis).uids.count == commands)
    }

    @Test("a worker that was itself paused reads the waiting reply and repeats nothing")
    func workerHalts() throws {
        // Only the halted worker may miss its deadline, because a second try would be another step.
        let test = try InterruptedServer(repeatsRequests: false, commandTimeout: .seconds(2))
        let server = test.server
        _ = try server.signInFresh(test.newNumber())
        // The answer with its credit to the ranges and the ledger, and the sign-in.
        let count = 2
        for steps in 1...count {
            let session = try server.openVerification(test.newNumber())
            let code = try server.code(of: session)
            let halted = try test.halt(afterSteps: steps) { try server.signIn(session, code) }
            #expect(halted.answer.status == 200 && halted.isHalted, "\(halted.answer.text)")
            #expect(halted.steps == count)
        }
    }

    @Test("while Redis hangs, half of a worker's threads wait for it, and health checks are answered")
    func health() throws {
        let test = try Self.server(["THREADS": "4", "REDIS_CONNECT_TIMEOUT_MILLISECONDS": "500"])
        let server = test.server
        // Afterwards nearly all threads have a connection.
        let sent = try inParallel(16) { try server.sendVerificationCode(fictionalNumber($0)).status }
        #expect(sent.allSatisfy { $0 == 200 })
        server.redis.pause()
        let failures = Atomic(0)
        let isOver = Atomic(false)
        _ = try inParallel(5) { racer in
            guard racer == 4 else {
                while !isOver.load(ordering: .relaxed) {
                    let answer = try server.sendVerificationCode(fictionalNumber(30 + racer))
                    if answer.status == 503 { failures.add(1, ordering: .relaxed) }
                }
                return
            }
            defer {
                isOver.store(true, ordering: .relaxed)
                server.redis.resume()
            }
            // At least one thread waits in a second try, while the others fail and start again.
            let areMany = try eventually {
                let health = try server.get("/healthz")
                #expect(health.status == 200, "\(health.text)")
                return failures.load(ordering: .relaxed) >= 8
            }
            #expect(areMany)
            let readiness = try server.get("/readyz")
            #expect(readiness.status == 503, "\(readiness.text)")
        }
        #expect(try eventually { try server.get("/readyz").status == 200 })
    }
}
