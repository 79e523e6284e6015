import Cryptography
import Encodings
import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Tokens and accounts of the version before sessions had ids and accounts had revocation counters.
    @Suite struct EarlierTokenTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let user: IssuedTokens
        let accountKey: String

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.projectWithEverything
            user = try authenticator.signUp("ada@example.com", in: project)
            accountKey = try #require(deployment.accountKey(of: user.account.uid))
            deployment.cli("HDEL", accountKey, "revocation")
        }

        /// The ID token as the version before would have issued it.
        private func earlier(_ idToken: String) throws -> String {
            let claims = try Claims(idToken)
            let firebase = try #require(claims.protocolsFirebase)
            let payload = JSONWriter.object { json in
                for (name, value) in claims.payload.members { json.member(name, name == "firebase" ? firebase : value) }
            }
            return try deployment.keys.signingKey(at: deployment.clock.now).sign(payload)
        }

        /// A session as the version before would have stored it, with its refresh token.
        private func earlierSession() throws -> (refreshToken: String, id: String) {
            let bytes = try #require(Base64URL.decode(user.refreshToken.utf8))
            let secret = Array(bytes.suffix(32))
            let id = Base64URL.string(SHA256.hash(secret))
            let key = try #require(deployment.keyNames(matching: "*:refresh:*").first)
            let prefix = key.prefix(through: try #require(key.lastIndex(of: ":")))
            deployment.cli("RENAME", key, prefix + id)
            deployment.cli("HDEL", prefix + id, "secret", "revocation", "client", "network")
            let index = try #require(deployment.keyNames(matching: "*:refreshes:*").first)
            deployment.cli("DEL", index)
            deployment.cli("ZADD", index, String(deployment.clock.now.milliseconds), id)
            return (Base64URL.string([1] + bytes[1..<3] + secret), id)
        }

        private func look(up idToken: String) -> LookupOutcome { authenticator.look(up: idToken, in: project) }

        private func revoke(_ uid: String? = nil) throws {
            var change = AccountChange()
            change.validSince = deployment.clock.now.seconds
            _ = try authenticator.changeAccount(uid: uid ?? user.account.uid, change, in: project)
        }

        @Test("an earlier ID token is good by its time, until the account's tokens are revoked")
        func idToken() throws {
            let token = try earlier(user.idToken)
            #expect(look(up: token) == .found(uid: user.account.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(deployment.clock.now.seconds))
            #expect(look(up: token) == .found(uid: user.account.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(deployment.clock.now.seconds + 1))
            #expect(look(up: token) == .revoked)
            deployment.cli("HDEL", accountKey, "valid-since")
            // Of the same second.
            try revoke()
            #expect(look(up: token) == .revoked)
            var update = UpdateAccountRequest(idToken: token)
            update.displayName = .set("Eve")
            #expect(throws: UpdateAccountRefusal.self) { try authenticator.updateAccount(update, in: project) }
        }

        @Test("an earlier ID token changes its account once, and begins a session of this version")
        func change() throws {
            let token = try earlier(user.idToken)
            let changed = try #require(try authenticator.change(token, password: "another one", in: project).tokens)
            #expect(try Claims(changed.idToken).number("auth_time") == Claims(user.idToken).number("auth_time"))
            #expect(look(up: changed.idToken) == .found(uid: user.account.uid))
            #expect(look(up: token) == .revoked)
            #expect(throws: UpdateAccountRefusal.self) {
                try authenticator.change(token, password: "a third one", in: project)
            }
            #expect(authenticator.refresh(changed.refreshToken, in: project) == .refreshed(uid: user.account.uid))
        }

        @Test("an account that counts accepts no token without a counter")
        func counted() throws {
            let new = try authenticator.signUp("eve@example.com", request: "second", in: project)
            let token = try earlier(new.idToken)
            #expect(look(up: new.idToken) == .found(uid: new.account.uid))
            #expect(look(up: token) == .revoked)
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.deleteAccount(idToken: token, requestID: "d", in: project)
            }
        }

        @Test("an earlier refresh token goes on, is listed, and ends by a revocation of the same second")
        func refreshToken() throws {
            let (refreshToken, id) = try earlierSession()
            #expect(authenticator.refresh(user.refreshToken, in: project) == .unknown)
            let refreshed = try authenticator.exchangeRefreshToken(refreshToken, in: project)
            #expect(look(up: refreshed.idToken) == .found(uid: user.account.uid))
            #expect(try authenticator.userSessions(idToken: refreshed.idToken, in: project).map(\.id) == [id])
            #expect(try authenticator.userSessions(idToken: refreshed.idToken, in: project)[0].isCurrent)
            try revoke()
            #expect(authenticator.refresh(refreshToken, in: project) == .revoked)
            #expect(look(up: refreshed.idToken) == .revoked)
            #expect(try authenticator.userSessions(uid: user.account.uid, in: project).isEmpty)
        }

        @Test("an earlier session ends by its id")
        func ended() throws {
            let (refreshToken, id) = try earlierSession()
            let refreshed = try authenticator.exchangeRefreshToken(refreshToken, in: project)
            try authenticator.endUserSession(id, idToken: refreshed.idToken, in: project)
            #expect(look(up: refreshed.idToken) == .revoked)
            #expect(authenticator.refresh(refreshToken, in: project) == .unknown)
        }

        @Test("a request that is repeated presents the token that it revoked itself, and no other request does")
        func repeated() throws {
            let user = try authenticator.signUp("eve@example.com", request: "second", in: project)
            let accountKey = try #require(deployment.accountKey(of: user.account.uid))
            var repeated = authenticator
            repeated.requester = Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.1")
            let first = try repeated.change(user.idToken, password: "another one", in: project)
            let revocation = deployment.cli("HGET", accountKey, "revocation")
            let second = try #require(
                try repeated.change(user.idToken, password: "another one", in: project).tokens
            )
            #expect(deployment.cli("HGET", accountKey, "revocation") == revocation)
            #expect(first.tokens != nil && look(up: second.idToken) == .found(uid: user.account.uid))
            #expect(authenticator.refresh(second.refreshToken, in: project) == .refreshed(uid: user.account.uid))
            repeated.requester = Requester(actor: .user, requestID: "another", clientAddress: "192.0.2.1")
            #expect(throws: UpdateAccountRefusal.self) {
                try repeated.change(user.idToken, password: "a third one", in: project)
            }
            // Nor does it outlive the next revocation.
            try revoke(user.account.uid)
            repeated.requester = Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.1")
            #expect(throws: UpdateAccountRefusal.self) {
                try repeated.change(user.idToken, password: "another one", in: project)
            }
        }
    }
}
