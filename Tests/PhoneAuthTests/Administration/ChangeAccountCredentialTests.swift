import Encodings
import Passwords
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// E-mail addresses and passwords that operators set.
    @Suite struct ChangeAccountCredentialTests: AccountAdministrationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.projectWithEverything
        }

        /// Creates the account "ada" with an address and a password, and signs its user in.
        private func idTokenOfAda() throws -> String {
            _ = try create("ada") {
                $0.email = .set("ada@example.com")
                $0.password = .set("correct horse")
            }
            let request = SignInWithPasswordRequest(
                email: "ada@example.com",
                password: "correct horse",
                client: ClientDescription(networkAddress: "192.0.2.1")
            )
            return try #require(authenticator.in(project).signInWithPassword(request).tokens).idToken
        }

        private func signIn(_ email: String, _ password: String) -> PasswordOutcome {
            authenticator.in(project).signIn(email, password: password, request: "s")
        }

        @Test("an address and a password set by an operator can be used to sign in")
        func password() throws {
            let user = try create("ada") {
                $0.email = .set("Ada@Example.com")
                $0.isEmailVerified = true
                $0.password = .set("correct horse")
            }
            #expect(user.email == "ada@example.com" && user.isEmailVerified && user.hasPassword)
            #expect(signIn("ada@example.com", "correct horse") == .signedIn(uid: "ada"))
            #expect(try authenticator.in(project).account(ofEmail: "ADA@example.com")?.uid == "ada")
            #expect(try authenticator.in(project).account(ofEmail: "no address") == nil)
            #expect(try authenticator.in(project).account(ofEmail: "eve@example.com") == nil)
            let changed = try change("ada") { $0.password = .set("battery staple") }
            #expect(changed.isEmailVerified)
            #expect(signIn("ada@example.com", "battery staple") == .signedIn(uid: "ada"))
            #expect(signIn("ada@example.com", "correct horse") == .credentialsInvalid)
            // A new address is unverified, unless the operator marks it as verified.
            #expect(try !change("ada") { $0.email = .set("lovelace@example.com") }.isEmailVerified)
            #expect(signIn("ada@example.com", "battery staple") == .credentialsInvalid)
            #expect(try change("ada") { $0.isEmailVerified = true }.isEmailVerified)
            #expect(try change("ada") { $0.email = .set("lovelace@example.com") }.isEmailVerified)
            let without = try change("ada") {
                $0.password = .removed
                $0.email = .removed
            }
            #expect(without.email == nil && !without.hasPassword && !without.isEmailVerified)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("if the address belongs to another account, nothing changes")
        func takenAddress() throws {
            _ = try create("ada") { $0.email = .set("ada@example.com") }
            _ = try create("bob") { _ in }
            let other = "+16505550155"
            let refused = refusal { () throws(AccountRefusal) in
                try change("bob") {
                    $0.phoneNumber = .set(other)
                    $0.email = .set("ada@example.com")
                    $0.displayName = .set("Bob")
                }
            }
            #expect(refused == "credential(PhoneAuth.CredentialRefusal.emailExists)")
            let bob = try #require(try authenticator.in(project).accounts(uids: ["bob"]).first)
            #expect(bob.phoneNumber == nil && bob.displayName == nil)
            let created = refusal { () throws(AccountRefusal) in
                try create("eve") { $0.email = .set("ada@example.com") }
            }
            #expect(created == "credential(PhoneAuth.CredentialRefusal.emailExists)")
            #expect(try authenticator.in(project).accounts(uids: ["eve"]).isEmpty)
            for (text, error) in [("nobody", "emailInvalid"), ("a@b@c", "emailInvalid")] {
                let invalid = refusal { () throws(AccountRefusal) in try create("eve") { $0.email = .set(text) } }
                #expect(invalid == "credential(PhoneAuth.CredentialRefusal.\(error))")
            }
            let short = refusal { () throws(AccountRefusal) in try create("eve") { $0.password = .set("12345") } }
            #expect(short == "credential(PhoneAuth.CredentialRefusal.passwordTooShort)")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test(
            "a new password or address ends earlier tokens, and a new name does not",
            arguments: ["email", "password"]
        )
        func revocation(what: String) throws {
            let idToken = try idTokenOfAda()
            deployment.clock.advance(by: .seconds(2))
            _ = try change("ada") { $0.displayName = .set("Ada") }
            _ = try change("ada") { $0.email = .set("ada@example.com") }
            #expect(try authenticator.in(project).lookUpAccount(idToken: idToken).account.uid == "ada")
            _ = try change("ada") {
                if what == "email" { $0.email = .set("b@example.com") } else { $0.password = .set("another one") }
            }
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: idToken) }
        }

        @Test("an address change that fails halfway and is repeated ends earlier tokens")
        func repeatedChange() throws {
            let idToken = try idTokenOfAda()
            func edit(_ change: inout AccountChange) {
                change.email = .set("b@example.com")
                change.isDisabled = true
            }
            // Only the step after the one that takes the address needs this command.
            let failing = deployment.authenticator(
                passwordHashing: try TestPasswordHashing.make(),
                withoutCommand: "hget"
            )
            let refused = refusal { () throws(AccountRefusal) in
                var change = AccountChange()
                edit(&change)
                return try failing.in(project).changeAccount(uid: "ada", change)
            }
            #expect(refused != "none")
            let half = try #require(try authenticator.in(project).accounts(uids: ["ada"]).first)
            #expect(half.email == "b@example.com" && !half.isDisabled)
            _ = try change("ada", edit)
            _ = try change("ada") { $0.isDisabled = false }
            #expect(throws: (any Error).self) { try authenticator.in(project).lookUpAccount(idToken: idToken) }
            #expect(signIn("b@example.com", "correct horse") == .signedIn(uid: "ada"))
        }
    }
}
