import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The limits on wrong codes of apps and wrong recovery codes (brute force).
    @Suite struct FinishSecondFactorSignInLimitTests: SecondFactorSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages {
                $0.wrongCodesBeforeWait = 3
                $0.wrongCodesPerNumber = 6
            }
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.project(secondFactors: .optional)
        }

        @Test("wrong app codes cause growing waits, then a block until another proof or a new password")
        func wrongCodes() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            let right = { self.now(secret) }
            func wrong(_ request: String) -> SecondFactorOutcome {
                finish(id, right() == "000000" ? "111111" : "000000", challenge, request: request)
            }
            #expect((1...3).map { wrong("\($0)") } == [.answerWrong, .answerWrong, .answerWrong])
            #expect(wrong("3") == .answerWrong, "a repeated request gets the same response and is not counted")
            #expect(finish(id, right(), challenge, request: "4") == .blocked)
            wait(1)
            #expect(finish(id, right(), challenge, request: "5") == .done)
            wait(30)
            #expect((6...8).map { wrong("\($0)") } == [.answerWrong, .answerWrong, .answerWrong])
            for (request, seconds) in [("9", 1), ("10", 2), ("11", 4)] {
                #expect(wrong("blocked-\(request)") == .blocked)
                wait(Int64(seconds))
                #expect(wrong(request) == .answerWrong)
            }
            wait(800)
            let last = try authenticator.in(project).challenge()
            #expect(finish(id, right(), last, request: "12") == .blocked)
            var change = AccountChange()
            change.password = .set("another one")
            _ = try authenticator.in(project).changeAccount(uid: user.account.uid, change)
            let fresh = try authenticator.in(project).challenge(password: "another one")
            #expect(finish(id, right(), fresh, request: "13") == .done)
        }

        @Test("guessing is blocked until 30 days after the last wrong code, even with the password")
        func endlessGuessing() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            var requests = 0
            func guess() throws -> SecondFactorOutcome {
                requests += 1
                let wrong = now(secret) == "000000" ? "111111" : "000000"
                return finish(id, wrong, try authenticator.in(project).challenge(), request: "guess \(requests)")
            }
            for seconds in [0, 0, 0, 1, 2, 4] as [Int64] {
                wait(seconds)
                #expect(try guess() == .answerWrong)
            }
            for _ in 1...29 {
                wait(86_400)
                #expect(try guess() == .blocked)
            }
            wait(86_399)
            let challenge = try authenticator.in(project).challenge()
            #expect(finish(id, now(secret), challenge, request: "early") == .blocked)
            wait(1)
            #expect(try guess() == .answerWrong)
        }

        @Test("repeated app codes get their own responses, whatever other requests were made, and count once")
        func repeated() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let key = try #require(deployment.accountKey(of: user.account.uid))
            func count() -> String {
                deployment.cli("HGET", key, "wrong-second-factors").split(separator: "\n").first.map(String.init) ?? ""
            }
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            let code = now(secret)
            let wrong = code == "000000" ? "111111" : "000000"
            for request in ["a", "b", "a", "b", "a"] {
                #expect(finish(id, wrong, challenge, request: request) == .answerWrong)
            }
            #expect(count() == "2")
            #expect(finish(id, code, challenge, request: "c") == .done)
            wait(30)
            let later = now(secret)
            #expect(finish(id, later, challenge, request: "d") == .done)
            for (request, code) in [("c", code), ("d", later)] {
                #expect(finish(id, code, challenge, request: request) == .done, "repeated")
                #expect(finish(id, wrong, challenge, request: "a") == .answerWrong)
            }
            #expect(count() == "")
        }
    }
}
