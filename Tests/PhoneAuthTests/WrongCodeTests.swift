import PhoneAuth
import TestServers
import Testing

extension PhoneAuthTests {
    /// The bounds on wrong codes for a number, over all of its sessions.
    @Suite struct WrongCodeTests {
        let number = "+16505550170"

        /// A deployment whose numbers get as many messages as a test wants.
        private func deployment(_ change: (inout Policy) -> Void = { _ in }) throws -> (Deployment, Authenticator) {
            let deployment = try Deployment { policy in
                policy.sendsPerNumberPerHour = 1000
                policy.sendsPerNumberPerDay = 1000
                change(&policy)
            }
            return (deployment, deployment.authenticator())
        }

        /// Gives wrong answers by clients from number `clients` on.
        private func guess(
            _ count: Int,
            _ authenticator: Authenticator,
            _ project: Project,
            clients: Int,
            perClient: Int = 5
        ) throws {
            for attempt in 0..<count {
                let client = clients + attempt / perClient
                let session = try authenticator.session(for: number, client: client, in: project)
                let wrong = try authenticator.wrongCode(of: session, in: project)
                let outcome = authenticator.answer(session, wrong, request: "\(clients)-\(attempt)", in: project)
                #expect(outcome == .wrong(attemptsLeft: 4 - attempt % 5))
            }
        }

        @Test("after ten wrong codes a client waits a second, then twice as long each time, to an hour")
        func growingWait() throws {
            let (deployment, authenticator) = try deployment()
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
            let (deployment, authenticator) = try deployment { $0.wrongCodesBeforeWait = 2 }
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
            let (deployment, authenticator) = try deployment { $0.wrongCodesBeforeWait = 5 }
            let project = deployment.project
            try guess(5, authenticator, project, clients: 7)
            let strangers = try authenticator.session(for: number, client: 7, in: project)
            let code = try authenticator.code(of: strangers, in: project)
            let blocked = authenticator.answer(strangers, code, request: "1", in: project)
            #expect(blocked == .blocked(isOfClient: true, retryAfter: .seconds(1)))
            let owners = try authenticator.session(for: number, client: 1, in: project)
            let right = try authenticator.code(of: owners, in: project)
            #expect(authenticator.answer(owners, right, request: "2", in: project).uid != nil)
        }

        @Test("after ninety wrong codes, by however many strangers, none of a stranger is judged for thirty days")
        func strangers() throws {
            let (deployment, authenticator) = try deployment()
            let project = deployment.project
            try guess(90, authenticator, project, clients: 1)
            let days = Duration.seconds(30 * 86_400)
            func rightAnswer(_ request: String) throws -> SignInOutcome {
                let session = try authenticator.session(for: number, client: 99, in: project)
                let right = try authenticator.code(of: session, in: project)
                return authenticator.answer(session, right, request: request, in: project)
            }
            #expect(try rightAnswer("a") == .blocked(isOfClient: false, retryAfter: days))
            deployment.clock.advance(by: days - .milliseconds(1))
            #expect(try rightAnswer("b") == .blocked(isOfClient: false, retryAfter: .milliseconds(1)))
            deployment.clock.advance(by: .milliseconds(1))
            #expect(try rightAnswer("c").uid != nil)
        }

        @Test("the last ten of a hundred wrong codes are for clients that signed in with the number before")
        func knownClients() throws {
            let (deployment, authenticator) = try deployment()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try guess(90, authenticator, project, clients: 1)
            let strangers = try authenticator.session(for: number, client: 98, in: project)
            let code = try authenticator.code(of: strangers, in: project)
            let blocked = SignInOutcome.blocked(isOfClient: false, retryAfter: .seconds(30 * 86_400))
            #expect(authenticator.answer(strangers, code, request: "s", in: project) == blocked)
            // The owner may err nine times and sign in, and then the count begins anew.
            for attempt in 0..<9 {
                let session = try authenticator.session(for: number, client: 99, in: project)
                let wrong = try authenticator.wrongCode(of: session, in: project)
                let outcome = authenticator.answer(session, wrong, request: "o\(attempt)", in: project)
                #expect(outcome == .wrong(attemptsLeft: 4 - attempt % 5))
            }
            #expect(try authenticator.limits(of: number, in: project).wrongCodes.value == 99)
            _ = try authenticator.signIn(number, client: 99, in: project)
            #expect(authenticator.answer(strangers, code, request: "t", in: project).uid != nil)
        }

