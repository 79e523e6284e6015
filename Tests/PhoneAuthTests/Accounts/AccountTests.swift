import Encodings
import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// Operations of users on their own accounts.
    @Suite struct AccountTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550165"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        private func update(
            _ idToken: String,
            _ change: (inout UpdateAccountRequest) -> Void
        ) throws(UpdateAccountRefusal) -> UpdatedAccount {
            var request = UpdateAccountRequest(idToken: idToken)
            change(&request)
            return try authenticator.in(project).updateAccount(request)
        }

        private func refusal(_ idToken: String, _ change: (inout UpdateAccountRequest) -> Void) -> UpdateAccountRefusal?
        {
            do {
                _ = try update(idToken, change)
                return nil
            } catch {
                return error
            }
        }

        @Test("name and picture can be set, kept, replaced and removed, and appear in the next ID token")
        func profile() throws {
            let user = try authenticator.in(project).signIn(number)
            let set = try update(user.idToken) {
                $0.displayName = .set("Ada \"L\"\u{1F469}")
                $0.photoURL = .set("https://example.com/a.png")
            }
            #expect(set.tokens == nil)
            let kept = try update(user.idToken) { $0.displayName = .set("Ada") }.account
            #expect(kept.displayName == "Ada" && kept.photoURL == "https://example.com/a.png")
            let claims = try Claims(try authenticator.in(project).exchangeRefreshToken(user.refreshToken).idToken)
            #expect(claims.payload["name"] == .string("Ada"))
            #expect(claims.payload["picture"] == .string("https://example.com/a.png"))
            let removed = try update(user.idToken) {
                $0.displayName = .removed
                $0.photoURL = .removed
            }
            #expect(removed.account.displayName == nil && removed.account.photoURL == nil)
            #expect(removed.account.phoneNumber == number)
        }

        @Test("values too long for a token are rejected without any change")
        func sizes() throws {
            let user = try authenticator.in(project).signIn(number)
            let long = String(repeating: "é", count: 256)
            #expect(try update(user.idToken) { $0.displayName = .set(long) }.account.displayName == long)
            let url = "https://example.com/" + String(repeating: "a", count: 2028)
            #expect(try update(user.idToken) { $0.photoURL = .set(url) }.account.photoURL == url)
            guard case .displayNameTooLong = refusal(user.idToken, { $0.displayName = .set(long + "é") }),
                case .photoURLTooLong = refusal(user.idToken, { $0.photoURL = .set(url + "a") })
            else {
                Issue.record("it was taken")
                return
            }
            let refreshed = try authenticator.in(project).exchangeRefreshToken(user.refreshToken)
            #expect(authenticator.in(project).look(up: refreshed.idToken) == .found(uid: user.uid))
        }

        @Test("an unlinked number is free, tokens stay valid, and unlinking needs a recent sign-in")
        func unlink() throws {
            let user = try authenticator.in(project).signIn(number)
            deployment.clock.advance(by: .seconds(301))
            guard case .notAuthenticated(.signInTooOld) = refusal(user.idToken, { $0.removesPhoneNumber = true }) else {
                Issue.record("it was taken")
                return
            }
            let recent = try authenticator.in(project).signIn(number)
            #expect(try update(recent.idToken) { $0.removesPhoneNumber = true }.account.phoneNumber == nil)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .refreshed(uid: user.uid))
            #expect(deployment.keyNames(matching: "*:phone:*") == [])
            let other = try authenticator.in(project).signIn(number)
            #expect(other.isNewUser && other.uid != user.uid)
            // Without a number there is nothing to unlink.
            deployment.clock.advance(by: .seconds(301))
            #expect(try update(user.idToken) { $0.removesPhoneNumber = true }.account.phoneNumber == nil)
        }

        @Test("a revocation ends all tokens except the new ones, which keep auth_time and provider")
        func revocation() throws {
            let user = try authenticator.in(project).signIn(number)
            let signInTime = deployment.clock.now.seconds
            deployment.clock.advance(by: .seconds(100))
            let tokens = try #require(try update(user.idToken) { $0.revokesTokens = true }.tokens)
            #expect(authenticator.in(project).look(up: user.idToken) == .revoked)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .revoked)
            #expect(authenticator.in(project).look(up: tokens.idToken) == .found(uid: user.uid))
            #expect(authenticator.in(project).refresh(tokens.refreshToken) == .refreshed(uid: user.uid))
            let claims = try Claims(tokens.idToken)
            #expect(claims.number("auth_time") == signInTime)
            #expect(claims.number("iat") == signInTime + 100)
            #expect(
                try authenticator.in(project).lookUpAccount(idToken: tokens.idToken).lastLoginAt?.seconds == signInTime
            )
        }

        @Test("every change rejects an invalid ID token with the same error")
        func notAuthenticated() throws {
            let user = try authenticator.in(project).signIn(number)
            let key = try #require(deployment.accountKey(of: user.uid))
            func outcome(_ token: String) -> [LookupOutcome?] {
                var updating: LookupOutcome?
                if case .notAuthenticated(let error) = refusal(token, { $0.displayName = .set("x") }) {
                    updating = LookupOutcome(error)
                }
                var deleting: LookupOutcome?
                do {
                    try authenticator.in(project, request: "x").deleteAccount(idToken: token)
                } catch {
                    if case .notAuthenticated(let error) = error { deleting = LookupOutcome(error) }
                }
                return [updating, deleting]
            }
            #expect(outcome("junk") == [.invalid, .invalid])
            deployment.cli("HSET", key, "disabled", "1")
            #expect(outcome(user.idToken) == [.disabled, .disabled])
            deployment.cli("HSET", key, "disabled", "0", "revocation", "1")
            #expect(outcome(user.idToken) == [.revoked, .revoked])
            deployment.cli("DEL", key)
            #expect(outcome(user.idToken) == [.noAccount, .noAccount])
            #expect(deployment.keyNames(matching: "*:user:*") == [], "a change makes no account")
        }

        @Test("a deleted account leaves no number, token or data, and a repeated request gets the same response")
        func deletion() throws {
            let user = try authenticator.in(project).signIn(number)
            _ = try update(user.idToken) { $0.displayName = .set("Ada") }
            for _ in 0..<2 { try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken) }
            #expect(deployment.keyNames(matching: "*:phone:*") + deployment.keyNames(matching: "*:user*") == [])
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "e").deleteAccount(idToken: user.idToken)
            }
            #expect(authenticator.in(project).look(up: user.idToken) == .noAccount)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .noAccount)
        }

        @Test("deletion requires a sign-in within the last five minutes")
        func recentSignIn() throws {
            let user = try authenticator.in(project).signIn(number)
            deployment.clock.advance(by: .seconds(301))
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "d").deleteAccount(idToken: user.idToken)
            }
            let refreshed = try authenticator.in(project).exchangeRefreshToken(user.refreshToken)
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.in(project, request: "d").deleteAccount(idToken: refreshed.idToken)
            }
            #expect(authenticator.in(project).look(up: refreshed.idToken) == .found(uid: user.uid))
        }

        @Test("an anonymous account has no number, and its tokens mark it as anonymous")
        func anonymous() throws {
            let tokens = try authenticator.in(project).signUpAnonymously()
            #expect(tokens.isNewUser)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(tokens.refreshToken)
            for token in [tokens.idToken, refreshed.idToken] {
                let claims = try Claims(token)
                #expect(claims.payload["provider_id"] == .string("anonymous"))
                let firebase = JSONObject(members: [
                    ("identities", .object(JSONObject())), ("sign_in_provider", .string("anonymous")),
                ])
                #expect(claims.protocolsFirebase == .object(firebase))
                #expect(claims.payload["phone_number"] == nil)
            }
            #expect(authenticator.in(project).look(up: tokens.idToken) == .found(uid: tokens.account.uid))
            #expect(throws: SignUpRefusal.self) { try authenticator.in(deployment.project).signUpAnonymously() }
        }

        @Test("tokens contain custom claims beside the server's own, which custom claims cannot replace")
        func customClaims() throws {
            let user = try authenticator.in(project).signIn(number)
            let key = try #require(deployment.accountKey(of: user.uid))
            _ = try update(user.idToken) { $0.displayName = .set("Ada") }
            let text = """
                {"role":"admin","level":[1,2.50],"role":"owner","name":"Other","sub":"x","firebase":{},"phone_number":"+1",\
                "user_id":"x","exp":9999999999,"email_verified":true,"provider_id":"anonymous"}
                """
            deployment.cli("HSET", key, "custom-attributes", text)
            let idToken = try authenticator.in(project).exchangeRefreshToken(user.refreshToken).idToken
            let claims = try Claims(idToken)
            #expect(claims.payload["role"] == .string("owner"))
            #expect(claims.payload["level"] == .array([.number("1"), .number("2.50")]))
            #expect(claims.payload["name"] == .string("Other"))
            #expect(claims.payload["sub"] == .string(user.uid))
            #expect(claims.payload["phone_number"] == .string(number))
            #expect(claims.payload["email_verified"] == nil && claims.payload["provider_id"] == nil)
            let names = claims.payload.members.map(\.name)
            #expect(names.count == Set(names).count)
            #expect(try authenticator.in(project).lookUpAccount(idToken: idToken).customClaims?.text == text)
        }

        @Test("custom claims are an object of at most 1000 bytes without reserved names")
        func customClaimRules() throws {
            #expect(try CustomClaims(#"{"a":{"sub":1}}"#).text == #"{"a":{"sub":1}}"#)
            let longest = "{\"a\":\"\(String(repeating: "x", count: 992))\"}"
            #expect(try CustomClaims(longest).text.utf8.count == 1000)
            #expect(throws: CustomClaimsError.tooLarge) { try CustomClaims(longest + " ") }
            for text in ["", "[]", "1", "{", "{}x", "null"] {
                #expect(throws: CustomClaimsError.malformed) { try CustomClaims(text) }
            }
            for name in ["sub", "firebase", "aud", "nonce", "c_hash"] {
                #expect(throws: CustomClaimsError.reserved(name)) { try CustomClaims("{\"x\":1,\"\(name)\":1}") }
            }
        }
    }
}
