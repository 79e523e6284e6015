import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// One-time codes with which the sign-in page hands over a session to an app.
    @Suite struct AuthorizationCodeTests {
        static let redirectURI = "https://app.example.com/signed-in"
        /// RFC 7636, appendix B.
        static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let signedIn: SignedIn

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = Project(
                id: "demo-app",
                authorizedDomains: [],
                redirectURIs: [try #require(RedirectURI(Self.redirectURI))]
            )
            signedIn = try authenticator.in(project).signIn("+16505550171")
        }

        enum Outcome: Equatable {
            case exchanged(uid: String)
            case unknown, reused, ended, disabled, noAccount
            case mismatch(AuthorizationCodeOutcome.Term)
            case failed(String)
        }

        private func issue(idToken: String? = nil, clientID: String = "key") throws -> String {
            let uri = try #require(project.redirectURI(Self.redirectURI, acceptsLoopback: false))
            return try authenticator.in(project).issueAuthorizationCode(
                idToken: idToken ?? signedIn.idToken,
                clientID: clientID,
                redirectURI: uri,
                challenge: try #require(CodeChallenge(Self.challenge))
            ).text
        }

        private func issueOutcome(idToken: String? = nil) throws -> LookupOutcome {
            do {
                _ = try issue(idToken: idToken)
                return .found(uid: signedIn.uid)
            } catch let refusal as IDTokenRefusal {
                return LookupOutcome(refusal)
            }
        }

        private static func exchange(
            _ code: String,
            with operation: OperationContext,
            clientID: String = "key",
            redirectURI: String = Self.redirectURI,
            verifier: String = Self.verifier
        ) -> (Outcome, RefreshedToken?) {
            guard let verifier = CodeVerifier(verifier) else { return (.failed("verifier"), nil) }
            do {
                let tokens = try operation.exchangeAuthorizationCode(
                    code,
                    clientID: clientID,
                    redirectURI: redirectURI,
                    verifier: verifier
                )
                return (.exchanged(uid: tokens.uid), tokens)
            } catch {
                switch error {
                case .codeUnknown: return (.unknown, nil)
                case .codeReused: return (.reused, nil)
                case .mismatch(let term): return (.mismatch(term), nil)
                case .sessionEnded: return (.ended, nil)
                case .accountDisabled: return (.disabled, nil)
                case .accountUnknown: return (.noAccount, nil)
                case .unavailable, .internalFailure: return (.failed("\(error)"), nil)
                }
            }
        }

        private func exchange(
            _ code: String,
            request: String = "1",
            clientID: String = "key",
            redirectURI: String = Self.redirectURI,
            verifier: String = Self.verifier
        ) -> Outcome {
            let operation = authenticator.in(project, request: request)
            return Self.exchange(
                code,
                with: operation,
                clientID: clientID,
                redirectURI: redirectURI,
                verifier: verifier
            ).0
        }

        private func events() throws -> [String] {
            var log = authenticator.store.auditLog(of: nil, since: 0)
            var events: [String] = []
            while let event = try log.next() { events.append("\(event.kind) \(event.actor)") }
            return events
        }

        // MARK: Handover

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

        @Test("Redis stores neither the code, its secret nor a token, and deletes the entry after a minute")
        func atRest() throws {
            let code = try issue()
            let key = try #require(deployment.keyNames(matching: "*:authorization-code:*").first)
            let contents = deployment.contents().map { $0.key + $0.value }.joined()
            let secret = String(code.suffix(43))
            for text in [code, secret, Self.verifier, Self.redirectURI, signedIn.refreshToken, signedIn.idToken] {
                #expect(!contents.contains(text))
            }
            #expect(try (1...60_000).contains(#require(Int64(deployment.cli("PTTL", key)))))
            deployment.cli("PEXPIRE", key, "1")
            #expect(try becomes("0") { deployment.cli("EXISTS", key) })
            #expect(exchange(code) == .unknown)
        }

        @Test("a session whose code is never exchanged ends with the code, and an exchange restores its idle time")
        func abandoned() throws {
            let key = try #require(deployment.keyNames(matching: "*:refresh:*").first)
            func timeToLive() throws -> Int64 { try #require(Int64(deployment.cli("PTTL", key))) }
            #expect(try timeToLive() > 86_400_000)
            let code = try issue()
            #expect(try (1...60_000).contains(timeToLive()))
            #expect(exchange(code) == .exchanged(uid: signedIn.uid))
            #expect(try timeToLive() > 86_400_000)
        }

        @Test("once an app has the session, its page gets no further code, which would hide a second use")
        func afterExchange() throws {
            let code = try issue()
            #expect(exchange(code) == .exchanged(uid: signedIn.uid))
            #expect(try issueOutcome() == .revoked)
            #expect(exchange(code, request: "2") == .reused)
        }

        @Test("a session has one code at a time, and an earlier code ends nothing")
        func replaced() throws {
            let (first, second) = (try issue(), try issue())
            #expect(exchange(first) == .unknown)
            #expect(exchange(second) == .exchanged(uid: signedIn.uid))
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

        // MARK: Theft

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
            let wrong: [(AuthorizationCodeOutcome.Term, (String) -> Outcome)] = [
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

        @Test("of 20 racing exchanges, one succeeds and the others end its session")
        func racing() throws {
            let code = try issue()
            let results = try inParallel(20) { [deployment, project] racer in
                let operation = deployment.authenticator().in(project, request: "\(racer)")
                return Self.exchange(code, with: operation)
            }
            let outcomes = results.map(\.0)
            #expect(outcomes.filter { $0 == .exchanged(uid: signedIn.uid) }.count == 1)
            #expect(outcomes.filter { $0 == .reused }.count == 19)
            let app = try #require(results.compactMap(\.1).first)
            #expect(authenticator.in(project).refresh(app.refreshToken) == .unknown)
            #expect(deployment.keyNames(matching: "*:refresh:*") == [])
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

        // MARK: Eligible sessions

        @Test("only a recent sign-in gets a code, so a stolen ID token does not become a refresh token")
        func recent() throws {
            deployment.clock.advance(by: .seconds(300))
            #expect(try issueOutcome() == .found(uid: signedIn.uid))
            deployment.clock.advance(by: .seconds(1))
            #expect(try issueOutcome() == .signInTooOld)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(signedIn.refreshToken)
            #expect(try issueOutcome(idToken: refreshed.idToken) == .signInTooOld)
        }

        @Test("an ended session, a revoked token, and a disabled or deleted account get neither a code nor tokens")
        func ended() throws {
            let ways: [(LookupOutcome, Outcome, (SignedIn) throws -> Void)] = [
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

        private func accountKey(of user: SignedIn) throws -> String {
            try #require(deployment.accountKey(of: user.uid))
        }

        private func sessionID(of user: SignedIn) throws -> String {
            guard case .object(let firebase) = try Claims(user.idToken).payload["firebase"],
                case .string(let id) = firebase["session_id"]
            else { throw ServerFailure(description: "the token names no session") }
            return id
        }

        // MARK: PKCE

        @Test("a verifier has 43 to 128 unreserved characters, and its challenge follows RFC 7636")
        func verifiers() {
            #expect(CodeVerifier(Self.verifier)?.challenge.text == Self.challenge)
            let letters = String(repeating: "a", count: 128)
            #expect(CodeVerifier(String(letters.prefix(43))) != nil && CodeVerifier(letters) != nil)
            let almost = String(letters.prefix(42))
            for text in ["", almost, letters + "a", almost + "é", almost + "/", almost + " ", almost + "\u{0}"] {
                #expect(CodeVerifier(text) == nil)
            }
            for text in [
                "", "a", Self.challenge + "=", Self.challenge + "A", String(Self.challenge.dropLast()),
                // Unused bits of the last character that are not zero.
                Self.challenge.dropLast() + "N", "+" + Self.challenge.dropFirst(),
            ] {
                #expect(CodeChallenge(text) == nil)
            }
        }
    }
}
