import PhoneAuth
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    @Suite struct SendLimitTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550105"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        /// Sends by a new client each, so that no session is shared.
        private func send(_ count: Int, every interval: Duration, firstClient: Int) {
            for client in firstClient..<firstClient + count {
                #expect(authenticator.send(to: number, client: client, in: project).outcome == .opened)
                deployment.clock.advance(by: interval)
            }
        }

        private func removeLocks() {
            for lock in deployment.keyNames(matching: "*:lock:*") { deployment.cli("DEL", lock) }
        }

        @Test("a sixth message in an hour is refused, and allowed just when the first leaves the hour")
        func hour() {
            send(5, every: .seconds(60), firstClient: 1)
            // The first went out 300 seconds ago.
            var refused = authenticator.send(to: number, client: 6, in: project)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .seconds(3300)))
            deployment.clock.advance(by: .milliseconds(3_299_999))
            refused = authenticator.send(to: number, client: 6, in: project)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .milliseconds(1)))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.send(to: number, client: 6, in: project).outcome == .opened)
            // The second went out 60 seconds after the first.
            refused = authenticator.send(to: number, client: 7, in: project)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .seconds(60)))
        }

        @Test("an eleventh message in a day is refused, and allowed just when the first leaves the day")
        func day() {
            send(10, every: .seconds(3600), firstClient: 1)
            // The first went out 10 hours ago.
            let refused = authenticator.send(to: number, client: 11, in: project)
            #expect(refused == .limited(window: .seconds(86_400), retryAfter: .seconds(14 * 3600)))
            deployment.clock.advance(by: .milliseconds(14 * 3_600_000 - 1))
            let last = authenticator.send(to: number, client: 11, in: project)
            #expect(last == .limited(window: .seconds(86_400), retryAfter: .milliseconds(1)))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.send(to: number, client: 11, in: project).outcome == .opened)
        }

        @Test("where both limits forbid a message, the longer wait is told")
        func bothLimits() {
            send(5, every: .zero, firstClient: 1)
            deployment.clock.advance(by: .seconds(3600))
            send(5, every: .zero, firstClient: 6)
            let refused = authenticator.send(to: number, client: 11, in: project)
            #expect(refused == .limited(window: .seconds(86_400), retryAfter: .seconds(86_400 - 3600)))
        }

        @Test("a refused send changes nothing")
        func refusal() {
            send(5, every: .seconds(1), firstClient: 1)
            #expect(deployment.keyNames(matching: "*:lock:*").count == 5)
            // Without its lock a client that has a session asks for another message.
            removeLocks()
            let before = deployment.contents()
            for client in 4...9 {
                let outcome = authenticator.send(to: number, client: client, in: project)
                #expect(outcome == .limited(window: .seconds(3600), retryAfter: .seconds(3595)))
            }
            #expect(deployment.contents() == before)
        }

        @Test("calls within the reentrancy time get the same sessionInfo, no message, and are not counted")
        func reentered() throws {
            let first = try authenticator.session(for: number, in: project)
            for _ in 0..<20 { #expect(authenticator.send(to: number, in: project) == .sent(first, .reentered)) }
            #expect(try authenticator.inbox(of: project).count == 1)
            send(4, every: .zero, firstClient: 2)
            let sixth = authenticator.send(to: number, client: 6, in: project)
            #expect(sixth == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
            // Not even a limit ends the reentrancy.
            #expect(authenticator.send(to: number, in: project) == .sent(first, .reentered))
        }

        @Test("a resend carries the same session and code, queues a message and is counted")
        func resent() throws {
            let first = try authenticator.session(for: number, in: project)
            for message in 2...5 {
                removeLocks()
                #expect(authenticator.send(to: number, in: project) == .sent(first, .resent))
                let inbox = try authenticator.inbox(of: project)
                #expect(inbox.count == message)
                #expect(Set(inbox.map(\.code.digits)) == [try authenticator.code(of: first, in: project)])
            }
            removeLocks()
            let sixth = authenticator.send(to: number, in: project)
            #expect(sixth == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
        }

        @Test("a session with less than a minute to live is not sent again: a new one begins")
        func lastMinute() throws {
            let first = try authenticator.session(for: number, in: project)
            deployment.clock.advance(by: .seconds(540))
            removeLocks()
            #expect(authenticator.send(to: number, in: project) == .sent(first, .resent))
            deployment.clock.advance(by: .milliseconds(1))
            // While the lock lives the client's calls share a session to its end.
            #expect(authenticator.send(to: number, in: project) == .sent(first, .reentered))
            removeLocks()
            let second = authenticator.send(to: number, in: project)
            #expect(second.outcome == .opened)
            #expect(second.sessionInfo != first)
            // The first is good to its end all the same.
            let code = try authenticator.code(of: first, in: project)
            #expect(authenticator.answer(first, code, request: "1", in: project).uid != nil)
            #expect(authenticator.send(to: number, in: project) == .sent(try #require(second.sessionInfo), .reentered))
        }

        @Test("each number has limits of its own, in each project")
        func independence() {
            send(5, every: .zero, firstClient: 1)
            #expect(authenticator.send(to: "+16505550106", client: 1, in: project).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.send(to: number, client: 1, in: other).outcome == .opened)
        }

        @Test("without proof of the app nothing is sent and nothing is kept")
        func unproven() {
            let strict = deployment.authenticator(appVerification: .required)
            #expect(strict.send(to: number, in: project) == .notProven(.missing))
            #expect(strict.send(to: "nonsense", in: project) == .numberInvalid(.malformed))
            #expect(deployment.keyNames() == [])
        }
    }
}
