import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// The bounds on wrong codes for a number, over all of its sessions.
    @Suite struct WrongCodeTests {
        let number = "+16505550170"

        @Test("after ten wrong codes a client waits a second, then twice as long each time, to an hour")
        func growingWait() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            var request = 0
            func wrongAnswer() throws -> SignInOutcome {
                request += 1
                let session = try authenticator.session(for: number, in: project)
                let wrong = try authenticator.wrongCode(of: session, in: project)
                return authenticator.answer(session, wrong, request: "\(request)", in: project)
            }
            for attempt in 0..<10 { #expect(try wrongAnswer() == .wrong(attemptsLeft: 4 - attempt % 5)) }
            for power in 0..<14 {
                let wait = Duration.seconds(min(1 << power, 3600))
                #expect(try wrongAnswer() == .blocked(isOfClient: true, retryAfter: wait))
                deployment.clock.advance(by: wait - .milliseconds(1))
                #expect(try wrongAnswer() == .blocked(isOfClient: true, retryAfter: .milliseconds(1)))
                deployment.clock.advance(by: .milliseconds(1))
                guard case .wrong = try wrongAnswer() else {
                    Issue.record("not judged after \(wait)")
                    return
                }
            }
        }

        @Test("a blocked answer, right or wrong, is not judged and spends no attempt of its session")
        func blockedAnswer() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesBeforeWait = 2 }
            let project = deployment.project
            let session = try authenticator.session(for: number, in: project)
            let right = try authenticator.code(of: session, in: project)
            let wrong = try authenticator.wrongCode(of: session, in: project)
            for attempt in 1...2 { _ = authenticator.answer(session, wrong, request: "\(attempt)", in: project) }
            let before = deployment.contents()
            for (index, code) in [right, wrong, right, wrong].enumerated() {
                let outcome = authenticator.answer(session, code, request: "blocked \(index)", in: project)
                #expect(outcome == .blocked(isOfClient: true, retryAfter: .seconds(1)))
            }
            #expect(deployment.contents() == before)
            // The answer that brought the wait is told the same when its front end repeats it.
            #expect(authenticator.answer(session, wrong, request: "2", in: project) == .wrong(attemptsLeft: 3))
            deployment.clock.advance(by: .seconds(1))
            #expect(authenticator.answer(session, right, request: "3", in: project).uid != nil)
        }

        @Test("a stranger's wrong codes make the stranger wait, not the owner of the number")
        func stranger() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesBeforeWait = 5 }
            let project = deployment.project
            try authenticator.guess(5, number, in: project, clients: 7)
            let strangers = try authenticator.session(for: number, client: 7, in: project)
            let code = try authenticator.code(of: strangers, in: project)
            let blocked = authenticator.answer(strangers, code, request: "1", in: project)
            #expect(blocked == .blocked(isOfClient: true, retryAfter: .seconds(1)))
            let owners = try authenticator.session(for: number, client: 1, in: project)
            let right = try authenticator.code(of: owners, in: project)
            #expect(authenticator.answer(owners, right, request: "2", in: project).uid != nil)
        }

        @Test("a right code makes the count begin anew")
        func reset() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 7 }
            let project = deployment.project
            for round in 0..<3 {
                try authenticator.guess(6, number, in: project, clients: 10 + 10 * round)
                _ = try authenticator.signIn(number, client: 90 + round, in: project)
            }
            #expect(deployment.keyNames(matching: "*wrong-codes*") == [])
            try authenticator.guess(7, number, in: project, clients: 50)
            let session = try authenticator.session(for: number, client: 60, in: project)
            let right = try authenticator.code(of: session, in: project)
            let outcome = authenticator.answer(session, right, request: "last", in: project)
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .untilRoom(below: 7, of: 7)))
        }

        @Test("a number, a test number and another project's number are counted apart")
        func apart() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 5 }
            let project = deployment.project
            try authenticator.setTestNumber(number, code: try #require(VerificationCode("123456")), in: project)
            let test = try authenticator.session(for: number, in: project)
            for attempt in 1...5 { _ = authenticator.answer(test, "000000", request: "\(attempt)", in: project) }
            #expect(try authenticator.limits(of: number, in: project).wrongTestCodes.value == 5)
            #expect(try authenticator.limits(of: number, in: project).wrongCodes.value == 0)
            _ = try authenticator.removeTestNumber(number, in: project)
            #expect(try authenticator.signIn(number, client: 3, in: project).isNewUser)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(try authenticator.signIn(number, client: 3, in: other).isNewUser)
        }

        @Test("the wrong codes of a test number are counted by client, and for minutes")
        func testNumber() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.setTestNumber(number, code: try #require(VerificationCode("123456")), in: project)
            func answer(_ code: String, client: Int) throws -> SignInOutcome {
                let session = try authenticator.session(for: number, client: client, in: project)
                let request = "\(UInt64.random(in: 0 ... .max))"
                return authenticator.answer(session, code, request: request, in: project)
            }
            for client in 1...20 {
                for _ in 0..<10 { _ = try answer("000000", client: client) }
                #expect(
                    try answer("123456", client: client) == .blocked(isOfClient: true, retryAfter: .seconds(1))
                )
            }
            #expect(try answer("123456", client: 99).uid != nil)
            for _ in 0..<10 { _ = try answer("000000", client: 1) }
            deployment.clock.advance(by: .seconds(8 * 900))
            #expect(try authenticator.limits(of: number, in: project).wrongTestCodes.value == 0)
        }

        @Test("of racing wrong answers to many sessions a number's last ones are judged")
        func racing() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 7 }
            let project = deployment.project
            let sessions = try (0..<12).map { try authenticator.session(for: number, client: $0 + 1, in: project) }
            let wrong = try sessions.map { try authenticator.wrongCode(of: $0, in: project) }
            let outcomes = try inParallel(12) { racer in
                deployment.authenticator().answer(sessions[racer], wrong[racer], request: "\(racer)", in: project)
            }
            #expect(outcomes.filter { $0 == .wrong(attemptsLeft: 4) }.count == 7)
            #expect(outcomes.filter { if case .blocked = $0 { true } else { false } }.count == 5)
        }
    }
}
