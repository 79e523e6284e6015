import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Linking, changing and releasing e-mail addresses and passwords.
    @Suite struct UpdateAccountCredentialTests {
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
            return authenticator.in(project).signIn(email, password: password, request: request)
        }

        private func outcome(_ change: () throws -> UpdatedAccount) throws -> CredentialRefusal? {
            do {
                _ = try change()
                return nil
            } catch UpdateAccountRefusal.credential(let refusal) {
                return refusal
            }
        }

        @Test("anonymous users and users with a number can add an address and a password, and keep their uid")
        func link() throws {
            let anonymous = try authenticator.in(project).signUpAnonymously()
            deployment.clock.advance(by: .seconds(1000))
            let phone = try authenticator.in(project).signIn("+16505550171")
            let byAnonymous = try authenticator.in(project).change(
                anonymous.idToken,
                email: first,
                password: "correct horse"
            )
            let byPhone = try authenticator.in(project).change(phone.idToken, email: second, password: "battery staple")
            #expect(byAnonymous.account.email == first && byPhone.account.phoneNumber == "+16505550171")
            #expect(signIn(first) == .signedIn(uid: anonymous.account.uid))
            #expect(signIn(second, "battery staple") == .signedIn(uid: phone.uid))
            #expect(try idTokenProvider(byAnonymous) == "password")
            #expect(try idTokenProvider(byPhone) == "password")
            try authenticator.in(project).expectSoundAccounts()
        }

        private func idTokenProvider(_ updated: UpdatedAccount) throws -> String {
            let token = try #require(updated.tokens?.idToken)
            return try authenticator.in(project).verify(token).provider.rawValue
        }

        @Test("an address can be changed and changed back, and the former one is free")
        func changeAddress() throws {
            let user = try authenticator.in(project).signUp(first)
            var idToken = user.idToken
            for (email, former) in [(second, first), (first, second), (second, first)] {
                let updated = try authenticator.in(project).change(idToken, email: email)
                idToken = try #require(updated.tokens?.idToken)
                #expect(signIn(email) == .signedIn(uid: user.account.uid))
                #expect(signIn(former) == .credentialsInvalid)
                try authenticator.in(project).expectSoundAccounts()
            }
            let other = try authenticator.in(project).signUp(first, request: "other")
            #expect(other.account.uid != user.account.uid)
            #expect(try outcome { try authenticator.in(project).change(idToken, email: first) } == .emailExists)
            #expect(signIn(second) == .signedIn(uid: user.account.uid))
        }

        @Test("a new password invalidates the old one and other devices' tokens, but not the new tokens")
        func changePassword() throws {
            let user = try authenticator.in(project).signUp(first)
            deployment.clock.advance(by: .seconds(10))
            let updated = try authenticator.in(project).change(user.idToken, password: "battery staple")
            let tokens = try #require(updated.tokens)
            #expect(signIn(first) == .credentialsInvalid)
            #expect(signIn(first, "battery staple") == .signedIn(uid: user.account.uid))
            deployment.clock.advance(by: UserSession.formerTokenLifetime)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .revoked)
            #expect(authenticator.in(project).refresh(tokens.refreshToken) == .refreshed(uid: user.account.uid))
        }

        @Test("a first e-mail address or password requires a recent sign-in, unless the project relaxes linking")
        func recentLink() throws {
            let user = try authenticator.in(project).signIn("+16505550171")
            let signInTime = deployment.clock.now.seconds
            let relaxed = Project(
                id: project.id,
                authorizedDomains: [],
                isPasswordSignInEnabled: true,
                linkingNeedsRecentSignIn: false
            )
            deployment.clock.advance(by: .seconds(301))
            for change in [
                { try authenticator.in(project).change(user.idToken, email: first, password: "correct horse") },
                { try authenticator.in(project).change(user.idToken, email: first) },
            ] {
                #expect(try isTooOld(change))
            }
            #expect(signIn(first) == .credentialsInvalid)
            let linked = try #require(
                try authenticator.in(relaxed).change(user.idToken, email: first, password: "correct horse").tokens
            )
            #expect(signIn(first) == .signedIn(uid: user.uid))
            #expect(try authenticator.in(project).verify(linked.idToken).authTime == signInTime)
            #expect(try isTooOld { try authenticator.in(relaxed).change(linked.idToken, password: "battery staple") })
        }

        @Test("an anonymous user may link at any time, until the account has a way to sign in")
        func anonymous() throws {
            let user = try authenticator.in(project).signUpAnonymously()
            deployment.clock.advance(by: .seconds(1000))
            #expect(try isTooOld { try revoke(user.idToken) })
            let byEmail = try #require(try authenticator.in(project).change(user.idToken, email: first).tokens)
            #expect(try authenticator.in(project).verify(byEmail.idToken).provider == .anonymous)
            let linked = try #require(
                try authenticator.in(project).change(byEmail.idToken, password: "correct horse").tokens
            )
            #expect(signIn(first) == .signedIn(uid: user.account.uid))
            for token in [byEmail.idToken, linked.idToken] {
                let number = "+16505550171"
                #expect(try authenticator.in(project).link(number, to: token).uid == nil)
            }
        }

        private func revoke(_ idToken: String) throws -> UpdatedAccount {
            var request = UpdateAccountRequest(idToken: idToken)
            request.revokesTokens = true
            return try authenticator.in(project).updateAccount(request)
        }

        private func isTooOld(_ change: () throws -> UpdatedAccount) throws -> Bool {
            do {
                _ = try change()
                return false
            } catch UpdateAccountRefusal.notAuthenticated(.signInTooOld) {
                return true
            }
        }

        @Test("existing credentials can be changed only with a recent sign-in")
        func recentSignIn() throws {
            let user = try authenticator.in(project).signUp(first)
            deployment.clock.advance(by: .seconds(301))
            var removal = UpdateAccountRequest(idToken: user.idToken)
            removal.email = .removed
            for change in [
                { try authenticator.in(project).change(user.idToken, email: second) },
                { try authenticator.in(project).change(user.idToken, password: "battery staple") },
                { try authenticator.in(project).updateAccount(removal) }, { try revoke(user.idToken) },
            ] {
                #expect(try isTooOld(change))
            }
            // Setting the account's current address is not a change.
            #expect(try authenticator.in(project).change(user.idToken, email: "ADA@example.com").tokens == nil)
        }

        @Test(
            "an error names the invalid address or password",
            arguments: [
                ("ada", "correct horse", CredentialRefusal.emailInvalid),
                ("a b@example.com", "correct horse", .emailInvalid),
                ("@example.com", "correct horse", .emailInvalid), ("a@b@example.com", "correct horse", .emailInvalid),
                ("a@.com", "correct horse", .emailInvalid), ("ada@example.com", "12345", .passwordTooShort),
                ("ada@example.com", String(repeating: "x", count: 4097), .passwordTooLong),
            ]
        )
        func faulty(email: String, password: String, refusal: CredentialRefusal) throws {
            let user = try authenticator.in(project).signUpAnonymously()
            #expect(
                try outcome {
                    try authenticator.in(project).change(user.idToken, email: email, password: password)
                } == refusal
            )
            #expect(
                try outcome { try authenticator.in(project).change(user.idToken, password: "123456") } == .emailMissing
            )
        }

        @Test(
            "an address claimed by a worker that died can be taken in the next attempt, by its account or another"
        )
        func interruptedChange() throws {
            let user = try authenticator.in(project).signUp(first)
            let identity = AccountIdentity(project: project.id, uid: user.account.uid, among: .standard)
            let email = authenticator.in(project).identifier(try #require(EmailAddress(second)))
            let claim = authenticator.in(project).newClaim(uid: user.account.uid)
            let sealed = try authenticator.in(project).seal(.email, second, for: identity)
            #expect(try authenticator.store.proposeIdentifier(.email, sealed, claim, to: identity) == .proposed)
            #expect(try authenticator.store.claimIdentifier(email.identity, claim, replacing: nil) == claim)
            #expect(signIn(second) == .credentialsInvalid)
            #expect(throws: SignUpRefusal.self) { try authenticator.in(project).signUp(second, request: "other") }
            try authenticator.in(project).change(user.idToken, email: second)
            #expect(signIn(second) == .signedIn(uid: user.account.uid))
            #expect(signIn(first) == .credentialsInvalid)
            try authenticator.in(project).expectSoundAccounts()
        }
    }
}
