import PhoneAuth
import RedisStore
import PhoneNumbers
import Testing

extension PhoneAuthTests {
    /// What an operator sees of a number's limits, and undoes.
    @Suite struct NumberLimitsTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550180"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
        }

        private func sends(_ limits: NumberLimits) -> [String] {
            limits.sends.map { "\($0.scope.rawValue) \($0.window.components.seconds): \($0.value) of \($0.maximum)" }
        }

        @Test("an unknown number has used nothing, and looking leaves no trace")
        func unused() throws {
            let limits = try authenticator.limits(of: number, in: project)
            #expect(
                sends(limits) == [
                    "number 3600: 0 of 5", "number 86400: 0 of 10", "project 86400: 0 of 10000",
                    "deployment 3600: 0 of 5000", "deployment 86400: 0 of 20000",
                ]
            )
            #expect(limits.sends.allSatisfy { $0.oldestLeaves == nil })
            #expect(limits.wrongCodes.value == 0)
            #expect(limits.wrongCodes.forgottenAt == nil)
            #expect("\(limits.phone)" == "+•••••••0180")
            #expect(deployment.keyNames() == [])
            #expect(throws: NumberLimitsRefusal.numberInvalid(.malformed)) {
                try authenticator.limits(of: "nonsense", in: project)
            }
        }

        @Test("each window shows its value and when its oldest message leaves it")
        func windows() throws {
            let start = deployment.clock.now
            for client in 1...3 {
                _ = authenticator.send(to: number, client: client, in: project)
                deployment.clock.advance(by: .seconds(1800))
            }
            _ = authenticator.send(to: "+16505550181", in: project)
            let limits = try authenticator.limits(of: number, in: project)
            // The second left the number's hour just now; its bucket leaves the deployment's a little later.
            #expect(
                sends(limits) == [
                    "number 3600: 1 of 5", "number 86400: 3 of 10", "project 86400: 4 of 10000",
                    "deployment 3600: 3 of 5000", "deployment 86400: 4 of 20000",
                ]
            )
            #expect(limits.sends[0].oldestLeaves == start + .seconds(7200))
            #expect(limits.sends[1].oldestLeaves == start + .seconds(86_400))
            // Within a bucket of the exact time.
            let ofProject = try #require(limits.sends[2].oldestLeaves)
            #expect((start + .seconds(86_400)...start + .seconds(86_400 + 1440)).contains(ofProject))
        }

        @Test("wrong codes show their number, when they are forgotten, and how long a client waits")
        func wrongCodes() throws {
            let session = try authenticator.session(for: number, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            for attempt in 1...5 { _ = authenticator.answer(session, wrong, request: "\(attempt)", in: project) }
            var shown = try authenticator.limits(of: number, in: project).wrongCodes
            #expect(shown.value == 5 && shown.maximum == 100)
            #expect(shown.forgottenAt == deployment.clock.now + .seconds(8 * 86_400))
            #expect(shown.clientsWaitUntil == [])
            let next = try authenticator.session(for: number, in: project)
            let nextWrong = try authenticator.wrongCode(of: next, in: project)
            for attempt in 6...10 { _ = authenticator.answer(next, nextWrong, request: "\(attempt)", in: project) }
            shown = try authenticator.limits(of: number, in: project).wrongCodes
            #expect(shown.value == 10)
            #expect(shown.clientsWaitUntil == [deployment.clock.now + .seconds(1)])
            deployment.clock.advance(by: .seconds(8 * 86_400))
            #expect(try authenticator.limits(of: number, in: project).wrongCodes.value == 0)
        }

        @Test("a reset number gets messages and answers at once; what it shares with others stays counted")
        func reset() throws {
            for client in 1...5 { _ = authenticator.send(to: number, client: client, in: project) }
            let session = try authenticator.session(for: number, client: 5, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            _ = authenticator.answer(session, wrong, request: "1", in: project)
            try authenticator.setTestNumber(number, code: try #require(VerificationCode("123456")), in: project)
            let test = try authenticator.session(for: number, client: 6, in: project)
            _ = authenticator.answer(test, "000000", request: "2", in: project)
            #expect(try authenticator.limits(of: number, in: project).wrongTestCodes.value == 1)
            _ = try authenticator.removeTestNumber(number, in: project)
            #expect(authenticator.send(to: number, client: 7, in: project).outcome == nil)

            let reset = try authenticator.resetLimits(of: number, in: project)
            #expect(reset.hadAny)
            let limits = try authenticator.limits(of: number, in: project)
            #expect(limits.sends.map(\.value) == [0, 0, 5, 5, 5])
            #expect(limits.wrongCodes.value == 0)
            #expect(limits.wrongTestCodes.value == 0)
            #expect(authenticator.send(to: number, client: 7, in: project).outcome == .opened)
            #expect(try !authenticator.resetLimits(of: "+16505550181", in: project).hadAny)
        }
    }
}
