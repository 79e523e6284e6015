import Encodings
import PhoneAuth
import PhoneNumbers
import RedisScripts
import Testing

extension PhoneAuthTests {
    /// The limits of a number, as an operator sees and resets them.
    @Suite struct NumberLimitsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550180"

        init() throws {
            deployment = try Deployment {
                $0.sendsPerProjectPerHour = 2500
                $0.sendsPerProjectPerDay = 10_000
            }
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        private func sends(_ limits: NumberLimits) -> [String] {
            limits.sends.map { usage in
                let (scope, window) = (usage.limit.scope, usage.limit.window)
                return "\(scope.name) \(window.milliseconds / 1000): \(usage.events) of \(window.maximum)"
            }
        }

        @Test("an unknown number has used none of its limits, and showing them leaves no trace")
        func unused() throws {
            let limits = try authenticator.in(project).limits(of: number)
            #expect(
                sends(limits) == [
                    "number 3600: 0 of 5", "number 86400: 0 of 10", "project 3600: 0 of 2500",
                    "project 86400: 0 of 10000",
                ]
            )
            #expect(limits.sends.allSatisfy { $0.nextLeaves == nil })
            #expect(!limits.hasKnownClients)
            #expect(limits.wrongCodes.value == 0)
            #expect(limits.wrongCodes.forgottenAt == nil)
            #expect("\(limits.phone)" == "+•••••••0180")
            #expect(deployment.keyNames() == [])
            #expect(throws: NumberRefusal.numberInvalid(.malformed)) {
                try authenticator.in(project).limits(of: "nonsense")
            }
        }

        @Test("each window shows its count and when one message less counts")
        func windows() throws {
            let start = deployment.clock.now
            for client in 1...3 {
                _ = authenticator.in(project).send(to: number, client: client)
                deployment.clock.advance(by: .seconds(1800))
            }
            _ = authenticator.in(project).send(to: "+16505550181")
            let limits = try authenticator.in(project).limits(of: number)
            // The second message has just left the number's hour. The project gets a message back every 1.44 s.
            #expect(
                sends(limits) == [
                    "number 3600: 1 of 5", "number 86400: 3 of 10", "project 3600: 1 of 2500",
                    "project 86400: 1 of 10000",
                ]
            )
            #expect(limits.sends[0].nextLeaves == start + .seconds(7200))
            #expect(limits.sends[1].nextLeaves == start + .seconds(86_400))
            #expect(limits.sends[2].nextLeaves == start + .seconds(5400) + .milliseconds(1440))
            #expect(limits.sends[3].nextLeaves == start + .seconds(5400) + .milliseconds(8640))
        }

        @Test("wrong codes show their count, when they expire, and how long a client waits")
        func wrongCodes() throws {
            let session = try authenticator.in(project).session(for: number)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            for attempt in 1...5 { _ = authenticator.in(project).answer(session, wrong, request: "\(attempt)") }
            var shown = try authenticator.in(project).limits(of: number).wrongCodes
            #expect(shown.value == 5 && shown.maximum == 100)
            #expect(shown.forgottenAt == deployment.clock.now + .seconds(8 * 86_400))
            #expect(shown.clientsWaitUntil == [])
            let next = try authenticator.in(project).session(for: number)
            let nextWrong = try authenticator.in(project).wrongCode(of: next)
            for attempt in 6...10 { _ = authenticator.in(project).answer(next, nextWrong, request: "\(attempt)") }
            shown = try authenticator.in(project).limits(of: number).wrongCodes
            #expect(shown.value == 10)
            #expect(shown.clientsWaitUntil == [deployment.clock.now + .seconds(1)])
            deployment.clock.advance(by: .seconds(8 * 86_400))
            #expect(try authenticator.in(project).limits(of: number).wrongCodes.value == 0)
        }

        @Test("a number can be used immediately after a reset, which leaves shared limits unchanged")
        func reset() throws {
            for client in 1...5 { _ = authenticator.in(project).send(to: number, client: client) }
            let session = try authenticator.in(project).session(for: number, client: 5)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            _ = authenticator.in(project).answer(session, wrong, request: "1")
            try authenticator.in(project).setTestNumber(number, code: try #require(VerificationCode("271828")))
            let test = try authenticator.in(project).session(for: number, client: 6)
            _ = authenticator.in(project).answer(test, "000000", request: "2")
            #expect(try authenticator.in(project).limits(of: number).wrongTestCodes.value == 1)
            _ = try authenticator.in(project).removeTestNumber(number)
            #expect(authenticator.in(project).send(to: number, client: 7).outcome == nil)

            let reset = try authenticator.in(project).resetLimits(of: number)
            #expect(reset.hadAny)
            let limits = try authenticator.in(project).limits(of: number)
            #expect(limits.sends.map(\.events) == [0, 0, 5, 5])
            #expect(limits.wrongCodes.value == 0)
            #expect(limits.wrongTestCodes.value == 0)
            #expect(authenticator.in(project).send(to: number, client: 7).outcome == .opened)
            #expect(try !authenticator.in(project).resetLimits(of: "+16505550181").hadAny)
        }
    }
}
