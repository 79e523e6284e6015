import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// A front end may repeat a request whose worker died, under the same request id.
    @Suite struct RepeatedRequestTests {
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
            session = try authenticator.session(for: "+16505550102", in: project)
            right = try authenticator.code(of: session, in: project)
            wrong = try authenticator.wrongCode(of: session, in: project)
        }

        @Test("a repeated wrong answer is told the same and counted once")
        func repeatedWrong() {
            for _ in 0..<8 {
                #expect(authenticator.answer(session, wrong, request: "a", in: project) == .wrong(attemptsLeft: 4))
            }
            #expect(authenticator.answer(session, wrong, request: "b", in: project) == .wrong(attemptsLeft: 3))
        }

        @Test("each wrong answer gets its own outcome again, whatever came in between, and is counted once")
        func repeatedWrongOnes() throws {
            func answer(_ code: String, _ request: String) -> SignInOutcome {
                authenticator.answer(session, code, request: request, in: project)
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
            #expect(try authenticator.limits(of: "+16505550102", in: project).wrongCodes.value == 0)
        }

        @Test("the answers of an exhausted session get their own outcomes again, and the number counts each once")
        func repeatedInExhausted() throws {
            let answers = (1...5).map { authenticator.answer(session, wrong, request: "\($0)", in: project) }
            #expect(answers == [4, 3, 2, 1, 0].map { .wrong(attemptsLeft: $0) })
            let again = (1...5).map { authenticator.answer(session, wrong, request: "\($0)", in: project) }
            #expect(again == answers)
            #expect(authenticator.answer(session, right, request: "6", in: project) == .spent)
            #expect(try authenticator.limits(of: "+16505550102", in: project).wrongCodes.value == 5)
        }

        @Test("a session that the version before answered knows its last request")
        func formerVersion() throws {
            #expect(authenticator.answer(session, wrong, request: "a", in: project) == .wrong(attemptsLeft: 4))
            let key = try #require(deployment.keyNames(matching: "dt:{p*}:sess:*").first)
            #expect(deployment.cli("HDEL", key, "answers").hasPrefix("1"))
            #expect(authenticator.answer(session, wrong, request: "a", in: project) == .wrong(attemptsLeft: 4))
            #expect(authenticator.answer(session, wrong, request: "b", in: project) == .wrong(attemptsLeft: 3))
            #expect(authenticator.answer(session, right, request: "c", in: project).uid != nil)
        }

        @Test("a repeated right answer signs the same account in and still says whether its session made it")
        func repeatedRight() throws {
            let first = authenticator.answer(session, right, request: "a", in: project)
            let uid = try #require(first.uid)
            #expect(first == .signedIn(uid: uid, isNew: true))
            #expect(authenticator.answer(session, right, request: "a", in: project) == first)
            #expect(authenticator.answer(session, right, request: "b", in: project) == .used)

            let second = try authenticator.session(for: "+16505550102", in: project)
            let code = try authenticator.code(of: second, in: project)
            for _ in 0..<2 {
                let outcome = authenticator.answer(second, code, request: "c", in: project)
                #expect(outcome == .signedIn(uid: uid, isNew: false))
            }
        }

        @Test("tokens of the first and of the repeated answer are both good")
        func repeatedTokens() throws {
            let first = try authenticator.signIn(session, right, request: "a", in: project)
            let second = try authenticator.signIn(session, right, request: "a", in: project)
            for signedIn in [first, second] {
                #expect(authenticator.refresh(signedIn.refreshToken, in: project) == .refreshed(uid: first.uid))
                #expect(authenticator.look(up: signedIn.idToken, in: project) == .found(uid: first.uid))
            }
        }

        @Test("the repeated answer that spent the last attempt is told the same")
        func repeatedLast() {
            for attempt in 1...4 { _ = authenticator.answer(session, wrong, request: "\(attempt)", in: project) }
            for _ in 0..<2 {
                #expect(authenticator.answer(session, wrong, request: "5", in: project) == .wrong(attemptsLeft: 0))
            }
            #expect(authenticator.answer(session, right, request: "6", in: project) == .spent)
        }

        @Test("a request id of one session means nothing to another")
        func otherSession() throws {
            let other = try authenticator.session(for: "+16505550103", in: project)
            let code = try authenticator.wrongCode(of: other, in: project)
            #expect(authenticator.answer(session, wrong, request: "a", in: project) == .wrong(attemptsLeft: 4))
            #expect(authenticator.answer(other, code, request: "a", in: project) == .wrong(attemptsLeft: 4))
        }

        @Test("an account whose making was broken off is made by the repeated answer")
        func brokenOff() throws {
            let first = authenticator.answer(session, right, request: "a", in: project)
            let uid = try #require(first.uid)
            // As a worker leaves it that dies between the two steps of a sign-in.
            for key in deployment.keyNames(matching: "dt:{u*") { deployment.cli("DEL", key) }
            #expect(authenticator.answer(session, right, request: "a", in: project) == first)
            let account = deployment.keyNames(matching: "*:user:*")
            #expect(account.count == 1)
            #expect(account.first?.hasSuffix(uid) == true)
        }

        @Test("an account that was deleted meanwhile is not made again by the repeated answer: it makes another one")
        func deletedMeanwhile() throws {
            let uid = try #require(authenticator.answer(session, right, request: "a", in: project).uid)
            try authenticator.deleteAllAccounts(of: project)
            let other = try #require(authenticator.answer(session, right, request: "a", in: project).uid)
            #expect(other != uid)
            #expect(try authenticator.signIn("+16505550102", in: project).uid == other)
            #expect(deployment.keyNames(matching: "*:user:*").count == 1)
        }

        @Test("a wrong code under the request id of a right one is not let in")
        func otherCode() {
            #expect(authenticator.answer(session, right, request: "a", in: project).uid != nil)
            #expect(authenticator.answer(session, wrong, request: "a", in: project) == .used)
        }
    }
}
