import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    /// Continued sessions: the refresh tokens that stay valid after links.
    @Suite struct ContinuedSessionTests {
        private static let grace: Duration = .seconds(60)

        let deployment: Deployment
        let project: Project

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        private func authenticator(rotatesTokens: Bool = false) -> Authenticator {
            deployment.authenticator { $0.rotatesRefreshTokens = rotatesTokens }
        }

        /// Links numbers to an account, one after the other, and returns the refresh token of each response.
        private func link(_ numbers: Range<Int>, to idToken: String, by authenticator: Authenticator) throws -> [String]
        {
            try numbers.map { index in
                let request = try authenticator.in(project).answered(fictionalNumber(index), idToken: idToken)
                return try authenticator.in(project).signInWithPhoneNumber(request).refreshToken
            }
        }

        @Test(
            "a client that receives no response to four links in a row keeps its refresh token",
            arguments: [false, true]
        )
        func lostResponses(rotatesTokens: Bool) throws {
            let authenticator = authenticator(rotatesTokens: rotatesTokens)
            let user = try authenticator.in(project).signUpAnonymously()
            _ = try link(0..<4, to: user.idToken, by: authenticator)
            deployment.clock.advance(by: Self.grace)
            let token = try authenticator.in(project).exchangeRefreshToken(user.refreshToken).refreshToken
            #expect((token != user.refreshToken) == rotatesTokens)
            // The token in use is not the first to be dropped.
            _ = try link(4..<8, to: user.idToken, by: authenticator)
            #expect(authenticator.in(project).refresh(token) == .refreshed(uid: user.account.uid))
        }

        @Test("a session keeps its latest four former refresh tokens in a compact record")
        func bound() throws {
            let authenticator = authenticator(rotatesTokens: true)
            let user = try authenticator.in(project).signUpAnonymously()
            let tokens = try link(0..<5, to: user.idToken, by: authenticator)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .revoked)
            for token in tokens {
                #expect(authenticator.in(project).refresh(token) == .refreshed(uid: user.account.uid))
            }
            let key = try #require(deployment.keyNames(matching: "*:session:*").first)
            #expect(deployment.cli("OBJECT", "ENCODING", key) == "listpack")
        }

        @Test("without rotation, all refresh tokens of a session stay valid, so several tabs can use it")
        func tabs() throws {
            let authenticator = authenticator()
            let user = try authenticator.in(project).signUpAnonymously()
            let tokens = [user.refreshToken] + (try link(0..<3, to: user.idToken, by: authenticator))
            for token in tokens + tokens.reversed() {
                deployment.clock.advance(by: Self.grace)
                let refreshed = try authenticator.in(project).exchangeRefreshToken(token)
                #expect(refreshed.refreshToken == token && refreshed.uid == user.account.uid)
            }
        }

        @Test("a revocation ends all refresh tokens of a session except the one that it issues")
        func revocation() throws {
            let authenticator = authenticator()
            let user = try authenticator.in(project).signUpAnonymously()
            let tokens = [user.refreshToken] + (try link(0..<3, to: user.idToken, by: authenticator))
            var request = UpdateAccountRequest(idToken: user.idToken)
            request.revokesTokens = true
            let renewed = try #require(try authenticator.in(project).updateAccount(request).tokens)
            for token in tokens { #expect(authenticator.in(project).refresh(token) == .revoked) }
            #expect(authenticator.in(project).refresh(renewed.refreshToken) == .refreshed(uid: user.account.uid))
        }

        @Test("with rotation, the token from before a link counts as reused once the later one is in use")
        func copiedBeforeLink() throws {
            let authenticator = authenticator(rotatesTokens: true)
            let user = try authenticator.in(project).signUpAnonymously()
            let linked = try link(0..<1, to: user.idToken, by: authenticator)[0]
            let next = try authenticator.in(project).exchangeRefreshToken(linked).refreshToken
            // Both tokens were in use at the same time.
            #expect(authenticator.in(project).refresh(user.refreshToken) == .refreshed(uid: user.account.uid))
            let latest = try authenticator.in(project).exchangeRefreshToken(next).refreshToken
            #expect(authenticator.in(project).refresh(user.refreshToken) == .reused)
            for token in [user.refreshToken, linked, latest] {
                #expect(authenticator.in(project).refresh(token) == .revoked)
            }
        }

        @Test("with rotation, the grace period of the token from before a link starts at the later one's first use")
        func graceAfterLink() throws {
            let authenticator = authenticator(rotatesTokens: true)
            let user = try authenticator.in(project).signUpAnonymously()
            let linked = try link(0..<1, to: user.idToken, by: authenticator)[0]
            deployment.clock.advance(by: .seconds(86_400))
            _ = try authenticator.in(project).exchangeRefreshToken(linked)
            deployment.clock.advance(by: Self.grace)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .reused)
        }
    }
}
