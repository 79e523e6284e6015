import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// E-mail addresses and passwords that come to accounts, change and go.
    @Suite struct CredentialChangeTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let first = "ada@example.com"
        let second = "lovelace@example.com"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.projectWithEverything
        }

        private func signIn(_ email: String, _ password: String = "correct horse") -> PasswordOutcome {
            let request = "\(deployment.clock.randomBytes(8))"
            return authenticator.signIn(email, password: password, request: request, in: project)
        }

        private func outcome(_ change: () throws -> UpdatedAccount) throws -> CredentialRefusal? {
            do {
                _ = try change()
                return nil
            } catch UpdateAccountRefusal.credential(let refusal) {
                return refusal
            }
        }

        @Test("an anonymous user and one with a number get address and password, and stay the same user")
        func link() throws {
            let anonymous = try authenticator.signUpAnonymously(in: project)
            deployment.clock.advance(by: .seconds(1000))
            let phone = try authenticator.signIn("+16505550171", in: project)
            let byAnonymous = try authenticator.change(
                anonymous.idToken,
                email: first,
                password: "correct horse",
                in: project
            )
            let byPhone = try authenticator.change(
                phone.idToken,
                email: second,
                password: "battery staple",
                in: project
            )
            #expect(byAnonymous.account.email == first && byPhone.account.phoneNumber == "+16505550171")
            #expect(signIn(first) == .signedIn(uid: anonymous.account.uid))
            #expect(signIn(second, "battery staple") == .signedIn(uid: phone.uid))
            #expect(try idTokenProvider(byAnonymous) == "password")
            #expect(try idTokenProvider(byPhone) == "password")
            try authenticator.expectSoundAccounts(of: project)
        }

        private func idTokenProvider(_ updated: UpdatedAccount) throws -> String {
            let token = try #require(updated.tokens?.idToken)
            return try authenticator.verify(token, in: project).provider.rawValue
        }

        @Test("an address changes there and back again, and the former one is free")
        func changeAddress() throws {
            let user = try authenticator.signUp(first, in: project)
            var idToken = user.idToken
            for (email, former) in [(second, first), (first, second), (second, first)] {
                let updated = try authenticator.change(idToken, email: email, in: project)
                idToken = try #require(updated.tokens?.idToken)
                #expect(signIn(email) == .signedIn(uid: user.account.uid))
                #expect(signIn(former) == .credentialsInvalid)
                try authenticator.expectSoundAccounts(of: project)
            }
            let other = try authenticator.signUp(first, request: "other", in: project)
            #expect(other.account.uid != user.account.uid)
            #expect(try outcome { try authenticator.change(idToken, email: first, in: project) } == .emailExists)
            #expect(signIn(second) == .signedIn(uid: user.account.uid))
        }

        @Test("another password ends the one before and the other devices' tokens, not the new ones")
        func changePassword() throws {
            let user = try authenticator.signUp(first, in: project)
            deployment.clock.advance(by: .seconds(10))
            let updated = try authenticator.change(user.idToken, password: "battery staple", in: project)
            let tokens = try #require(updated.tokens)
            #expect(signIn(first) == .credentialsInvalid)
            #expect(signIn(first, "battery staple") == .signedIn(uid: user.account.uid))
            #expect(authenticator.refresh(user.refreshToken, in: project) == .revoked)
            #expect(authenticator.refresh(tokens.refreshToken, in: project) == .refreshed(uid: user.account.uid))
        }

        @Test("a first e-mail address or password requires a recent sign-in, unless the project relaxes linking")
        func recentLink() throws {
            let user = try authenticator.signIn("+16505550171", in: project)
            let signInTime = deployment.clock.now.seconds
            let relaxed = Project(
                id: project.id,
                authorizedDomains: [],
                isPasswordSignInEnabled: true,
                linkingNeedsRecentSignIn: false
            )
            deployment.clock.advance(by: .seconds(301))
            for change in [
                { try authenticator.change(user.idToken, email: first, password: "correct horse", in: project) },
                { try authenticator.change(user.idToken, email: first, in: project) },
            ] {
                #expect(try isTooOld(change))
            }
            #expect(signIn(first) == .credentialsInvalid)
            let linked = try #require(
                try authenticator.change(user.idToken, email: first, password: "correct horse", in: relaxed).tokens
            )
            #expect(signIn(first) == .signedIn(uid: user.uid))
            #expect(try authenticator.verify(linked.idToken, in: project).authTime == signInTime)
            #expect(try isTooOld { try authenticator.change(linked.idToken, password: "battery staple", in: relaxed) })
        }

        @Test("an anonymous user may link at any time, until the account has a way to sign in")
        func anonymous() throws {
            let user = try authenticator.signUpAnonymously(in: project)
            deployment.clock.advance(by: .seconds(1000))
            #expect(try isTooOld { try revoke(user.idToken) })
            let byEmail = try #require(try authenticator.change(user.idToken, email: first, in: project).tokens)
            #expect(try authenticator.verify(byEmail.idToken, in: project).provider == .anonymous)
            let linked = try #require(
                try authenticator.change(byEmail.idToken, password: "correct horse", in: project).tokens
            )
            #expect(signIn(first) == .signedIn(uid: user.account.uid))
            for token in [byEmail.idToken, linked.idToken] {
                let number = "+16505550171"
                #expect(try authenticator.link(number, to: token, in: project).uid == nil)
            }
        }

        private func revoke(_ idToken: String) throws -> UpdatedAccount {
            var request = UpdateAccountRequest(idToken: idToken)
            request.revokesTokens = true
            return try authenticator.updateAccount(request, in: project)
        }

        private func isTooOld(_ change: () throws -> UpdatedAccount) throws -> Bool {
            do {
                _ = try change()
                return false
            } catch UpdateAccountRefusal.notAuthenticated(.signInTooOld) {
                return true
            }
        }

        @Test("what an account has changes only soon after a sign-in")
        func recentSignIn() throws {
            let user = try authenticator.signUp(first, in: project)
            deployment.clock.advance(by: .seconds(301))
            var removal = UpdateAccountRequest(idToken: user.idToken)
            removal.email = .removed
            for change in [
                { try authenticator.change(user.idToken, email: second, in: project) },
                { try authenticator.change(user.idToken, password: "battery staple", in: project) },
                { try authenticator.updateAccount(removal, in: project) }, { try revoke(user.idToken) },
            ] {
                #expect(try isTooOld(change))
            }
            // The address that it has is no change.
            #expect(try authenticator.change(user.idToken, email: "ADA@example.com", in: project).tokens == nil)
        }

        @Test(
            "a faulty address or password is refused by its name",
            arguments: [
                ("ada", "correct horse", CredentialRefusal.emailInvalid),
                ("a b@example.com", "correct horse", .emailInvalid),
                ("@example.com", "correct horse", .emailInvalid), ("a@b@example.com", "correct horse", .emailInvalid),
                ("a@.com", "correct horse", .emailInvalid), ("ada@example.com", "12345", .passwordTooShort),
                ("ada@example.com", String(repeating: "x", count: 4097), .passwordTooLong),
            ]
        )
        func faulty(email: String, password: String, refusal: CredentialRefusal) throws {
            let user = try authenticator.signUpAnonymously(in: project)
            #expect(
                try outcome {
                    try authenticator.change(user.idToken, email: email, password: password, in: project)
                } == refusal
            )
            #expect(
                try outcome { try authenticator.change(user.idToken, password: "123456", in: project) } == .emailMissing
            )
        }

        @Test("a deleted account's address is free")
        func deletion() throws {
            let user = try authenticator.signUp(first, in: project)
            try authenticator.deleteAccount(idToken: user.idToken, requestID: "d", in: project)
            #expect(deployment.keyNames(matching: "*:email:*") == [])
            #expect(signIn(first) == .credentialsInvalid)
            #expect(try authenticator.signUp(first, request: "again", in: project).account.uid != user.account.uid)
        }

        @Test(
            "an address that a dying worker claimed for an account is that account's at the next attempt, or anybody's"
        )
        func interruptedChange() throws {
            let user = try authenticator.signUp(first, in: project)
            let identity = AccountIdentity(project: project.id, uid: user.account.uid, among: .standard)
            let email = authenticator.identifier(try #require(EmailAddress(second)), in: project)
            let claim = authenticator.newClaim(uid: user.account.uid, at: deployment.clock.now)
            let sealed = try authenticator.seal(.email, second, for: identity)
            #expect(try authenticator.store.proposeIdentifier(.email, sealed, claim, to: identity) == .proposed)
            #expect(try authenticator.store.claimIdentifier(email.identity, claim, replacing: nil) == claim)
            #expect(signIn(second) == .credentialsInvalid)
            #expect(throws: SignUpRefusal.self) { try authenticator.signUp(second, request: "other", in: project) }
            try authenticator.change(user.idToken, email: second, in: project)
            #expect(signIn(second) == .signedIn(uid: user.account.uid))
            #expect(signIn(first) == .credentialsInvalid)
            try authenticator.expectSoundAccounts(of: project)
        }
    }
}
