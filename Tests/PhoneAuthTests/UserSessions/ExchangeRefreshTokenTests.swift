import Encodings
import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct ExchangeRefreshTokenTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let signedIn: SignedIn
        let accountKey: String
        let tokenKey: String

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator()
            project = deployment.project
            signedIn = try authenticator.in(project).signIn("+16505550170")
            accountKey = try #require(deployment.keyNames(matching: "*:user:*").first)
            tokenKey = try #require(deployment.keyNames(matching: "*:session:*").first)
        }

        private func refresh(in other: Project? = nil) -> RefreshOutcome {
            authenticator.in(other ?? project).refresh(signedIn.refreshToken)
        }

        @Test("a refresh token can be exchanged for ID tokens repeatedly")
        func refreshes() throws {
            for _ in 0..<3 {
                deployment.clock.advance(by: .seconds(3600))
                let refreshed = try authenticator.in(project).exchangeRefreshToken(signedIn.refreshToken)
                #expect(refreshed.uid == signedIn.uid)
                #expect(refreshed.refreshToken == signedIn.refreshToken)
                #expect(authenticator.in(project).look(up: refreshed.idToken) == .found(uid: signedIn.uid))
            }
        }

        @Test("auth_time stays the same, and issue and expiry times are new")
        func authTime() throws {
            let signInTime = deployment.clock.now.seconds
            deployment.clock.advance(by: .seconds(5000))
            let refreshed = try authenticator.in(project).exchangeRefreshToken(signedIn.refreshToken)
            let claims = try Claims(refreshed.idToken)
            #expect(claims.number("auth_time") == signInTime)
            #expect(claims.number("iat") == signInTime + 5000)
            #expect(claims.number("exp") == signInTime + 8600)
        }

        @Test("a malformed text is reported as such, and a token without a session is unknown or revoked")
        func unknown() {
            let token = signedIn.refreshToken
            for text in ["", "x", "AAAA", String(token.dropLast()), token + "A", "B" + token.dropFirst()] {
                #expect(authenticator.in(project).refresh(text) == .malformed)
            }
            let last = token.hasSuffix("A") ? "Q" : "A"
            // The deployment does not have this shard.
            #expect(authenticator.in(project).refresh(token.prefix(2) + "__" + token.dropFirst(4)) == .unknown)
            // An existing session with another secret.
            #expect(authenticator.in(project).refresh(String(token.dropLast(2)) + "A" + last) == .revoked)
            #expect(refresh() == .refreshed(uid: signedIn.uid))
        }

        @Test("a refresh token is unknown in another project")
        func otherProject() {
            #expect(refresh(in: Project(id: "other-app", authorizedDomains: [])) == .unknown)
        }

        @Test("a disabled account gets no token until it is enabled")
        func disabled() {
            deployment.cli("HSET", accountKey, "disabled", "1")
            #expect(refresh() == .disabled)
            #expect(authenticator.in(project).look(up: signedIn.idToken) == .disabled)
            deployment.cli("HSET", accountKey, "disabled", "0")
            #expect(refresh() == .refreshed(uid: signedIn.uid))
        }

        @Test("a session of a later version, with an unknown sign-in provider, is unavailable and stays")
        func unknownProvider() throws {
            deployment.cli("HSET", tokenKey, "provider", "carrier-pigeon")
            let error = #expect(throws: ExchangeRefreshTokenRefusal.self) {
                try authenticator.in(project).exchangeRefreshToken(signedIn.refreshToken)
            }
            guard case .failed(.unavailable) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            deployment.cli("HSET", tokenKey, "provider", "phone")
            #expect(refresh() == .refreshed(uid: signedIn.uid))
        }

        @Test("a deleted account gets no token")
        func deleted() throws {
            try authenticator.in(project).deleteAllAccounts()
            #expect(refresh() == .noAccount)
            #expect(authenticator.in(project).look(up: signedIn.idToken) == .noAccount)
            // The number is free for a new account.
            let again = try authenticator.in(project).signIn("+16505550170")
            #expect(again.isNewUser)
            #expect(again.uid != signedIn.uid)
            #expect(refresh() == .noAccount)
        }

        @Test("valid-since revokes tokens that are older by more than the clock skew; the counter revokes the others")
        func revoked() {
            let seconds = deployment.clock.now.seconds
            deployment.cli("HSET", accountKey, "valid-since", String(seconds + 30))
            #expect(refresh() == .refreshed(uid: signedIn.uid))
            #expect(authenticator.in(project).look(up: signedIn.idToken) == .found(uid: signedIn.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(seconds + 31))
            #expect(refresh() == .revoked)
            #expect(authenticator.in(project).look(up: signedIn.idToken) == .revoked)
        }

        @Test("a new sign-in works after a revocation")
        func signInAfterRevocation() throws {
            deployment.cli("HINCRBY", accountKey, "revocation", "1")
            let again = try authenticator.in(project).signIn("+16505550170")
            #expect(again.uid == signedIn.uid)
            #expect(authenticator.in(project).refresh(again.refreshToken) == .refreshed(uid: signedIn.uid))
            #expect(refresh() == .revoked)
        }

        @Test("each use restarts the token's idle time of 400 days")
        func idleLife() throws {
            let idleLife: Int64 = 400 * 86_400_000
            func timeToLive() throws -> Int64 { try #require(Int64(deployment.cli("PTTL", tokenKey))) }
            #expect(try (idleLife - 60_000...idleLife).contains(timeToLive()))
            deployment.cli("PEXPIRE", tokenKey, "100000")
            #expect(try timeToLive() <= 100_000)
            #expect(refresh() == .refreshed(uid: signedIn.uid))
            #expect(try (idleLife - 60_000...idleLife).contains(timeToLive()))
        }

        @Test("an unused token expires at the end of its idle time")
        func idleEnd() throws {
            deployment.cli("PEXPIRE", tokenKey, "1")
            #expect(try becomes("0") { deployment.cli("EXISTS", tokenKey) })
            #expect(refresh() == .unknown)
        }

        @Test("a refused use does not extend the token's lifetime")
        func refusedUse() throws {
            deployment.cli("PEXPIRE", tokenKey, "100000")
            deployment.cli("HSET", accountKey, "disabled", "1")
            #expect(refresh() == .disabled)
            #expect(try #require(Int64(deployment.cli("PTTL", tokenKey))) <= 100_000)
        }
    }
}
