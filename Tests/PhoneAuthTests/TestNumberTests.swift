import PhoneAuth
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    @Suite struct TestNumberTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550140"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        private func setTestNumber(_ number: String, _ code: String) throws {
            try authenticator.setTestNumber(number, code: try #require(VerificationCode(code)), in: project)
        }

        private func removeLocks() {
            for lock in deployment.keyNames(matching: "*:lock:*") { deployment.cli("DEL", lock) }
        }

        @Test("a test number signs in with its fixed code, without proof of the app and without a message")
        func fixedCode() throws {
            try setTestNumber(number, "012345")
            let strict = deployment.authenticator(appVerification: .required)
            let sent = strict.send(to: number, in: project)
            #expect(sent.outcome == .testNumber)
            let session = try #require(sent.sessionInfo)
            #expect(strict.answer(session, "012346", request: "1", in: project) == .wrong(attemptsLeft: 4))
            #expect(strict.answer(session, "012345", request: "2", in: project).uid != nil)
            #expect(try authenticator.inbox(of: project).isEmpty)
        }

        @Test("a test number has no limit on sends, and its sends are not counted")
        func unlimited() throws {
            try setTestNumber(number, "012345")
            for client in 1...15 {
                #expect(authenticator.send(to: number, client: client, in: project).outcome == .testNumber)
            }
            #expect(deployment.keyNames(matching: "*rate*") == [])
            #expect(deployment.keyNames(matching: "*outbox*") == [])
            _ = try authenticator.removeTestNumber(number, in: project)
            for client in 1...5 {
                #expect(authenticator.send(to: number, client: client, in: project).outcome == .opened)
            }
        }

        @Test("a test number's answers are limited like any other's")
        func attempts() throws {
            try setTestNumber(number, "012345")
            let session = try authenticator.session(for: number, in: project)
            for attempt in 1...5 { _ = authenticator.answer(session, "000000", request: "\(attempt)", in: project) }
            #expect(authenticator.answer(session, "012345", request: "6", in: project) == .spent)
        }

        @Test("the session of a number that becomes a test number is not opened by the test code")
        func becomesTestNumber() throws {
            let real = try authenticator.session(for: number, in: project)
            try setTestNumber(number, try authenticator.wrongCode(of: real, in: project))
            let testCode = try authenticator.wrongCode(of: real, in: project)
            #expect(authenticator.answer(real, testCode, request: "1", in: project) == .wrong(attemptsLeft: 4))
            // Nor does a new send return it, neither as reentered nor as resent.
            let test = try authenticator.session(for: number, in: project)
            #expect(test != real)
            removeLocks()
            #expect(try authenticator.session(for: number, in: project) == test)
            #expect(authenticator.answer(test, testCode, request: "2", in: project).uid != nil)
        }

        @Test("the session of a number that is a test number no more is opened by no code")
        func isTestNumberNoMore() throws {
            try setTestNumber(number, "012345")
            let test = try authenticator.session(for: number, in: project)
            #expect(try authenticator.removeTestNumber(number, in: project))
            let derived = try authenticator.code(of: test, in: project)
            #expect(authenticator.answer(test, "012345", request: "1", in: project) == .wrong(attemptsLeft: 4))
            #expect(authenticator.answer(test, derived, request: "2", in: project) == .wrong(attemptsLeft: 3))
            let real = authenticator.send(to: number, in: project)
            #expect(real.outcome == .opened)
            #expect(real.sessionInfo != test)
        }

        @Test("a test number's new code counts for sessions that are open")
        func newCode() throws {
            try setTestNumber(number, "012345")
            let session = try authenticator.session(for: number, in: project)
            try setTestNumber("+1 (650) 555-0140", "543210")
            #expect(try authenticator.testNumbers(of: project).mapValues(\.digits) == [number: "543210"])
            #expect(authenticator.answer(session, "012345", request: "1", in: project) == .wrong(attemptsLeft: 4))
            #expect(authenticator.answer(session, "543210", request: "2", in: project).uid != nil)
        }

        @Test("a project has ten test numbers of its own at most")
        func bound() throws {
            for index in 0..<10 { try setTestNumber("+1650555015\(index)", "012345") }
            #expect(throws: TestNumberRefusal.tooMany) { try setTestNumber("+16505550160", "012345") }
            try setTestNumber("+16505550150", "543210")
            #expect(try authenticator.testNumbers(of: project).count == 10)
            #expect(try authenticator.removeTestNumber("+16505550151", in: project))
            #expect(try !authenticator.removeTestNumber("+16505550151", in: project))
            try setTestNumber("+16505550160", "012345")
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(try authenticator.testNumbers(of: other).isEmpty)
            #expect(throws: TestNumberRefusal.numberInvalid(.malformed)) { try setTestNumber("nonsense", "012345") }
        }
    }
}
