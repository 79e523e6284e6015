import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// The limits on messages to a number.
    @Suite struct SendVerificationCodeLimitTests {
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

        @Test("two spellings of a number share its limits")
        func spellings() {
            for client in 1...5 {
                let spelling = client.isMultiple(of: 2) ? "+541123456789" : "+5491123456789"
                #expect(authenticator.in(project).send(to: spelling, client: client).outcome == .opened)
            }
            for spelling in ["+541123456789", "+5491123456789"] {
                let refused = authenticator.in(project).send(to: spelling, client: 6)
                #expect(refused == .limited(window: .seconds(3600), retryAfter: .seconds(3600)))
            }
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
                deployment.lastingContents().filter { !$0.key.contains(":range:") && !$0.key.contains(":executed:") }
            }
            let before = contents()
            for client in 4...9 {
                let outcome = authenticator.in(project).send(to: number, client: client)
                #expect(outcome == .limited(window: .seconds(3600), retryAfter: .seconds(3595)))
            }
            #expect(contents() == before)
            let ranges = deployment.keyNames(matching: "*:range:*")
            #expect(ranges.count == 3)
            for range in ranges {
                let script = "return tostring(struct.unpack('<d', redis.call('GET', KEYS[1])))"
                let sent = try #require(Double(deployment.cli("EVAL", script, "1", range)))
                #expect((4.999...5).contains(sent))
            }
        }

        @Test("each number has separate limits in each project")
        func independence() {
            send(5, every: .zero, firstClient: 1)
            #expect(authenticator.in(project).send(to: "+16505550106", client: 1).outcome == .opened)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(authenticator.in(other).send(to: number, client: 1).outcome == .opened)
        }

        @Test("racing clients get no more messages for a number than its limit allows")
        func racing() throws {
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
