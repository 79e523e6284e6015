import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// How a number's wrong codes are shared between strangers and clients that signed in with it before.
    @Suite struct KnownClientTests {
        let number = "+16505550171"

        @Test(
            "after ninety wrong codes, by however many clients, newcomers wait until some of them are forgotten: minutes, not days"
        )
        func newcomers() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.guess(90, number, in: project, clients: 1)
            let wait = Duration.untilRoom(below: 90, of: 90)
            #expect(wait < .seconds(24 * 60))
            func rightAnswer(_ request: String) throws -> SignInOutcome {
                let session = try authenticator.session(for: number, client: 99, in: project)
                let right = try authenticator.code(of: session, in: project)
                return authenticator.answer(session, right, request: request, in: project)
            }
            #expect(try rightAnswer("a") == .blocked(isOfClient: false, retryAfter: wait))
            deployment.clock.advance(by: wait)
            #expect(try rightAnswer("b").uid != nil)
        }

        @Test("half of the wrong codes are forgotten each day, and all after eight days")
        func decay() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.guess(80, number, in: project, clients: 1)
            func wrongCodes() throws -> Int { try authenticator.limits(of: number, in: project).wrongCodes.value }
            #expect(try wrongCodes() == 80)
            for left in [40, 20, 10, 5] {
                deployment.clock.advance(by: .seconds(86_400))
                #expect(try wrongCodes() == left)
            }
            deployment.clock.advance(by: .seconds(4 * 86_400))
            #expect(try wrongCodes() == 0)
        }

        @Test(
            "wrong codes that the version before counted, which were kept for thirty days, are forgotten in the same way"
        )
        func storedBefore() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.guess(1, number, in: project, clients: 1)
            let key = try #require(deployment.keyNames(matching: "*:wrong-codes:*").first)
            deployment.cli("HSET", key, "all", "90")
            deployment.clock.advance(by: .seconds(86_400))
            #expect(try authenticator.limits(of: number, in: project).wrongCodes.value == 45)
            _ = try authenticator.signIn(number, client: 99, in: project)
        }

        @Test("the last ten of a hundred wrong codes are for clients that signed in with the number before")
        func knownClients() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try authenticator.guess(90, number, in: project, clients: 1)
            let strangers = try authenticator.session(for: number, client: 98, in: project)
            let code = try authenticator.code(of: strangers, in: project)
            let blocked = SignInOutcome.blocked(isOfClient: false, retryAfter: .untilRoom(below: 90, of: 90))
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
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try authenticator.guess(90, number, in: project, clients: 1)
            try authenticator.guess(10, number, in: project, clients: 99, perClient: 10)
            let session = try authenticator.session(for: number, client: 99, in: project)
            let right = try authenticator.code(of: session, in: project)
            let outcome = authenticator.answer(session, right, request: "last", in: project)
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .untilRoom(below: 100, of: 100)))
        }

        @Test("a client is known for half a year, and of a number's clients the latest ten are")
        func forgottenClients() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 10 }
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
            try authenticator.guess(9, number, in: project, clients: 50)
            #expect(try !isKnown(1))
            #expect(try isKnown(2))
            deployment.clock.advance(by: .seconds(180 * 86_400))
            _ = try authenticator.signIn(number, client: 20, in: project)
            try authenticator.guess(9, number, in: project, clients: 60)
            #expect(try !isKnown(11))
            #expect(try isKnown(20))
        }

        @Test("a part of a number's messages is kept for clients that signed in with it, if there are any")
        func messages() throws {
            let deployment = try Deployment()
            let authenticator = deployment.authenticator()
            let project = deployment.project
            for client in 1...5 {
                #expect(authenticator.send(to: fictionalNumber(1), client: client, in: project).outcome == .opened)
            }
            _ = try authenticator.signIn(number, client: 99, in: project)
            for client in 1...2 {
                #expect(authenticator.send(to: number, client: client, in: project).outcome == .opened)
            }
            guard case .limited = authenticator.send(to: number, client: 3, in: project) else {
                Issue.record("not limited")
                return
            }
            _ = try authenticator.signIn(number, client: 99, in: project)
            #expect(authenticator.send(to: number, client: 99, in: project).outcome == .opened)
        }
    }
}
