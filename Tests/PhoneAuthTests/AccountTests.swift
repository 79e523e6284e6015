import Encodings
import PhoneAuth
import Testing

extension PhoneAuthTests {
    /// What users do to their own accounts.
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
            return try authenticator.updateAccount(request, in: project)
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

        @Test("name and picture are set, kept, replaced and removed, and the next ID token tells them")
        func profile() throws {
            let user = try authenticator.signIn(number, in: project)
            let set = try update(user.idToken) {
                $0.displayName = .set("Ada \"L\"\u{1F469}")
                $0.photoURL = .set("https://example.com/a.png")
            }
            #expect(set.tokens == nil)
            let kept = try update(user.idToken) { $0.displayName = .set("Ada") }.account
            #expect(kept.displayName == "Ada" && kept.photoURL == "https://example.com/a.png")
            let claims = try Claims(try authenticator.exchangeRefreshToken(user.refreshToken, in: project).idToken)
            #expect(claims.payload["name"] == .string("Ada"))
            #expect(claims.payload["picture"] == .string("https://example.com/a.png"))
            let removed = try update(user.idToken) {
                $0.displayName = .removed
                $0.photoURL = .removed
            }
            #expect(removed.account.displayName == nil && removed.account.photoURL == nil)
            #expect(removed.account.phoneNumber == number)
        }

        @Test("what is too long for a token is refused, and changes nothing")
        func sizes() throws {
            let user = try authenticator.signIn(number, in: project)
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
            let refreshed = try authenticator.exchangeRefreshToken(user.refreshToken, in: project)
            #expect(authenticator.look(up: refreshed.idToken, in: project) == .found(uid: user.uid))
        }

        @Test("a number that the account gives up is free, its tokens stay good, and both need a recent sign-in")
        func unlink() throws {
            let user = try authenticator.signIn(number, in: project)
            deployment.clock.advance(by: .seconds(301))
            guard case .notAuthenticated(.signInTooOld) = refusal(user.idToken, { $0.removesPhoneNumber = true }) else {
                Issue.record("it was taken")
                return
            }
            let recent = try authenticator.signIn(number, in: project)
            #expect(try update(recent.idToken) { $0.removesPhoneNumber = true }.account.phoneNumber == nil)
            #expect(authenticator.refresh(user.refreshToken, in: project) == .refreshed(uid: user.uid))
            #expect(deployment.keyNames(matching: "*:phone:*") == [])
            let other = try authenticator.signIn(number, in: project)
            #expect(other.isNewUser && other.uid != user.uid)
            // Without a number there is nothing to give up.
            deployment.clock.advance(by: .seconds(301))
            #expect(try update(user.idToken) { $0.removesPhoneNumber = true }.account.phoneNumber == nil)
        }

