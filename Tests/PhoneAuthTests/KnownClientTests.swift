import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// How a number's wrong codes are shared between strangers and clients that signed in with it before.
    @Suite struct KnownClientTests {
        let number = "+16505550171"

        @Test("after ninety wrong codes, by however many strangers, none of a stranger is judged for thirty days")
        func strangers() throws {
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            try authenticator.guess(90, number, in: project, clients: 1)
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
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try authenticator.guess(90, number, in: project, clients: 1)
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
            let (deployment, authenticator) = try Deployment.ofManyMessages()
            let project = deployment.project
            _ = try authenticator.signIn(number, client: 99, in: project)
            try authenticator.guess(90, number, in: project, clients: 1)
            try authenticator.guess(10, number, in: project, clients: 99, perClient: 10)
            let session = try authenticator.session(for: number, client: 99, in: project)
            let right = try authenticator.code(of: session, in: project)
            let outcome = authenticator.answer(session, right, request: "last", in: project)
            #expect(outcome == .blocked(isOfClient: false, retryAfter: .seconds(30 * 86_400)))
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
    }
}
