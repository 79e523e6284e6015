import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Real threads, each with its own connection.
    @Suite struct RacingTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550104"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        @Test("racing sends of one client share one session and one message")
        func sends() throws {
            let outcomes = try inParallel(12) { [deployment, project, number] _ in
                deployment.authenticator().send(to: number, in: project)
            }
            #expect(Set(outcomes.compactMap(\.sessionInfo)).count == 1)
            #expect(outcomes.filter { $0.outcome == .opened }.count == 1)
            #expect(outcomes.filter { $0.outcome == .reentered }.count == 11)
            #expect(try authenticator.inbox(of: project).count == 1)
        }

        @Test("of racing wrong answers five are judged")
        func wrongAnswers() throws {
            let session = try authenticator.session(for: number, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator().answer(session, wrong, request: "\(racer)", in: project)
            }
            for attemptsLeft in 0..<5 {
                #expect(outcomes.filter { $0 == .wrong(attemptsLeft: attemptsLeft) }.count == 1)
            }
            #expect(outcomes.filter { $0 == .spent }.count == 7)
        }

        @Test("of racing right answers one signs in")
        func rightAnswers() throws {
            let session = try authenticator.session(for: number, in: project)
            let code = try authenticator.code(of: session, in: project)
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator().answer(session, code, request: "\(racer)", in: project)
            }
            #expect(outcomes.filter { $0.uid != nil }.count == 1)
            #expect(outcomes.filter { $0 == .used }.count == 11)
        }

        @Test("racing sessions of one number make one new user")
        func sessions() throws {
            let sessions = try (1...5).map { try authenticator.session(for: number, client: $0, in: project) }
            let codes = try sessions.map { try authenticator.code(of: $0, in: project) }
            let outcomes = try inParallel(5) { [deployment, project] racer in
                deployment.authenticator().answer(sessions[racer], codes[racer], request: "\(racer)", in: project)
            }
            #expect(Set(outcomes.compactMap(\.uid)).count == 1)
            let newUsers = outcomes.filter { if case .signedIn(_, isNew: true) = $0 { true } else { false } }
            #expect(newUsers.count == 1)
            #expect(outcomes.allSatisfy { $0.uid != nil })
            #expect(deployment.keyNames(matching: "*:user:*").count == 1)
        }

        @Test("racing clients get a number no more messages than its limit")
        func limits() throws {
            let outcomes = try inParallel(12) { [deployment, project, number] racer in
                deployment.authenticator().send(to: number, client: racer, in: project)
            }
            #expect(outcomes.filter { $0.outcome == .opened }.count == 5)
            let limited = SendOutcome.limited(window: .seconds(3600), retryAfter: .seconds(3600))
            #expect(outcomes.filter { $0 == limited }.count == 7)
            #expect(try authenticator.inbox(of: project).count == 5)
        }
    }
}
