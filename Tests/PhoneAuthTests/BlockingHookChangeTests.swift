import Encodings
import PhoneNumbers
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// What hooks change.
    @Suite struct BlockingHookChangeTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550181"

        init() throws {
            deployment = try Deployment { policy in
                policy.sendsPerNumberPerHour = 1000
                policy.sendsPerNumberPerDay = 1000
                policy.sendsPerNetworkPerHour = 1000
            }
            authenticator = deployment.authenticator(hooks: hooks)
            project = deployment.project(with: try .example())
        }

        private func signIn() throws -> SignInOutcome {
            authenticator.answer(try authenticator.answered(number, in: project), in: project)
        }

        private func account() throws -> Account {
            try #require(try authenticator.accounts(of: project).values.first { $0.phoneNumber == number })
        }

        @Test("what either hook changes is in the account and in the ID token", arguments: BlockingHookEvent.ofSignIns)
        func changes(event: BlockingHookEvent) throws {
            hooks.answer { question in
                guard question.event == event else { return .allowed }
                return .changing(
                    "displayName,photoURL,customClaims,emailVerified",
                    #""displayName":"Ada","photoURL":"https://a.example/p","customClaims":{"role":"admin"},"emailVerified":true"#
                )
            }
            let signedIn = try authenticator.signIn(number, in: project)
            let account = try account()
            #expect(account.displayName == "Ada" && account.photoURL == "https://a.example/p")
            #expect(account.customClaims?.text == #"{"role":"admin"}"#)
            // Without an address there is nothing to be verified.
            #expect(!account.isEmailVerified)
            let claims = try Claims(signedIn.idToken).payload
            #expect(claims.text("name") == "Ada" && claims.text("role") == "admin")
            let asked = hooks.asked()
            let seen = try #require(asked.last)
            #expect(seen.user.text("display_name") == (event == .beforeCreate ? "Ada" : ""))
            #expect(seen.user.object("custom_claims").text("role") == (event == .beforeCreate ? "admin" : ""))
            hooks.answer { _ in .changing("displayName,customClaims", #""displayName":null"#) }
            _ = try authenticator.signIn(number, in: project)
            let changed = try self.account()
            #expect(changed.displayName == nil && changed.customClaims == nil)
        }

        @Test("session claims are the session's alone, and stay through its refreshes")
        func sessionClaims() throws {
            hooks.answer { question in
                guard question.event == .beforeSignIn else {
                    return .changing("customClaims", #""customClaims":{"a":1}"#)
                }
                return .changing("sessionClaims", #""sessionClaims":{"device":"one"}"#)
            }
            let first = try authenticator.signIn(number, in: project)
            hooks.answer { _ in .allowed }
            let second = try authenticator.signIn(number, in: project)
            let refreshed = try authenticator.exchangeRefreshToken(first.refreshToken, in: project)
            let other = try authenticator.exchangeRefreshToken(second.refreshToken, in: project)
            for (token, device) in [
                (first.idToken, "one"), (refreshed.idToken, "one"), (second.idToken, ""), (other.idToken, ""),
            ] {
                let claims = try Claims(token)
                #expect(claims.payload.text("device") == device && claims.number("a") == 1)
            }
            #expect(try account().customClaims?.text == #"{"a":1}"#)
        }

        @Test(
            "an account that is made disabled, or disabled at its sign-in, is kept so and gets no tokens",
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
            #expect(deployment.keyNames(matching: "*:refresh:*").isEmpty)
            // Nobody is asked about a sign-in that comes to nothing anyway.
            hooks.answer { _ in .changing("disabled", #""disabled":false"#) }
            #expect(try signIn() == .disabled)
            #expect(hooks.asked().isEmpty)
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