        @Test("no client, known or not, has a hundred and first wrong code judged")
        func hundred() throws {
            let (deployment, authenticator) = try deployment()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try guess(90, authenticator, project, clients: 1)
            try guess(10, authenticator, project, clients: 99, perClient: 10)
            let session = try authenticator.session(for: number, client: 99, in: project)
            let right = try authenticator.code(of: session, in: project)
            let outcome = authenticator.answer(session, right, request: "last", in: project)
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .seconds(30 * 86_400)))
        }

        @Test("a client is known for half a year, and of a number's clients the latest ten are")
        func forgottenClients() throws {
            let (deployment, authenticator) = try deployment { $0.wrongCodesPerNumber = 10 }
            let project = deployment.project
            for client in 1...11 {
                _ = try authenticator.signIn(number, client: client, in: project)
                deployment.clock.advance(by: .seconds(1))
            }
            func isKnown(_ client: Int) throws -> Bool {
                let session = try authenticator.session(for: number, client: client, in: project)
                let wrong = try authenticator.wrongCode(of: session, in: project)
                let outcome = authenticator.answer(session, wrong, request: "k\(client)", in: project)
                if case .wrong = outcome { return true }
                return false
            }
            try guess(9, authenticator, project, clients: 50)
            #expect(try !isKnown(1))
            #expect(try isKnown(2))
            deployment.clock.advance(by: .seconds(180 * 86_400))
            _ = try authenticator.signIn(number, client: 20, in: project)
            try guess(9, authenticator, project, clients: 60)
            #expect(try !isKnown(11))
            #expect(try isKnown(20))
        }

        @Test("a right code makes the count begin anew")
        func reset() throws {
            let (deployment, authenticator) = try deployment { $0.wrongCodesPerNumber = 7 }
            let project = deployment.project
            for round in 0..<3 {
                try guess(6, authenticator, project, clients: 10 + 10 * round)
                _ = try authenticator.signIn(number, client: 90 + round, in: project)
            }
            #expect(deployment.keyNames(matching: "*wrong-codes*") == [])
            try guess(7, authenticator, project, clients: 50)
            let session = try authenticator.session(for: number, client: 60, in: project)
            let right = try authenticator.code(of: session, in: project)
            let outcome = authenticator.answer(session, right, request: "last", in: project)
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .seconds(30 * 86_400)))
        }

        @Test("a number, a test number and another project's number are counted apart")
        func apart() throws {
            let (deployment, authenticator) = try deployment { $0.wrongCodesPerNumber = 5 }
            let project = deployment.project
            try authenticator.setTestNumber(number, code: try #require(VerificationCode("123456")), in: project)
            let test = try authenticator.session(for: number, in: project)
            for attempt in 1...5 { _ = authenticator.answer(test, "000000", request: "\(attempt)", in: project) }
            let next = try authenticator.session(for: number, client: 2, in: project)
            let blocked = authenticator.answer(next, "123456", request: "6", in: project)
            #expect(blocked == .blocked(isOfClient: false, retryAfter: .seconds(30 * 86_400)))
            _ = try authenticator.removeTestNumber(number, in: project)
            #expect(try authenticator.signIn(number, client: 3, in: project).isNewUser)
            let other = Project(id: "other-app", authorizedDomains: [])
            #expect(try authenticator.signIn(number, client: 3, in: other).isNewUser)
        }

        @Test("of racing wrong answers to many sessions a number's last ones are judged")
        func racing() throws {
            let (deployment, authenticator) = try deployment { $0.wrongCodesPerNumber = 7 }
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
