import PhoneAuth
import Testing

extension PhoneAuthTests {
    @Suite struct SessionTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550101"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        @Test("a session is good for 9 minutes and 59.999 seconds")
        func lastMoment() throws {
            let session = try authenticator.session(for: number, in: project)
            deployment.clock.advance(by: .milliseconds(599_999))
            let code = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project).uid != nil)
        }

        @Test("a session of 10 minutes and more has expired", arguments: [600_000, 600_001, 660_000])
        func expiry(milliseconds: Int) throws {
            let session = try authenticator.session(for: number, in: project)
            deployment.clock.advance(by: .milliseconds(milliseconds))
            let code = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project) == .expired)
            #expect(authenticator.answer(session, "000000", request: "2", in: project) == .expired)
            #expect(deployment.keyNames(matching: "*:user:*") == [])
        }

        @Test("after a session's time the same client gets another one")
        func successor() throws {
            let first = try authenticator.session(for: number, in: project)
            deployment.clock.advance(by: .milliseconds(599_999))
            #expect(authenticator.send(to: number, in: project) == .sent(first, .reentered))
            deployment.clock.advance(by: .milliseconds(1))
            let second = authenticator.send(to: number, in: project)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
        }

        @Test("after five wrong answers the right one is of no use")
        func exhaustion() throws {
            let session = try authenticator.session(for: number, in: project)
            let right = try authenticator.code(of: session, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            for attempt in 1...5 {
                let outcome = authenticator.answer(session, wrong, request: "\(attempt)", in: project)
                #expect(outcome == .wrong(attemptsLeft: 5 - attempt))
            }
            #expect(authenticator.answer(session, right, request: "6", in: project) == .spent)
            #expect(authenticator.answer(session, wrong, request: "7", in: project) == .spent)
        }

        @Test("the fifth answer may be the right one")
        func fifthAnswer() throws {
            let session = try authenticator.session(for: number, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            for attempt in 1...4 { _ = authenticator.answer(session, wrong, request: "\(attempt)", in: project) }
            let right = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, right, request: "5", in: project).uid != nil)
        }

        @Test(
            "what is not six ASCII digits is a wrong answer",
            arguments: ["", "1", "12345", "1234567", "abcdef", "٠٠٠٠٠٠", "      "]
        )
        func nonsense(code: String) throws {
            let session = try authenticator.session(for: number, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project) == .wrong(attemptsLeft: 4))
        }

        @Test("a used session says so, to right and wrong answers")
        func used() throws {
            let session = try authenticator.session(for: number, in: project)
            let right = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, right, request: "1", in: project).uid != nil)
            #expect(authenticator.answer(session, right, request: "2", in: project) == .used)
            #expect(authenticator.answer(session, "000000", request: "3", in: project) == .used)
        }

        @Test("an ended session lets a new one begin at once", arguments: [true, false])
        func nextSession(endsRightly: Bool) throws {
            let first = try authenticator.session(for: number, in: project)
            if endsRightly {
                let code = try authenticator.code(of: first, in: project)
                _ = authenticator.answer(first, code, request: "1", in: project)
            } else {
                let wrong = try authenticator.wrongCode(of: first, in: project)
                for attempt in 1...5 { _ = authenticator.answer(first, wrong, request: "\(attempt)", in: project) }
            }
            let second = authenticator.send(to: number, in: project)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
        }

        @Test("an old session that ends does not end its successor")
        func independence() throws {
            let first = try authenticator.session(for: number, in: project)
            let other = try authenticator.session(for: number, client: 2, in: project)
            let code = try authenticator.code(of: first, in: project)
            #expect(authenticator.answer(first, code, request: "1", in: project).uid != nil)
            #expect(authenticator.send(to: number, client: 2, in: project) == .sent(other, .reentered))
        }

        @Test("what explains an ended session is forgotten; then it says expired")
        func tombstone() throws {
            let deployment = try Deployment { $0.tombstoneLifetime = .milliseconds(1) }
            let authenticator = deployment.authenticator()
            let session = try authenticator.session(for: number, in: project)
            let code = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project).uid != nil)
            #expect(try becomes(.expired) { authenticator.answer(session, code, request: "2", in: project) })
        }

        @Test("a session of another project, of other keys or of nobody is unknown")
        func strangers() throws {
            let session = try authenticator.session(for: number, in: project)
            let code = try authenticator.code(of: session, in: project)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.answer(session, code, request: "1", in: other) == .unknownSession)
            let stranger = deployment.authenticator(keys: try TestKeys.make(seed: 2))
            #expect(stranger.answer(session, code, request: "2", in: project) == .unknownSession)
            for text in ["", "zzz", "AAAA", String(repeating: "A", count: 300), session + "A", "é"] {
                #expect(authenticator.answer(text, code, request: "3", in: project) == .unknownSession)
            }
            #expect(authenticator.answer(session, code, request: "4", in: project).uid != nil)
        }
    }
}
