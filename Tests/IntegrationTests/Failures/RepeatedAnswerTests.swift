import Synchronization
import TestServers
import Testing

/// Requests with a code that nginx repeats because their worker died, while other requests use the same session.
@Suite(.serialized, .timeLimit(.minutes(30))) struct RepeatedAnswerTests {
    @Test("a wrong code that nginx repeats after another one counts once")
    func wrongAnswers() throws {
        let test = try InterruptedServer(repeatsRequests: true)
        let server = test.server
        let session = try server.openVerification(test.newNumber())
        let code = try server.code(of: session)
        // Redis then knows the script, so that the verification is one step.
        #expect(try server.signIn(session, wrongCode(besides: code)).errorMessage == "INVALID_CODE")
        let between = Mutex<String?>(nil)
        let (repeated, isInterrupted) = try test.interrupt(afterSteps: 1) {
            let answer = try? server.signIn(session, wrongCode(besides: code, 1))
            between.withLock { $0 = answer?.errorMessage }
        } _: {
            try server.signIn(session, wrongCode(besides: code, 2))
        }
        #expect(isInterrupted && repeated.errorMessage == "INVALID_CODE")
        #expect(between.withLock { $0 } == "INVALID_CODE")
        #expect(try server.signIn(session, wrongCode(besides: code, 3)).errorMessage == "INVALID_CODE")
        // Four of five attempts have been used.
        #expect(try server.signIn(session, code).status == 200)
    }

    @Test("a wrong authenticator code that nginx repeats after another one counts once")
    func wrongSecondFactors() throws {
        let test = try InterruptedServer(repeatsRequests: true)
        let server = test.server
        var user = try SecondFactorUser(server)
        let (id, app) = try user.enrollApp(stepsAgo: 1)
        let credential = try user.pendingCredential()
        func finishWrongly() throws -> HTTPAnswer {
            try server.finishApp(credential, id, wrongCode(besides: app.code(), 4711))
        }
        #expect(try finishWrongly().errorMessage == "INVALID_CODE")
        let (repeated, isInterrupted) = try test.interrupt(afterSteps: 1) {
            _ = try? server.finishApp(credential, id, wrongCode(besides: app.code(), 4712))
        } _: {
            try finishWrongly()
        }
        #expect(isInterrupted && repeated.errorMessage == "INVALID_CODE")
        let accounts = server.redis.cli("KEYS", "dt:{u*}:user:*\(user.uid)").split(whereSeparator: \.isNewline)
        let account = try #require(accounts.first.map(String.init))
        #expect(server.redis.cli("HGET", account, "wrong-second-factors").hasPrefix("3"))
    }
}
