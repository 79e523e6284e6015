import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Races of real threads, each with its own connection.
    @Suite struct SignInWithPhoneNumberRaceTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550104"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        @Test("of racing wrong codes, only five are verified")
        func wrongAnswers() throws {
            let session = try authenticator.in(project).session(for: number)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(session, wrong, request: "\(racer)")
            }
            for attemptsLeft in 0..<5 {
                #expect(outcomes.filter { $0 == .wrong(attemptsLeft: attemptsLeft) }.count == 1)
            }
            #expect(outcomes.filter { $0 == .spent }.count == 7)
        }

        @Test("of racing correct codes, exactly one signs in")
        func rightAnswers() throws {
            let session = try authenticator.in(project).session(for: number)
            let code = try authenticator.in(project).code(of: session)
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(session, code, request: "\(racer)")
            }
            #expect(outcomes.filter { $0.uid != nil }.count == 1)
            #expect(outcomes.filter { $0 == .used }.count == 11)
        }

        @Test("racing sessions of one number create one user")
        func sessions() throws {
            let sessions = try (1...5).map { try authenticator.in(project).session(for: number, client: $0) }
            let codes = try sessions.map { try authenticator.in(project).code(of: $0) }
            let outcomes = try inParallel(5) { [deployment, project] racer in
                deployment.authenticator().in(project).answer(sessions[racer], codes[racer], request: "\(racer)")
            }
            #expect(Set(outcomes.compactMap(\.uid)).count == 1)
            let newUsers = outcomes.filter { if case .signedIn(_, isNew: true) = $0 { true } else { false } }
            #expect(newUsers.count == 1)
            #expect(outcomes.allSatisfy { $0.uid != nil })
            #expect(deployment.keyNames(matching: "*:user:*").count == 1)
        }
    }
}