        @Test("a revocation ends all tokens but the new ones, which keep the time and the way of the sign-in")
        func revocation() throws {
            let user = try authenticator.signIn(number, in: project)
            let signInTime = deployment.clock.now.seconds
            deployment.clock.advance(by: .seconds(100))
            let tokens = try #require(try update(user.idToken) { $0.revokesTokens = true }.tokens)
            #expect(authenticator.look(up: user.idToken, in: project) == .revoked)
            #expect(authenticator.refresh(user.refreshToken, in: project) == .revoked)
            #expect(authenticator.look(up: tokens.idToken, in: project) == .found(uid: user.uid))
            #expect(authenticator.refresh(tokens.refreshToken, in: project) == .refreshed(uid: user.uid))
            let claims = try Claims(tokens.idToken)
            #expect(claims.number("auth_time") == signInTime)
            #expect(claims.number("iat") == signInTime + 100)
            #expect(
                try authenticator.lookUpAccount(idToken: tokens.idToken, in: project).lastLoginAt?.seconds == signInTime
            )
        }

        @Test("every change asks who it is, in the same words")
        func notAuthenticated() throws {
            let user = try authenticator.signIn(number, in: project)
            let key = try #require(deployment.accountKey(of: user.uid))
            func outcome(_ token: String) -> [LookupOutcome?] {
                var updating: LookupOutcome?
                if case .notAuthenticated(let error) = refusal(token, { $0.displayName = .set("x") }) {
                    updating = LookupOutcome(error)
                }
                var deleting: LookupOutcome?
                do {
                    try authenticator.deleteAccount(idToken: token, requestID: "x", in: project)
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

        @Test("a deleted account leaves no number, no token and no data; a repeated request is told the same")
        func deletion() throws {
            let user = try authenticator.signIn(number, in: project)
            _ = try update(user.idToken) { $0.displayName = .set("Ada") }
            for _ in 0..<2 { try authenticator.deleteAccount(idToken: user.idToken, requestID: "d", in: project) }
            #expect(deployment.keyNames(matching: "*:phone:*") + deployment.keyNames(matching: "*:user*") == [])
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.deleteAccount(idToken: user.idToken, requestID: "e", in: project)
            }
            #expect(authenticator.look(up: user.idToken, in: project) == .noAccount)
            #expect(authenticator.refresh(user.refreshToken, in: project) == .noAccount)
        }

        @Test("deleting takes a sign-in of the last five minutes")
        func recentSignIn() throws {
            let user = try authenticator.signIn(number, in: project)
            deployment.clock.advance(by: .seconds(301))
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.deleteAccount(idToken: user.idToken, requestID: "d", in: project)
            }
            let refreshed = try authenticator.exchangeRefreshToken(user.refreshToken, in: project)
            #expect(throws: DeleteAccountRefusal.self) {
                try authenticator.deleteAccount(idToken: refreshed.idToken, requestID: "d", in: project)
            }
            #expect(authenticator.look(up: refreshed.idToken, in: project) == .found(uid: user.uid))
        }

        @Test("an anonymous account has tokens that say so, for ever, and no number")
        func anonymous() throws {
            let tokens = try authenticator.signUpAnonymously(in: project)
            #expect(tokens.isNewUser)
            let refreshed = try authenticator.exchangeRefreshToken(tokens.refreshToken, in: project)
            for token in [tokens.idToken, refreshed.idToken] {
                let claims = try Claims(token)
                #expect(claims.payload["provider_id"] == .string("anonymous"))
                let firebase = JSONObject(members: [
                    ("identities", .object(JSONObject())), ("sign_in_provider", .string("anonymous")),
                ])
                #expect(claims.protocolsFirebase == .object(firebase))
                #expect(claims.payload["phone_number"] == nil)
            }
            #expect(authenticator.look(up: tokens.idToken, in: project) == .found(uid: tokens.account.uid))
            #expect(throws: SignUpRefusal.self) { try authenticator.signUpAnonymously(in: deployment.project) }
        }

        @Test("custom claims stand in tokens beside ours, and never in their place")
        func customClaims() throws {
            let user = try authenticator.signIn(number, in: project)
            let key = try #require(deployment.accountKey(of: user.uid))
            _ = try update(user.idToken) { $0.displayName = .set("Ada") }
            let text = """
                {"role":"admin","level":[1,2.50],"role":"owner","name":"Other","sub":"x","firebase":{},"phone_number":"+1",\
                "user_id":"x","exp":9999999999,"email_verified":true,"provider_id":"anonymous"}
                """
            deployment.cli("HSET", key, "custom-attributes", text)
            let idToken = try authenticator.exchangeRefreshToken(user.refreshToken, in: project).idToken
            let claims = try Claims(idToken)
            #expect(claims.payload["role"] == .string("owner"))
            #expect(claims.payload["level"] == .array([.number("1"), .number("2.50")]))
            #expect(claims.payload["name"] == .string("Other"))
            #expect(claims.payload["sub"] == .string(user.uid))
            #expect(claims.payload["phone_number"] == .string(number))
            #expect(claims.payload["email_verified"] == nil && claims.payload["provider_id"] == nil)
            let names = claims.payload.members.map(\.name)
            #expect(names.count == Set(names).count)
            #expect(try authenticator.lookUpAccount(idToken: idToken, in: project).customClaims?.text == text)
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
