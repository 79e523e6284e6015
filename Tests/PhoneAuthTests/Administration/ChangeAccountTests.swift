import Encodings
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ChangeAccountTests: AccountAdministrationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550150"

        init() throws {
            (deployment, authenticator) = try Deployment.ofManyMessages()
            project = deployment.projectWithEverything
        }

        @Test("a number moves between accounts and never belongs to two")
        func numbers() throws {
            _ = try create("a", number: number)
            _ = try create("b")
            let taken = refusal { () throws(AccountRefusal) in try change("b") { $0.phoneNumber = .set(number) } }
            #expect(taken == "numberExists")
            for (from, to) in [("a", "b"), ("b", "a")] {
                #expect(try change(from) { $0.phoneNumber = .removed }.phoneNumber == nil)
                #expect(try change(to) { $0.phoneNumber = .set(number) }.phoneNumber == number)
                #expect(try authenticator.in(project).signIn(number).uid == to)
                try authenticator.in(project).expectSoundAccounts()
            }
            #expect(try change("a") { $0.phoneNumber = .set("+16505550151") }.phoneNumber == "+16505550151")
            #expect(try authenticator.in(project).signIn(number).isNewUser)
            let unknown = refusal { () throws(AccountRefusal) in
                try change("nobody") { $0.phoneNumber = .set("+16505550152") }
            }
            #expect(unknown == "accountUnknown")
            #expect(try authenticator.in(project).signIn("+16505550152").isNewUser)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("disabling, claims and revocations take effect on the user's tokens")
        func state() throws {
            let user = try authenticator.in(project).signIn(number)
            let claims = try CustomClaims(#"{"role":"admin"}"#)
            #expect(try change(user.uid) { $0.customClaims = claims }.customClaims?.text == claims.text)
            let refreshed = try authenticator.in(project).exchangeRefreshToken(user.refreshToken).idToken
            #expect(try Claims(refreshed).payload["role"] == .string("admin"))
            let none = try CustomClaims("{}")
            #expect(try change(user.uid) { $0.customClaims = none }.customClaims == nil)
            #expect(try change(user.uid) { $0.isDisabled = true }.isDisabled)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: refreshed) }
            #expect(try !change(user.uid) { $0.isDisabled = false }.isDisabled)
            #expect(try authenticator.in(project).lookUpAccount(idToken: refreshed).account.uid == user.uid)
            let now = deployment.clock.now.seconds
            #expect(try change(user.uid) { $0.validSince = now }.validSince == now)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: refreshed) }
        }

        @Test("a revocation time up to 300 seconds ahead counts as now, and a later one is rejected")
        func validSince() throws {
            let user = try authenticator.in(project).signIn(number)
            let now = deployment.clock.now.seconds
            #expect(try change(user.uid) { $0.validSince = now + 300 }.validSince == now)
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: user.idToken) }
            let again = try authenticator.in(project).signIn(number)
            #expect(try authenticator.in(project).lookUpAccount(idToken: again.idToken).account.uid == user.uid)
            for seconds in [now + 301, now * 1000] {
                let refused = refusal { () throws(AccountRefusal) in try change(user.uid) { $0.validSince = seconds } }
                #expect(refused == "validSinceInFuture(\(seconds))")
                let uncreated = refusal { () throws(AccountRefusal) in
                    var new = AccountChange()
                    new.validSince = seconds
                    return try authenticator.in(project).createAccount(uid: "new", new, requestID: "r")
                }
                #expect(uncreated == refused)
            }
            #expect(try authenticator.in(project).lookUpAccount(idToken: again.idToken).account.validSince == now)
        }
    }
}
