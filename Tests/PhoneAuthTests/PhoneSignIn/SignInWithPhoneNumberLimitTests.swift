import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// The limits on wrong codes for a number across all of its sessions (brute force).
    @Suite struct SignInWithPhoneNumberLimitTests {
        let number = "+16505550170"

        @Test("after ten wrong codes a client waits one second, then twice as long each time, up to an hour")
        func growingWait() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            var request = 0
            func wrongAnswer() throws -> SignInOutcome {
                request += 1
                let session = try authenticator.in(project).session(for: number)
                let wrong = try authenticator.in(project).wrongCode(of: session)
                return authenticator.in(project).answer(session, wrong, request: "\(request)")
            }
            for attempt in 0..<10 { #expect(try wrongAnswer() == .wrong(attemptsLeft: 4 - attempt % 5)) }
            for power in 0..<14 {
                let wait = Duration.seconds(min(1 << power, 3600))
                #expect(try wrongAnswer() == .blocked(isOfClient: true, retryAfter: wait))
                deployment.clock.advance(by: wait - .milliseconds(1))
                #expect(try wrongAnswer() == .blocked(isOfClient: true, retryAfter: .milliseconds(1)))
                deployment.clock.advance(by: .milliseconds(1))
                guard case .wrong = try wrongAnswer() else {
                    Issue.record("not verified after \(wait)")
                    return
                }
            }
        }

        @Test("a blocked code, correct or wrong, is not verified and uses no attempt")
        func blockedAnswer() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesBeforeWait = 2 }
            let project = deployment.project
            let session = try authenticator.in(project).session(for: number)
            let right = try authenticator.in(project).code(of: session)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            for attempt in 1...2 { _ = authenticator.in(project).answer(session, wrong, request: "\(attempt)") }
            let before = deployment.lastingContents()
            for (index, code) in [right, wrong, right, wrong].enumerated() {
                let outcome = authenticator.in(project).answer(session, code, request: "blocked \(index)")
                #expect(outcome == .blocked(isOfClient: true, retryAfter: .seconds(1)))
            }
            #expect(deployment.lastingContents() == before)
            // The code that caused the wait gets the same response when nginx repeats the request.
            #expect(authenticator.in(project).answer(session, wrong, request: "2") == .wrong(attemptsLeft: 3))
            deployment.clock.advance(by: .seconds(1))
            #expect(authenticator.in(project).answer(session, right, request: "3").uid != nil)
        }

        @Test("a correct code resets the count")
        func reset() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 7 }
            let project = deployment.project
            for round in 0..<3 {
                try authenticator.in(project).guess(6, number, clients: 10 + 10 * round)
                _ = try authenticator.in(project).signIn(number, client: 90 + round)
            }
            #expect(deployment.keyNames(matching: "*wrong-codes*") == [])
            try authenticator.in(project).guess(7, number, clients: 50)
            let session = try authenticator.in(project).session(for: number, client: 60)
            let right = try authenticator.in(project).code(of: session)
            let outcome = authenticator.in(project).answer(session, right, request: "last")
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .untilRoom(below: 7, of: 7)))
        }

        @Test("wrong codes of a number, a test number and another project's number are counted separately")
        func apart() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 5 }
            let project = deployment.project
            try authenticator.in(project).setTestNumber(number, code: try #require(VerificationCode("271828")))
            let test = try authenticator.in(project).session(for: number)
            for attempt in 1...5 { _ = authenticator.in(project).answer(test, "000000", request: "\(attempt)") }
            #expect(try authenticator.in(project).limits(of: number).wrongTestCodes.value == 5)
            #expect(try authenticator.in(project).limits(of: number).wrongCodes.value == 0)
            _ = try authenticator.in(project).removeTestNumber(number)
            #expect(try authenticator.in(project).signIn(number, client: 3).isNewUser)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(try authenticator.in(other).signIn(number, client: 3).isNewUser)
        }

        @Test("wrong codes of a test number are counted per client, and expire after minutes")
        func testNumber() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.in(project).setTestNumber(number, code: try #require(VerificationCode("271828")))
            func answer(_ code: String, client: Int) throws -> SignInOutcome {
                let session = try authenticator.in(project).session(for: number, client: client)
                let request = "\(UInt64.random(in: 0 ... .max))"
                return authenticator.in(project).answer(session, code, request: request)
            }
            for client in 1...19 {
                for _ in 0..<10 { _ = try answer("000000", client: client) }
                #expect(
                    try answer("271828", client: client) == .blocked(isOfClient: true, retryAfter: .seconds(1))
                )
            }
            #expect(try answer("271828", client: 99).uid != nil)
            for _ in 0..<10 { _ = try answer("000000", client: 1) }
            deployment.clock.advance(by: .seconds(8 * 900))
            #expect(try authenticator.in(project).limits(of: number).wrongTestCodes.value == 0)
        }

        @Test("of wrong codes racing in many sessions, only as many are verified as the number has left")
        func racing() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 7 }
            let project = deployment.project
            let sessions = try (0..<12).map { try authenticator.in(project).session(for: number, client: $0 + 1) }
            let wrong = try sessions.map { try authenticator.in(project).wrongCode(of: $0) }
            let outcomes = try inParallel(12) { racer in
                deployment.authenticator().in(project).answer(sessions[racer], wrong[racer], request: "\(racer)")
            }
            #expect(outcomes.filter { $0 == .wrong(attemptsLeft: 4) }.count == 7)
            #expect(outcomes.filter { if case .blocked = $0 { true } else { false } }.count == 5)
        }
    }
}
