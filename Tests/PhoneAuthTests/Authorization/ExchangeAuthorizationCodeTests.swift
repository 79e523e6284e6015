import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ExchangeAuthorizationCodeTests: AuthorizationCodeSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let signedIn: SignedIn

        init() throws {
            (deployment, authenticator, project, signedIn) = try Self.deploy()
        }

        private func events() throws -> [String] {
            var log = authenticator.store.auditLog(of: nil, since: 0, latestFirst: false)
            var events: [String] = []
            while let event = try log.next() { events.append("\(event.kind) \(event.actor)") }
            return events
        }

        @Test("a code hands over its session: the app's refresh token is valid, and the page's no longer is")
        func handsOver() throws {
            deployment.clock.advance(by: .seconds(20))
            let (outcome, tokens) = Self.exchange(try issue(), with: authenticator.in(project, request: "1"))
            let app = try #require(tokens)
            #expect(outcome == .exchanged(uid: signedIn.uid))
            #expect(authenticator.in(project).refresh(app.refreshToken) == .refreshed(uid: signedIn.uid))
            #expect(authenticator.in(project).refresh(signedIn.refreshToken) == .revoked)
            #expect(authenticator.in(project).look(up: app.idToken) == .found(uid: signedIn.uid))
            let (before, after) = (try Claims(signedIn.idToken), try Claims(app.idToken))
            #expect(after.number("auth_time") == before.number("auth_time"))
            #expect(after.payload["firebase"] == before.payload["firebase"])
            #expect(try authenticator.in(project).userSessions(idToken: app.idToken).count == 1)
        }

        @Test("a malformed code, or one of another project or deployment, is unknown")
        func unknown() throws {
            let code = try issue()
            let other = code.hasSuffix("A") ? "E" : "A"
            for text in [
                "", "x", code + "A", String(code.dropLast()), String(code.dropLast()) + other, "B" + code.dropFirst(),
                signedIn.refreshToken, signedIn.idToken,
                // The deployment does not have this shard.
                String(code.prefix(2)) + "__" + code.dropFirst(4),
            ] {
                #expect(exchange(text) == .unknown, "\(text.count)")
            }
            let elsewhere = authenticator.in(Project(id: "other-app", authorizedDomains: []))
            #expect(Self.exchange(code, with: elsewhere).0 == .unknown)
            #expect(exchange(code) == .exchanged(uid: signedIn.uid))
        }

        @Test("a second use ends the session that the first use handed over")
        func reuse() throws {
            let code = try issue()
            let (_, tokens) = Self.exchange(code, with: authenticator.in(project, request: "1"))
            let app = try #require(tokens)
            // A replay needs neither the correct secret nor the correct client.
            #expect(exchange(code, request: "2", clientID: "other", verifier: Self.verifier + "x") == .reused)
            #expect(authenticator.in(project).refresh(app.refreshToken) == .unknown)
            #expect(authenticator.in(project).look(up: app.idToken) == .revoked)
            #expect(exchange(code, request: "3") == .reused)
            #expect(try events().filter { $0 == "token-reused server" }.count == 1)
        }

        @Test("a wrong secret, client or redirect URI uses up the code and ends the session")
        func mismatch() throws {
            let wrong: [(AuthorizationCodeTerms.Term, (String) -> ExchangeOutcome)] = [
                (.challenge, { exchange($0, verifier: Self.verifier + "x") }),
                // The method `plain` is not supported.
                (.challenge, { exchange($0, verifier: Self.challenge) }),
                (.redirectURI, { exchange($0, redirectURI: Self.redirectURI + "/") }),
                (.redirectURI, { exchange($0, redirectURI: "") }), (.clientID, { exchange($0, clientID: "other") }),
            ]
            for (index, (term, attempt)) in wrong.enumerated() {
                let user = try authenticator.in(project).signIn(fictionalNumber(90 + index))
                let code = try issue(idToken: user.idToken)
                #expect(attempt(code) == .mismatch(term))
                #expect(exchange(code, request: "2") == .reused)
                #expect(authenticator.in(project).refresh(user.refreshToken) == .unknown)
                #expect(authenticator.in(project).look(up: user.idToken) == .revoked)
            }
            #expect(try events().filter { $0 == "session-ended server" }.count == wrong.count)
        }

        @Test("none of 20 racing exchanges with wrong secrets succeeds")
        func racingGuesses() throws {
            let code = try issue()
            let outcomes = try inParallel(20) { [deployment, project] racer in
                let operation = deployment.authenticator().in(project, request: "\(racer)")
                return Self.exchange(code, with: operation, verifier: Self.verifier + "\(racer)").0
            }
            #expect(outcomes.filter { $0 == .mismatch(.challenge) }.count == 1)
            #expect(outcomes.filter { $0 == .reused }.count == 19)
        }

        @Test("a request that the front end repeats gets tokens, and only the latest ones are valid")
        func repeatedRequest() throws {
            let code = try issue()
            let tokens = try (0..<2).map { _ in
                try #require(Self.exchange(code, with: authenticator.in(project, request: "1")).1)
            }
            #expect(authenticator.in(project).refresh(tokens[0].refreshToken) == .revoked)
            #expect(authenticator.in(project).refresh(tokens[1].refreshToken) == .refreshed(uid: signedIn.uid))
        }

        @Test("an ended session, a revoked token, and a disabled or deleted account get neither a code nor tokens")
        func ended() throws {
            let ways: [(LookupOutcome, ExchangeOutcome, (SignedIn) throws -> Void)] = [
                (
                    .revoked, .ended,
                    { try authenticator.in(project).endUserSession(sessionID(of: $0), idToken: $0.idToken) }
                ),
                (.revoked, .ended, { deployment.cli("HINCRBY", try accountKey(of: $0), "revocation", "1") }),
                (.disabled, .disabled, { deployment.cli("HSET", try accountKey(of: $0), "disabled", "1") }),
                (.noAccount, .noAccount, { deployment.cli("DEL", try accountKey(of: $0)) }),
            ]
            for (index, (refusal, outcome, end)) in ways.enumerated() {
                let user = try authenticator.in(project).signIn(fictionalNumber(80 + index))
                let code = try issue(idToken: user.idToken)
                try end(user)
                #expect(try issueOutcome(idToken: user.idToken) == refusal)
                #expect(exchange(code) == outcome)
            }
            #expect(try issueOutcome(idToken: "x") == .invalid)
        }

        @Test("if second factors are required, a session without one gets no tokens for a code")
        func secondFactorMissing() throws {
            let authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            let required = deployment.project(secondFactors: .required)
            let user = try authenticator.in(required).secondFactorUser()
            let refused = Self.exchange(
                try issue(idToken: user.idToken),
                with: authenticator.in(required, request: "1")
            )
            #expect(refused.0 == .secondFactorMissing && refused.1 == nil)
            // The ID token lasts, so that the user can enroll.
            #expect(authenticator.in(required).look(up: user.idToken) == .found(uid: user.account.uid))
            let other = try authenticator.in(required).secondFactorUser("bob@example.com")
            let enrolled = try authenticator.in(required).enroll("+16505550161", other.idToken)
            let (outcome, _) = Self.exchange(
                try issue(idToken: enrolled.idToken),
                with: authenticator.in(required, request: "2")
            )
            #expect(outcome == .exchanged(uid: other.account.uid))
        }

        private func accountKey(of user: SignedIn) throws -> String {
            try #require(deployment.accountKey(of: user.uid))
        }

        private func sessionID(of user: SignedIn) throws -> String {
            guard case .object(let firebase) = try Claims(user.idToken).payload["firebase"],
                case .string(let id) = firebase["session_id"]
            else { throw ServerFailure(description: "the token names no session") }
            return id
        }
    }
}
