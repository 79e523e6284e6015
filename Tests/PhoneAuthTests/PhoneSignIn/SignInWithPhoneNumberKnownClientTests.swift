import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// The division of a number's wrong codes between new clients and known clients.
    @Suite struct SignInWithPhoneNumberKnownClientTests {
        let number = "+16505550171"

        @Test(
            "after ninety wrong codes from any clients, new clients wait minutes, not days"
        )
        func newcomers() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.in(project).guess(90, number, clients: 1)
            let wait = Duration.untilRoom(below: 90, of: 90)
            #expect(wait < .seconds(24 * 60))
            func rightAnswer(_ request: String) throws -> SignInOutcome {
                let session = try authenticator.in(project).session(for: number, client: 99)
                let right = try authenticator.in(project).code(of: session)
                return authenticator.in(project).answer(session, right, request: request)
            }
            #expect(try rightAnswer("a") == .blocked(isOfClient: false, retryAfter: wait))
            deployment.clock.advance(by: wait)
            #expect(try rightAnswer("b").uid != nil)
        }

        @Test("the count of wrong codes halves each day and is zero after eight days")
        func decay() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.in(project).guess(80, number, clients: 1)
            func wrongCodes() throws -> Int { try authenticator.in(project).limits(of: number).wrongCodes.value }
            #expect(try wrongCodes() == 80)
            for left in [40, 20, 10, 5] {
                deployment.clock.advance(by: .seconds(86_400))
                #expect(try wrongCodes() == left)
            }
            deployment.clock.advance(by: .seconds(4 * 86_400))
            #expect(try wrongCodes() == 0)
        }

        @Test("the last ten of a hundred wrong codes are reserved for known clients")
        func knownClients() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.in(project).signIn(number, client: 99)
            try authenticator.in(project).guess(90, number, clients: 1)
            let otherClients = try authenticator.in(project).session(for: number, client: 98)
            let code = try authenticator.in(project).code(of: otherClients)
            let blocked = SignInOutcome.blocked(isOfClient: false, retryAfter: .untilRoom(below: 90, of: 90))
            #expect(authenticator.in(project).answer(otherClients, code, request: "s") == blocked)
            // The owner may enter nine wrong codes and sign in, which resets the count.
            for attempt in 0..<9 {
                let session = try authenticator.in(project).session(for: number, client: 99)
                let wrong = try authenticator.in(project).wrongCode(of: session)
                let outcome = authenticator.in(project).answer(session, wrong, request: "o\(attempt)")
                #expect(outcome == .wrong(attemptsLeft: 4 - attempt % 5))
            }
            #expect(try authenticator.in(project).limits(of: number).wrongCodes.value == 99)
            _ = try authenticator.in(project).signIn(number, client: 99)
            #expect(authenticator.in(project).answer(otherClients, code, request: "t").uid != nil)
        }

        @Test("no client, known or not, gets more than a hundred wrong codes verified")
        func hundred() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.in(project).signIn(number, client: 99)
            try authenticator.in(project).guess(90, number, clients: 1)
            try authenticator.in(project).guess(10, number, clients: 99, perClient: 10)
            let session = try authenticator.in(project).session(for: number, client: 99)
            let right = try authenticator.in(project).code(of: session)
            let outcome = authenticator.in(project).answer(session, right, request: "last")
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .untilRoom(below: 100, of: 100)))
        }

        @Test("a client stays known for half a year, and the latest ten clients per number are kept")
        func forgottenClients() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages { $0.wrongCodesPerNumber = 10 }
            let project = deployment.project
            for client in 1...11 {
                _ = try authenticator.in(project).signIn(number, client: client)
                deployment.clock.advance(by: .seconds(1))
            }
            func isKnown(_ client: Int) throws -> Bool {
                let session = try authenticator.in(project).session(for: number, client: client)
                let wrong = try authenticator.in(project).wrongCode(of: session)
                let outcome = authenticator.in(project).answer(session, wrong, request: "k\(client)")
                if case .wrong = outcome { return true }
                return false
            }
            try authenticator.in(project).guess(9, number, clients: 50)
            #expect(try !isKnown(1))
            #expect(try isKnown(2))
            deployment.clock.advance(by: .seconds(180 * 86_400))
            _ = try authenticator.in(project).signIn(number, client: 20)
            try authenticator.in(project).guess(9, number, clients: 60)
            #expect(try !isKnown(11))
            #expect(try isKnown(20))
        }
    }
}
