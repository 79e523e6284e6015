import PhoneAuth
import RedisStore
import Testing

extension PhoneAuthTests {
    @Suite struct RefreshTokenTests {
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
            signedIn = try authenticator.signIn("+16505550170", in: project)
            accountKey = try #require(deployment.keyNames(matching: "*:user:*").first)
            tokenKey = try #require(deployment.keyNames(matching: "*:refresh:*").first)
        }

        private func refresh(in other: Project? = nil) -> RefreshOutcome {
            authenticator.refresh(signedIn.refreshToken, in: other ?? project)
        }

        @Test("a refresh token gets new ID tokens of its account, again and again")
        func refreshes() throws {
            for _ in 0..<3 {
                deployment.clock.advance(by: .seconds(3600))
                let refreshed = try authenticator.exchangeRefreshToken(signedIn.refreshToken, in: project)
                #expect(refreshed.uid == signedIn.uid)
                #expect(refreshed.refreshToken == signedIn.refreshToken)
                #expect(authenticator.look(up: refreshed.idToken, in: project) == .found(uid: signedIn.uid))
            }
        }

        @Test("the time of the sign-in stays, the times of issue and expiry are new")
        func authTime() throws {
            let signInTime = deployment.clock.now.seconds
            deployment.clock.advance(by: .seconds(5000))
            let refreshed = try authenticator.exchangeRefreshToken(signedIn.refreshToken, in: project)
            let claims = try Claims(refreshed.idToken)
            #expect(claims.number("auth_time") == signInTime)
            #expect(claims.number("iat") == signInTime + 5000)
            #expect(claims.number("exp") == signInTime + 8600)
        }

        @Test("text that is not a refresh token's is malformed; a token that no session has is unknown or revoked")
        func unknown() {
            let token = signedIn.refreshToken
            for text in ["", "x", "AAAA", String(token.dropLast()), token + "A", "B" + token.dropFirst()] {
                #expect(authenticator.refresh(text, in: project) == .malformed)
            }
            let last = token.hasSuffix("A") ? "Q" : "A"
            // A shard that the deployment does not have.
            #expect(authenticator.refresh(token.prefix(2) + "__" + token.dropFirst(4), in: project) == .unknown)
            // Another secret for a session that exists.
            #expect(authenticator.refresh(String(token.dropLast(2)) + "A" + last, in: project) == .revoked)
            #expect(refresh() == .refreshed(uid: signedIn.uid))
        }

        @Test("another project does not know the token")
        func otherProject() {
            #expect(refresh(in: Project(id: "other-app", authorizedDomains: [])) == .unknown)
        }

        @Test("a disabled account gets no token, and gets them again when it is enabled")
        func disabled() {
            deployment.cli("HSET", accountKey, "disabled", "1")
            #expect(refresh() == .disabled)
            #expect(authenticator.look(up: signedIn.idToken, in: project) == .disabled)
            deployment.cli("HSET", accountKey, "disabled", "0")
            #expect(refresh() == .refreshed(uid: signedIn.uid))
        }

        @Test("a disabled account cannot sign in, but its code was used up")
        func disabledSignIn() throws {
            deployment.cli("HSET", accountKey, "disabled", "1")
            let tokens = deployment.keyNames(matching: "*:refresh:*")
            let session = try authenticator.session(for: "+16505550170", in: project)
            let code = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project) == .disabled)
            #expect(authenticator.answer(session, code, request: "2", in: project) == .used)
            #expect(deployment.keyNames(matching: "*:refresh:*") == tokens)
        }

        @Test("a deleted account gets no token")
        func deleted() throws {
            try authenticator.deleteAllAccounts(of: project)
            #expect(refresh() == .noAccount)
            #expect(authenticator.look(up: signedIn.idToken, in: project) == .noAccount)
            // The number is free for a new account.
            let again = try authenticator.signIn("+16505550170", in: project)
            #expect(again.isNewUser)
            #expect(again.uid != signedIn.uid)
            #expect(refresh() == .noAccount)
        }

        @Test("valid-since revokes tokens that are older by more than clocks may differ: the counter does the rest")
        func revoked() {
            let seconds = deployment.clock.now.seconds
            deployment.cli("HSET", accountKey, "valid-since", String(seconds + 30))
            #expect(refresh() == .refreshed(uid: signedIn.uid))
            #expect(authenticator.look(up: signedIn.idToken, in: project) == .found(uid: signedIn.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(seconds + 31))
            #expect(refresh() == .revoked)
            #expect(authenticator.look(up: signedIn.idToken, in: project) == .revoked)
        }

        @Test("after a revocation a new sign-in is good")
        func signInAfterRevocation() throws {
            deployment.cli("HINCRBY", accountKey, "revocation", "1")
            let again = try authenticator.signIn("+16505550170", in: project)
            #expect(again.uid == signedIn.uid)
            #expect(authenticator.refresh(again.refreshToken, in: project) == .refreshed(uid: signedIn.uid))
            #expect(refresh() == .revoked)
        }

        @Test("each use starts the token's idle life of 400 days anew")
        func idleLife() throws {
            let idleLife: Int64 = 400 * 86_400_000
            func timeToLive() throws -> Int64 { try #require(Int64(deployment.cli("PTTL", tokenKey))) }
            #expect(try (idleLife - 60_000...idleLife).contains(timeToLive()))
            deployment.cli("PEXPIRE", tokenKey, "100000")
            #expect(try timeToLive() <= 100_000)
            #expect(refresh() == .refreshed(uid: signedIn.uid))
            #expect(try (idleLife - 60_000...idleLife).contains(timeToLive()))
        }

        @Test("an unused token's end is its end")
        func idleEnd() throws {
            deployment.cli("PEXPIRE", tokenKey, "1")
            #expect(try becomes("0") { deployment.cli("EXISTS", tokenKey) })
            #expect(refresh() == .unknown)
        }

        @Test("a refused use does not lengthen the token's life")
        func refusedUse() throws {
            deployment.cli("PEXPIRE", tokenKey, "100000")
            deployment.cli("HSET", accountKey, "disabled", "1")
            #expect(refresh() == .disabled)
            #expect(try #require(Int64(deployment.cli("PTTL", tokenKey))) <= 100_000)
        }
    }
}
