import Cryptography
import Encodings
import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Tokens and accounts of the previous version, whose sessions had no ids and whose accounts had no revocation
    /// counters.
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
            user = try authenticator.in(project).signUp("ada@example.com")
            accountKey = try #require(deployment.accountKey(of: user.account.uid))
            deployment.cli("HDEL", accountKey, "revocation")
        }

        /// Returns the ID token as the previous version would have issued it.
        private func earlier(_ idToken: String) throws -> String {
            let claims = try Claims(idToken)
            let firebase = try #require(claims.protocolsFirebase)
            let payload = JSONWriter.object { json in
                for (name, value) in claims.payload.members { json.member(name, name == "firebase" ? firebase : value) }
            }
            return try deployment.keys.signingKey(at: deployment.clock.now).sign(payload)
        }

        /// Stores the session as the previous version would have, and returns its refresh token.
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

        private func look(up idToken: String) -> LookupOutcome { authenticator.in(project).look(up: idToken) }

        private func revoke(_ uid: String? = nil) throws {
            var change = AccountChange()
            change.validSince = deployment.clock.now.seconds
            _ = try authenticator.in(project).changeAccount(uid: uid ?? user.account.uid, change)
        }

        @Test("the previous version's ID token stays valid until it expires or the account's tokens are revoked")
        func idToken() throws {
            let token = try earlier(user.idToken)
            #expect(look(up: token) == .found(uid: user.account.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(deployment.clock.now.seconds))
            #expect(look(up: token) == .found(uid: user.account.uid))
            deployment.cli("HSET", accountKey, "valid-since", String(deployment.clock.now.seconds + 1))
            #expect(look(up: token) == .revoked)
            deployment.cli("HDEL", accountKey, "valid-since")
            // A revocation in the same second.
            try revoke()
            #expect(look(up: token) == .revoked)
            var update = UpdateAccountRequest(idToken: token)
            update.displayName = .set("Eve")
            #expect(throws: UpdateAccountRefusal.self) { try authenticator.in(project).updateAccount(update) }
        }

        @Test("the previous version's ID token can change its account once and starts a session of this version")
        func change() throws {
            let token = try earlier(user.idToken)
            let changed = try #require(try authenticator.in(project).change(token, password: "another one").tokens)
            #expect(try Claims(changed.idToken).number("auth_time") == Claims(user.idToken).number("auth_time"))
            #expect(look(up: changed.idToken) == .found(uid: user.account.uid))
            #expect(look(up: token) == .revoked)
            #expect(throws: UpdateAccountRefusal.self) {
                try authenticator.in(project).change(token, password: "a third one")
            }
            #expect(authenticator.in(project).refresh(changed.refreshToken) == .refreshed(uid: user.account.uid))
        }

        @Test("an account with a revocation counter rejects tokens without one")
        func counted() throws {
            let new = try authenticator.in(project).signUp("eve@example.com", request: "second")
            let token = try earlier(new.idToken)
            #expect(look(up: new.idToken) == .found(uid: new.account.uid))
            #expect(look(up: token) == .revoked)
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "d").deleteAccount(idToken: token)
            }
        }

        @Test("the previous version's refresh token is valid, is listed, and ends with a revocation")
        func refreshToken() throws {
            let (refreshToken, id) = try earlierSession()
            #expect(authenticator.in(project).refresh(user.refreshToken) == .unknown)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(refreshToken)
            #expect(look(up: refreshed.idToken) == .found(uid: user.account.uid))
            #expect(try authenticator.in(project).userSessions(idToken: refreshed.idToken).map(\.id) == [id])
            #expect(try authenticator.in(project).userSessions(idToken: refreshed.idToken)[0].isCurrent)
            try revoke()
            #expect(authenticator.in(project).refresh(refreshToken) == .revoked)
            #expect(look(up: refreshed.idToken) == .revoked)
            #expect(try authenticator.in(project).userSessions(uid: user.account.uid).isEmpty)
        }

        @Test("the previous version's session can be ended by its id")
        func ended() throws {
            let (refreshToken, id) = try earlierSession()
            let refreshed = try authenticator.in(project).exchangeRefreshToken(refreshToken)
            try authenticator.in(project).endUserSession(id, idToken: refreshed.idToken)
            #expect(look(up: refreshed.idToken) == .revoked)
            #expect(authenticator.in(project).refresh(refreshToken) == .unknown)
        }

        @Test("only a repeated request may use the token that it has itself revoked")
        func repeated() throws {
            let user = try authenticator.in(project).signUp("eve@example.com", request: "second")
            let accountKey = try #require(deployment.accountKey(of: user.account.uid))
            var repeated = authenticator.working(
                for: Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.1")
            )
            let first = try repeated.in(project).change(user.idToken, password: "another one")
            let revocation = deployment.cli("HGET", accountKey, "revocation")
            let second = try #require(
                try repeated.in(project).change(user.idToken, password: "another one").tokens
            )
            #expect(deployment.cli("HGET", accountKey, "revocation") == revocation)
            #expect(first.tokens != nil && look(up: second.idToken) == .found(uid: user.account.uid))
            #expect(authenticator.in(project).refresh(second.refreshToken) == .refreshed(uid: user.account.uid))
            repeated = authenticator.working(
                for: Requester(actor: .user, requestID: "another", clientAddress: "192.0.2.1")
            )
            #expect(throws: UpdateAccountRefusal.self) {
                try repeated.in(project).change(user.idToken, password: "a third one")
            }
            // The repeated request cannot use it after the next revocation.
            try revoke(user.account.uid)
            repeated = authenticator.working(
                for: Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.1")
            )
            #expect(throws: UpdateAccountRefusal.self) {
                try repeated.in(project).change(user.idToken, password: "another one")
            }
        }
    }
}
