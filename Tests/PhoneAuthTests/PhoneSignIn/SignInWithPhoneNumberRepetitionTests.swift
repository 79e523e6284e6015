import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// Requests that a front end repeats with the same request id after a worker died.
    @Suite struct SignInWithPhoneNumberRepetitionTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let session: String
        let right: String
        let wrong: String

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
            session = try authenticator.in(project).session(for: "+16505550102")
            right = try authenticator.in(project).code(of: session)
            wrong = try authenticator.in(project).wrongCode(of: session)
        }

        @Test("a repeated wrong code gets the same response and counts once")
        func repeatedWrong() {
            for _ in 0..<8 {
                #expect(authenticator.in(project).answer(session, wrong, request: "a") == .wrong(attemptsLeft: 4))
            }
            #expect(authenticator.in(project).answer(session, wrong, request: "b") == .wrong(attemptsLeft: 3))
        }

        @Test("each repeated wrong code gets its own response, whatever other requests were made, and counts once")
        func repeatedWrongOnes() throws {
            func answer(_ code: String, _ request: String) -> SignInOutcome {
                authenticator.in(project).answer(session, code, request: request)
            }
            #expect(answer(wrong, "a") == .wrong(attemptsLeft: 4))
            #expect(answer(wrong, "b") == .wrong(attemptsLeft: 3))
            for _ in 0..<3 {
                #expect(answer(wrong, "a") == .wrong(attemptsLeft: 4))
                #expect(answer(wrong, "b") == .wrong(attemptsLeft: 3))
            }
            #expect(answer(wrong, "c") == .wrong(attemptsLeft: 2))
            let uid = try #require(answer(right, "d").uid)
            #expect(answer(wrong, "a") == .wrong(attemptsLeft: 4))
            #expect(answer(right, "d").uid == uid)
            #expect(answer(wrong, "e") == .used)
            #expect(try authenticator.in(project).limits(of: "+16505550102").wrongCodes.value == 0)
        }

        @Test("repeated codes of an exhausted session get their own responses, and each counts once for the number")
        func repeatedInExhausted() throws {
            let answers = (1...5).map { authenticator.in(project).answer(session, wrong, request: "\($0)") }
            #expect(answers == [4, 3, 2, 1, 0].map { .wrong(attemptsLeft: $0) })
            let again = (1...5).map { authenticator.in(project).answer(session, wrong, request: "\($0)") }
            #expect(again == answers)
            #expect(authenticator.in(project).answer(session, right, request: "6") == .spent)
            #expect(try authenticator.in(project).limits(of: "+16505550102").wrongCodes.value == 5)
        }

        @Test("a repeated correct code signs in the same account and still reports whether it is new")
        func repeatedRight() throws {
            let first = authenticator.in(project).answer(session, right, request: "a")
            let uid = try #require(first.uid)
            #expect(first == .signedIn(uid: uid, isNew: true))
            #expect(authenticator.in(project).answer(session, right, request: "a") == first)
            #expect(authenticator.in(project).answer(session, right, request: "b") == .used)

            let second = try authenticator.in(project).session(for: "+16505550102")
            let code = try authenticator.in(project).code(of: second)
            for _ in 0..<2 {
                let outcome = authenticator.in(project).answer(second, code, request: "c")
                #expect(outcome == .signedIn(uid: uid, isNew: false))
            }
        }

        @Test("the tokens of the first and the repeated response are both valid")
        func repeatedTokens() throws {
            let first = try authenticator.in(project).signIn(session, right, request: "a")
            let second = try authenticator.in(project).signIn(session, right, request: "a")
            for signedIn in [first, second] {
                #expect(authenticator.in(project).refresh(signedIn.refreshToken) == .refreshed(uid: first.uid))
                #expect(authenticator.in(project).look(up: signedIn.idToken) == .found(uid: first.uid))
            }
        }

        @Test("if the code that used the last attempt is repeated, it gets the same response")
        func repeatedLast() {
            for attempt in 1...4 { _ = authenticator.in(project).answer(session, wrong, request: "\(attempt)") }
            for _ in 0..<2 {
                #expect(authenticator.in(project).answer(session, wrong, request: "5") == .wrong(attemptsLeft: 0))
            }
            #expect(authenticator.in(project).answer(session, right, request: "6") == .spent)
        }

        @Test("a request id of one session has no effect on another")
        func otherSession() throws {
            let other = try authenticator.in(project).session(for: "+16505550103")
            let code = try authenticator.in(project).wrongCode(of: other)
            #expect(authenticator.in(project).answer(session, wrong, request: "a") == .wrong(attemptsLeft: 4))
            #expect(authenticator.in(project).answer(other, code, request: "a") == .wrong(attemptsLeft: 4))
        }

        @Test("an account whose creation was interrupted is created by the repeated request")
        func brokenOff() throws {
            let first = authenticator.in(project).answer(session, right, request: "a")
            let uid = try #require(first.uid)
            // The state after a worker died between the two steps of a sign-in.
            for key in deployment.keyNames(matching: "dt:{u*") { deployment.cli("DEL", key) }
            #expect(authenticator.in(project).answer(session, right, request: "a") == first)
            let account = deployment.keyNames(matching: "*:user:*")
            #expect(account.count == 1)
            #expect(account.first?.hasSuffix(uid) == true)
        }

        @Test("an account deleted concurrently is not recreated, and the repeated request creates a new one")
        func deletedMeanwhile() throws {
            let uid = try #require(authenticator.in(project).answer(session, right, request: "a").uid)
            try authenticator.in(project).deleteAllAccounts()
            let other = try #require(authenticator.in(project).answer(session, right, request: "a").uid)
            #expect(other != uid)
            #expect(try authenticator.in(project).signIn("+16505550102").uid == other)
            #expect(deployment.keyNames(matching: "*:user:*").count == 1)
        }

        @Test("a wrong code with the request id of a correct one is rejected (no replay)")
        func otherCode() {
            #expect(authenticator.in(project).answer(session, right, request: "a").uid != nil)
            #expect(authenticator.in(project).answer(session, wrong, request: "a") == .used)
        }
    }
}
