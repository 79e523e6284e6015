import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct TestNumbersTests {
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
            try authenticator.in(project).setTestNumber(number, code: try #require(VerificationCode(code)))
        }

        @Test("a test number has no send limit, and its sends are not counted")
        func unlimited() throws {
            try setTestNumber(number, "012346")
            for client in 1...15 {
                #expect(authenticator.in(project).send(to: number, client: client).outcome == .testNumber)
            }
            #expect(deployment.keyNames(matching: "*rate*") == [])
            #expect(deployment.keyNames(matching: "*outbox*") == [])
            _ = try authenticator.in(project).removeTestNumber(number)
            for client in 1...5 {
                #expect(authenticator.in(project).send(to: number, client: client).outcome == .opened)
            }
        }

        @Test("wrong codes of a test number are limited like those of any other number")
        func attempts() throws {
            try setTestNumber(number, "012346")
            let session = try authenticator.in(project).session(for: number)
            for attempt in 1...5 { _ = authenticator.in(project).answer(session, "000000", request: "\(attempt)") }
            #expect(authenticator.in(project).answer(session, "012346", request: "6") == .spent)
        }

        @Test("a session opened before its number became a test number rejects the test code")
        func becomesTestNumber() throws {
            let real = try authenticator.in(project).session(for: number)
            let testCode = try authenticator.in(project).code(of: real) == "271828" ? "314159" : "271828"
            try setTestNumber(number, testCode)
            #expect(authenticator.in(project).answer(real, testCode, request: "1") == .wrong(attemptsLeft: 4))
            // A new send does not return that session, neither as reentered nor as resent.
            let test = try authenticator.in(project).session(for: number)
            #expect(test != real)
            deployment.endLocks()
            #expect(try authenticator.in(project).session(for: number) == test)
            #expect(authenticator.in(project).answer(test, testCode, request: "2").uid != nil)
        }

        @Test("a session opened while its number was a test number rejects every code")
        func isTestNumberNoMore() throws {
            try setTestNumber(number, "012346")
            let test = try authenticator.in(project).session(for: number)
            #expect(try authenticator.in(project).removeTestNumber(number))
            let derived = try authenticator.in(project).code(of: test)
            #expect(authenticator.in(project).answer(test, "012346", request: "1") == .wrong(attemptsLeft: 4))
            #expect(authenticator.in(project).answer(test, derived, request: "2") == .wrong(attemptsLeft: 3))
            let real = authenticator.in(project).send(to: number)
            #expect(real.outcome == .opened)
            #expect(real.sessionInfo != test)
        }

        @Test("a test number's new code applies to open sessions")
        func newCode() throws {
            try setTestNumber(number, "012346")
            let session = try authenticator.in(project).session(for: number)
            try setTestNumber("+1 (650) 555-0140", "543201")
            #expect(try authenticator.in(project).testNumbers().mapValues(\.digits) == [number: "543201"])
            #expect(authenticator.in(project).answer(session, "012346", request: "1") == .wrong(attemptsLeft: 4))
            #expect(authenticator.in(project).answer(session, "543201", request: "2").uid != nil)
        }

        @Test(
            "a code that is easy to guess is refused in production, and accepted in development mode",
            arguments: [
                ("111111", .fewDigits), ("111222", .fewDigits), ("121212", .fewDigits), ("424242", .fewDigits),
                ("123456", .sequence), ("654321", .sequence), ("012345", .sequence), ("789012", .sequence),
                ("246802", .sequence), ("123321", .sequence), ("123123", .sequence), ("147258", .sequence),
                ("112233", .repetition), ("192192", .repetition), ("291192", .repetition),
                ("550140", .ofNumber), ("650555", .ofNumber), ("165055", .ofNumber), ("550141", nil),
                ("135790", nil), ("314159", nil), ("012346", nil), ("246813", nil), ("271828", nil),
            ] as [(String, VerificationCode.Weakness?)]
        )
        func weakCode(code: String, weakness: VerificationCode.Weakness?) throws {
            if let weakness {
                #expect(throws: TestNumberRefusal.codeWeak(weakness)) { try setTestNumber(number, code) }
                #expect(try authenticator.in(project).testNumbers().isEmpty)
            } else {
                try setTestNumber(number, code)
            }
            let development = deployment.authenticator { $0.development = DevelopmentPolicy() }
            try development.in(project).setTestNumber(number, code: try #require(VerificationCode(code)))
        }

        @Test("about one and a half percent of all codes are refused")
        func shareOfWeakCodes() throws {
            let phone = try PhoneNumbers().parse(number)
            var counts = (all: 0, weak: 0)
            for code in stride(from: 0, to: 1_000_000, by: 41) {
                let digits = String(String(1_000_000 + code).dropFirst())
                counts.all += 1
                if try #require(VerificationCode(digits)).weakness(for: phone) != nil { counts.weak += 1 }
            }
            #expect((0.014...0.015).contains(Double(counts.weak) / Double(counts.all)), "\(counts)")
        }

        @Test("racing changes are all made, and the log tells a new number from a changed code")
        func racing() throws {
            let codes = ["012346", "543201", "271828", "314159"]
            _ = try inParallel(codes.count) { [deployment, project, number] racer in
                let code = try #require(VerificationCode(codes[racer]))
                try deployment.authenticator().in(project).setTestNumber(number, code: code)
            }
            #expect(deployment.cli("HGET", "dt:{\(project.id)}:configuration", "version") == "4")
            let stored = try #require(try authenticator.in(project).testNumbers()[number]?.digits)
            #expect(codes.contains(stored))
            var filter = AuditFilter()
            filter.project = project
            var events = try authenticator.auditEvents(filter, among: [project])
            var details: [String?] = []
            while let event = try events.next() { details.append(event.detail) }
            #expect(details.count { $0 == "test-numbers set +•••••••0140, another code" } >= 3)
        }

        @Test("if test numbers need an app proof, unproven sends do not reveal them")
        func appProof() throws {
            let us = try #require(Region("US"))
            let project = Project(
                id: "demo-app",
                authorizedDomains: ["localhost"],
                smsRegions: .allowlistOnly(allowed: [us]),
                requiresAppProofForTestNumbers: true
            )
            let strict = deployment.authenticator(appVerification: .required)
            for number in ["+16505550140", "+18765550123"] { try setTestNumber(number, "271828") }
            func unproven(_ number: String, _ credential: AppCredential) -> SendOutcome {
                strict.in(project).send(to: number, provenBy: credential)
            }
            for credential in [AppCredential.absent, .challengeToken("made-up"), .safetyNetToken] {
                #expect(unproven("+16505550140", credential) == unproven("+16505550141", credential))
                #expect(unproven("+16505550140", credential).outcome == nil)
                #expect(unproven("+18765550123", credential) == unproven("+18765550124", credential))
            }
            for number in ["+16505550140", "+18765550123"] {
                let token = try strict.in(project, request: number).issueChallengeToken(
                    for: SolvedChallenge(
                        id: deployment.clock.randomBytes(16),
                        solvableFor: .seconds(60),
                        isHard: false
                    ),
                    to: .web
                )
                let sent = strict.in(project).send(to: number, provenBy: .challengeToken(token))
                #expect(sent.outcome == .testNumber)
                let session = try #require(sent.sessionInfo)
                #expect(strict.in(project).answer(session, "271828", request: number).uid != nil)
            }
        }

        @Test("a project has at most ten test numbers")
        func bound() throws {
            for index in 0..<10 { try setTestNumber("+1650555015\(index)", "012346") }
            #expect(throws: TestNumberRefusal.tooMany) { try setTestNumber("+16505550160", "012346") }
            try setTestNumber("+16505550150", "543201")
            #expect(try authenticator.in(project).testNumbers().count == 10)
            #expect(try authenticator.in(project).removeTestNumber("+16505550151"))
            #expect(try !authenticator.in(project).removeTestNumber("+16505550151"))
            try setTestNumber("+16505550160", "012346")
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(try authenticator.in(other).testNumbers().isEmpty)
            #expect(throws: TestNumberRefusal.numberInvalid(.malformed)) { try setTestNumber("nonsense", "012346") }
        }
    }
}
