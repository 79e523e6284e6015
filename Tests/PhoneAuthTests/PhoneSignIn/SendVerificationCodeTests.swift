import PhoneAuth
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    @Suite struct SendVerificationCodeTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550105"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        @Test("calls within the reentrancy lock get the same sessionInfo, send nothing and do not count")
        func reentered() throws {
            let first = try authenticator.in(project).session(for: number)
            for _ in 0..<20 { #expect(authenticator.in(project).send(to: number) == .sent(first, .reentered)) }
            #expect(try authenticator.in(project).inbox().count == 1)
            for client in 2...5 {
                #expect(authenticator.in(project).send(to: number, client: client).outcome == .opened)
            }
            let sixth = authenticator.in(project).send(to: number, client: 6)
            #expect(sixth == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
            // Not even an exceeded limit ends the reentrancy.
            #expect(authenticator.in(project).send(to: number) == .sent(first, .reentered))
        }

        @Test("a resend has the same session and code, queues a message and counts")
        func resent() throws {
            let first = try authenticator.in(project).session(for: number)
            for message in 2...5 {
                deployment.endLocks()
                #expect(authenticator.in(project).send(to: number) == .sent(first, .resent))
                let inbox = try authenticator.in(project).inbox()
                #expect(inbox.count == message)
                #expect(Set(inbox.map(\.code.digits)) == [try authenticator.in(project).code(of: first)])
            }
            deployment.endLocks()
            let sixth = authenticator.in(project).send(to: number)
            #expect(sixth == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
        }

        @Test("a session with less than a minute left is not resent, and a new one starts")
        func lastMinute() throws {
            let first = try authenticator.in(project).session(for: number)
            deployment.clock.advance(by: .seconds(540))
            deployment.endLocks()
            #expect(authenticator.in(project).send(to: number) == .sent(first, .resent))
            deployment.clock.advance(by: .milliseconds(1))
            // While the lock lives, the client's calls share the session until it expires.
            #expect(authenticator.in(project).send(to: number) == .sent(first, .reentered))
            deployment.endLocks()
            let second = authenticator.in(project).send(to: number)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
            // The first session is still valid until it expires.
            let code = try authenticator.in(project).code(of: first)
            #expect(authenticator.in(project).answer(first, code, request: "1").uid != nil)
            #expect(authenticator.in(project).send(to: number) == .sent(try #require(second.sessionInfo), .reentered))
        }

        @Test("without proof of the app, nothing is sent or stored")
        func unproven() {
            let strict = deployment.authenticator(appVerification: .required)
            #expect(strict.in(project).send(to: number) == .notProven(.missing))
            #expect(strict.in(project).send(to: "nonsense") == .numberInvalid(.malformed))
            #expect(deployment.keyNames() == [])
        }
    }
}
