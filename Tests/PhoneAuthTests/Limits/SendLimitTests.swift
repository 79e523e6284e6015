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

        /// Sends from a new client each time, so that no session is shared.
        private func send(_ count: Int, every interval: Duration, firstClient: Int) {
            for client in firstClient..<firstClient + count {
                #expect(authenticator.in(project).send(to: number, client: client).outcome == .opened)
                deployment.clock.advance(by: interval)
            }
        }

        @Test("a sixth message in an hour is refused until the first one leaves the window")
        func hour() {
            send(5, every: .seconds(60), firstClient: 1)
            // The first message was sent 300 seconds ago.
            var refused = authenticator.in(project).send(to: number, client: 6)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .seconds(3300)))
            deployment.clock.advance(by: .milliseconds(3_299_999))
            refused = authenticator.in(project).send(to: number, client: 6)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .milliseconds(1)))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.in(project).send(to: number, client: 6).outcome == .opened)
            // The second message was sent 60 seconds after the first.
            refused = authenticator.in(project).send(to: number, client: 7)
            #expect(refused == .limited(window: .seconds(3600), retryAfter: .seconds(60)))
        }

        @Test("an eleventh message in a day is refused until the first one leaves the window")
        func day() {
            send(10, every: .seconds(3600), firstClient: 1)
            // The first message was sent 10 hours ago.
            let refused = authenticator.in(project).send(to: number, client: 11)
            #expect(refused == .limited(window: .seconds(86_400), retryAfter: .seconds(14 * 3600)))
            deployment.clock.advance(by: .milliseconds(14 * 3_600_000 - 1))
            let last = authenticator.in(project).send(to: number, client: 11)
            #expect(last == .limited(window: .seconds(86_400), retryAfter: .milliseconds(1)))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(authenticator.in(project).send(to: number, client: 11).outcome == .opened)
        }

        @Test("if both limits refuse a message, Retry-After is the longer wait")
        func bothLimits() {
            send(5, every: .zero, firstClient: 1)
            deployment.clock.advance(by: .seconds(3600))
            send(5, every: .zero, firstClient: 6)
            let refused = authenticator.in(project).send(to: number, client: 11)
            #expect(refused == .limited(window: .seconds(86_400), retryAfter: .seconds(86_400 - 3600)))
        }

        @Test("a refused send changes nothing")
        func refusal() throws {
            send(5, every: .seconds(1), firstClient: 1)
            #expect(deployment.keyNames(matching: "*:lock:*").count == 5)
            // Without its lock, a client with a session requests another message.
            deployment.endLocks()
            // Debts of ranges decay in the meantime, and executed calls are remembered.
            func contents() -> [String: String] {
                deployment.contents().filter { !$0.key.contains(":range:") && !$0.key.contains(":executed:") }
            }
            let before = contents()
            for client in 4...9 {
                let outcome = authenticator.in(project).send(to: number, client: client)
                #expect(outcome == .limited(window: .seconds(3600), retryAfter: .seconds(3595)))
            }
            #expect(contents() == before)
            for region in deployment.keyNames(matching: "*:range:region:*") {
                let sent = try #require(Int(deployment.cli("GET", region).prefix { $0 != " " }))
                #expect((49_990...50_000).contains(sent))
            }
            for series in deployment.keyNames(matching: "*:range:within:*") {
                let ranges = deployment.cli("HVALS", series).split(whereSeparator: \.isNewline)
                #expect(ranges.count == 2)
                for range in ranges {
                    let sent = try #require(Int(range.prefix { $0 != " " }))
                    #expect((49_990...50_000).contains(sent))
                }
            }
        }

        @Test("calls within the reentrancy lock get the same sessionInfo, send nothing and do not count")
        func reentered() throws {
            let first = try authenticator.in(project).session(for: number)
            for _ in 0..<20 { #expect(authenticator.in(project).send(to: number) == .sent(first, .reentered)) }
            #expect(try authenticator.in(project).inbox().count == 1)
            send(4, every: .zero, firstClient: 2)
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

        @Test("each number has separate limits in each project")
        func independence() {
            send(5, every: .zero, firstClient: 1)
            #expect(authenticator.in(project).send(to: "+16505550106", client: 1).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).send(to: number, client: 1).outcome == .opened)
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
