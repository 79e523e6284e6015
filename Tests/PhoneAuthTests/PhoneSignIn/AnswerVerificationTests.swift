import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct AnswerVerificationTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550101"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        @Test("a session is valid for 9 minutes and 59.999 seconds")
        func lastMoment() throws {
            let session = try authenticator.in(project).session(for: number)
            deployment.clock.advance(by: .milliseconds(599_999))
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1").uid != nil)
        }

        @Test("a session expires after 10 minutes", arguments: [600_000, 600_001, 660_000])
        func expiry(milliseconds: Int) throws {
            let session = try authenticator.in(project).session(for: number)
            deployment.clock.advance(by: .milliseconds(milliseconds))
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1") == .expired)
            #expect(authenticator.in(project).answer(session, "000000", request: "2") == .expired)
            #expect(deployment.keyNames(matching: "*:user:*") == [])
        }

        @Test("after a session has expired, the same client gets a new one")
        func successor() throws {
            let first = try authenticator.in(project).session(for: number)
            deployment.clock.advance(by: .milliseconds(599_999))
            #expect(authenticator.in(project).send(to: number) == .sent(first, .reentered))
            deployment.clock.advance(by: .milliseconds(1))
            let second = authenticator.in(project).send(to: number)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
        }

        @Test("after five wrong codes, the correct one is rejected")
        func exhaustion() throws {
            let session = try authenticator.in(project).session(for: number)
            let right = try authenticator.in(project).code(of: session)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            for attempt in 1...5 {
                let outcome = authenticator.in(project).answer(session, wrong, request: "\(attempt)")
                #expect(outcome == .wrong(attemptsLeft: 5 - attempt))
            }
            #expect(authenticator.in(project).answer(session, right, request: "6") == .spent)
            #expect(authenticator.in(project).answer(session, wrong, request: "7") == .spent)
        }

        @Test("a correct fifth code signs in")
        func fifthAnswer() throws {
            let session = try authenticator.in(project).session(for: number)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            for attempt in 1...4 { _ = authenticator.in(project).answer(session, wrong, request: "\(attempt)") }
            let right = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, right, request: "5").uid != nil)
        }

        @Test(
            "a text that is not six ASCII digits counts as a wrong code",
            arguments: ["", "1", "12345", "1234567", "abcdef", "٠٠٠٠٠٠", "      "]
        )
        func nonsense(code: String) throws {
            let session = try authenticator.in(project).session(for: number)
            #expect(authenticator.in(project).answer(session, code, request: "1") == .wrong(attemptsLeft: 4))
        }

        @Test("a used session is reported as used, for correct and wrong codes (no replay)")
        func used() throws {
            let session = try authenticator.in(project).session(for: number)
            let right = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, right, request: "1").uid != nil)
            #expect(authenticator.in(project).answer(session, right, request: "2") == .used)
            #expect(authenticator.in(project).answer(session, "000000", request: "3") == .used)
        }

        @Test("after a session has ended, a new one can start immediately", arguments: [true, false])
        func nextSession(endsWithCorrectCode: Bool) throws {
            let first = try authenticator.in(project).session(for: number)
            if endsWithCorrectCode {
                let code = try authenticator.in(project).code(of: first)
                _ = authenticator.in(project).answer(first, code, request: "1")
            } else {
                let wrong = try authenticator.in(project).wrongCode(of: first)
                for attempt in 1...5 { _ = authenticator.in(project).answer(first, wrong, request: "\(attempt)") }
            }
            let second = authenticator.in(project).send(to: number)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
        }

        @Test("the end of an old session does not end its successor")
        func independence() throws {
            let first = try authenticator.in(project).session(for: number)
            let other = try authenticator.in(project).session(for: number, client: 2)
            let code = try authenticator.in(project).code(of: first)
            #expect(authenticator.in(project).answer(first, code, request: "1").uid != nil)
            #expect(authenticator.in(project).send(to: number, client: 2) == .sent(other, .reentered))
        }

        @Test("when the reason for a session's end expires, the session is reported as expired")
        func tombstone() throws {
            let deployment = try Deployment { $0.tombstoneLifetime = .milliseconds(1) }
            let authenticator = deployment.authenticator()
            let session = try authenticator.in(project).session(for: number)
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1").uid != nil)
            #expect(try becomes(.expired) { authenticator.in(project).answer(session, code, request: "2") })
        }

        @Test("a session of another project or key, or an invented session, is unknown")
        func foreignSessions() throws {
            let session = try authenticator.in(project).session(for: number)
            let code = try authenticator.in(project).code(of: session)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).answer(session, code, request: "1") == .unknownSession)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(stranger.in(project).answer(session, code, request: "2") == .unknownSession)
            for text in ["", "zzz", "AAAA", String(repeating: "A", count: 300), session + "A", "é"] {
                #expect(authenticator.in(project).answer(text, code, request: "3") == .unknownSession)
            }
            #expect(authenticator.in(project).answer(session, code, request: "4").uid != nil)
        }
    }
}
