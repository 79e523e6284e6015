import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// Races of real threads, each with its own connection.
    @Suite struct SendVerificationCodeRaceTests {
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
                deployment.authenticator().in(project).send(to: number)
            }
            #expect(Set(outcomes.compactMap(\.sessionInfo)).count == 1)
            #expect(outcomes.filter { $0.outcome == .opened }.count == 1)
            #expect(outcomes.filter { $0.outcome == .reentered }.count == 11)
            #expect(try authenticator.in(project).inbox().count == 1)
        }

        @Test("racing clients get no more messages for a number than its limit allows")
        func limits() throws {
            let outcomes = try inParallel(12) { [deployment, project, number] racer in
                deployment.authenticator().in(project).send(to: number, client: racer)
            }
            #expect(outcomes.filter { $0.outcome == .opened }.count == 5)
            let limited = SendOutcome.limited(window: .seconds(3600), retryAfter: .seconds(3600))
            #expect(outcomes.filter { $0 == limited }.count == 7)
            #expect(try authenticator.in(project).inbox().count == 5)
        }
    }
}
