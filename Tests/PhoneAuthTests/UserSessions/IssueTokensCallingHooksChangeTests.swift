import Encodings
import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Changes that hooks make.
    @Suite struct IssueTokensCallingHooksChangeTests: HookedSignInSuite {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550181"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withHooks(hooks)
        }

        @Test("a hook's changes are in the account and the ID token", arguments: BlockingHookEvent.ofSignIns)
        func changes(event: BlockingHookEvent) throws {
            hooks.answer { question in
                guard question.event == event else { return .allowed }
                return .changing(
                    "displayName,photoURL,customClaims,emailVerified",
                    #""displayName":"Ada","photoURL":"https://a.example/p","customClaims":{"role":"admin"},"emailVerified":true"#
                )
            }
            let signedIn = try authenticator.in(project).signIn(number)
            let account = try account()
            #expect(account.displayName == "Ada" && account.photoURL == "https://a.example/p")
            #expect(account.customClaims?.text == #"{"role":"admin"}"#)
            // Without an e-mail address, there is nothing to mark as verified.
            #expect(!account.isEmailVerified)
            let claims = try Claims(signedIn.idToken).payload
            #expect(claims.text("name") == "Ada" && claims.text("role") == "admin")
            let asked = hooks.asked()
            let seen = try #require(asked.last)
            #expect(seen.user.text("display_name") == (event == .beforeCreate ? "Ada" : ""))
            #expect(seen.user.object("custom_claims").text("role") == (event == .beforeCreate ? "admin" : ""))
            hooks.answer { _ in .changing("displayName,customClaims", #""displayName":null"#) }
            _ = try authenticator.in(project).signIn(number)
            let changed = try self.account()
            #expect(changed.displayName == nil && changed.customClaims == nil)
        }

        @Test("session claims belong to the session and survive its refreshes")
        func sessionClaims() throws {
            hooks.answer { question in
                guard question.event == .beforeSignIn else {
                    return .changing("customClaims", #""customClaims":{"a":1}"#)
                }
                return .changing("sessionClaims", #""sessionClaims":{"device":"one"}"#)
            }
            let first = try authenticator.in(project).signIn(number)
            hooks.answer { _ in .allowed }
            let second = try authenticator.in(project).signIn(number)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(first.refreshToken)
            let other = try authenticator.in(project).exchangeRefreshToken(second.refreshToken)
            for (token, device) in [
                (first.idToken, "one"), (refreshed.idToken, "one"), (second.idToken, ""), (other.idToken, ""),
            ] {
                let claims = try Claims(token)
                #expect(claims.payload.text("device") == device && claims.number("a") == 1)
            }
            #expect(try account().customClaims?.text == #"{"a":1}"#)
        }

        @Test(
            "an account that a hook disables is kept but gets no tokens",
            arguments: BlockingHookEvent.ofSignIns
        )
        func disabled(event: BlockingHookEvent) throws {
            hooks.answer { $0.event == event ? .changing("disabled", #""disabled":true"#) : .allowed }
            #expect(try signIn() == .disabled)
            #expect(
                hooks.asked().map(\.event)
                    == (event == .beforeCreate ? [.beforeCreate] : [.beforeCreate, .beforeSignIn])
            )
            #expect(try account().isDisabled)
            #expect(deployment.keyNames(matching: "*:session:*").isEmpty)
            // No hook is called for a sign-in that fails anyway.
            hooks.answer { _ in .changing("disabled", #""disabled":false"#) }
            #expect(try signIn() == .disabled)
            #expect(hooks.asked().isEmpty)
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
