import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct UpdateAccountTests {
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
            try authenticator.in(project).updateAccount(of: idToken, change)
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
                try authenticator.in(project).lookUpAccount(idToken: tokens.idToken).account.lastLoginAt?.seconds
                    == signInTime
            )
        }

        @Test("a number that was unlinked but not released is free")
        func halfUnlinked() throws {
            let user = try authenticator.in(project).signIn(number)
            let account = AccountIdentity(project: project.id, uid: user.uid, among: authenticator.store.shards)
            _ = try authenticator.store.updateAccount(account, AccountUpdate(removesNumber: true), audit: nil)
            #expect(try authenticator.in(project).accounts()[user.uid]?.phoneNumber == nil)
            let other = try authenticator.in(project).signIn(number)
            #expect(other.isNewUser && other.uid != user.uid)
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
