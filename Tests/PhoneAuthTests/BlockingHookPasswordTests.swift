import Encodings
import RedisStore
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Sign-ins with a password in a project with hooks.
    @Suite struct BlockingHookPasswordTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(), hooks: hooks)
            project = deployment.project(with: try .example())
        }

        private func signIn(_ password: String, _ request: String) -> PasswordOutcome {
            authenticator.signIn(email, password: password, request: request, in: project)
        }

        private func refusal(_ request: String) -> HookOutcome? {
            do {
                _ = try authenticator.signUp(email, request: request, in: project)
                return nil
            } catch {
                guard case .failed(.blocked(let refusal)) = error as? SignUpRefusal else { return nil }
                return HookOutcome(refusal)
            }
        }

        @Test("a sign-up asks twice, a sign-in once, and a wrong password never")
        func events() throws {
            var request = PasswordSignUpRequest(
                email: email,
                password: "correct horse",
                displayName: "Ada",
                requestID: "1"
            )
            request.client = ClientDescription(networkAddress: "192.0.2.7")
            let tokens = try authenticator.signUpWithPassword(request, in: project)
            let asked = hooks.asked()
            #expect(asked.map(\.event) == [.beforeCreate, .beforeSignIn])
            #expect(Set(asked.map(\.uid)) == [tokens.account.uid])
            for question in asked {
                #expect(question.claims.text("sign_in_method") == "password")
                #expect(question.claims.text("ip_address") == "192.0.2.7")
                #expect(question.user.text("email") == email && question.user.text("display_name") == "Ada")
                guard case .array(let providers) = question.user["provider_data"],
                    case .object(let provider) = providers[0]
                else {
                    Issue.record("no provider")
                    return
                }
                #expect(provider.text("provider_id") == "password" && provider.text("uid") == email)
            }
            #expect(signIn("wrong password", "2") == .credentialsInvalid)
            #expect(hooks.asked().isEmpty)
            #expect(signIn("correct horse", "3") == .signedIn(uid: tokens.account.uid))
            #expect(hooks.asked().map(\.event) == [.beforeSignIn])
        }

        @Test("a no leaves the address free, and another request takes it", arguments: BlockingHookEvent.ofSignIns)
        func denied(event: BlockingHookEvent) throws {
            hooks.answer { $0.event == event ? .denied("Not here.") : .allowed }
            #expect(refusal("1") == .denied(event, "Not here."))
            #expect(try authenticator.accounts(of: project).isEmpty)
            #expect(deployment.keyNames(matching: "*:email:*").isEmpty)
            hooks.answer { _ in .changing("emailVerified", #""emailVerified":true"#) }
            let tokens = try authenticator.signUp(email, request: "2", in: project)
            #expect(tokens.account.isEmailVerified)
            try authenticator.expectSoundAccounts(of: project)
            #expect(refusal("3") == nil)
        }

        @Test("a no to the right password is no wrong password, and is told to nobody else")
        func deniedSignIn() throws {
            _ = try authenticator.signUp(email, in: project)
            hooks.answer { _ in .denied() }
            for request in 0..<20 { #expect(signIn("correct horse", "\(request)") == .hook(.denied(.beforeSignIn))) }
            #expect(signIn("wrong password", "w") == .credentialsInvalid)
        }

        private func linkRefusal(_ request: UpdateAccountRequest) -> HookOutcome? {
            do {
                _ = try authenticator.updateAccount(request, in: project)
                return nil
            } catch {
                guard case .failed(.blocked(let refusal)) = error else { return nil }
                return HookOutcome(refusal)
            }
        }

        @Test("linking an e-mail address or a first password asks beforeSignIn, and a denial changes nothing")
        func link() throws {
            let user = try authenticator.signIn("+16505550170", in: project)
            _ = hooks.asked()
            var link = UpdateAccountRequest(idToken: user.idToken)
            link.email = .set(email)
            link.client = ClientDescription(networkAddress: "192.0.2.7")
            hooks.answer { _ in .denied() }
            #expect(linkRefusal(link) == .denied(.beforeSignIn))
            hooks.answer { _ in .timedOut }
            #expect(linkRefusal(link) == .failed(.beforeSignIn, .timedOut))
            #expect(deployment.keyNames(matching: "*:email:*").isEmpty)
            #expect(try authenticator.lookUpAccount(idToken: user.idToken, in: project).email == nil)
            let question = try #require(hooks.asked().last)
            #expect(question.event == .beforeSignIn && question.uid == user.uid)
            #expect(question.user.text("email") == email && question.claims.text("ip_address") == "192.0.2.7")
            hooks.answer { _ in .changing("emailVerified", #""emailVerified":true"#) }
            let linked = try authenticator.updateAccount(link, in: project)
            #expect(linked.account.email == email && linked.account.isEmailVerified)
            var password = UpdateAccountRequest(idToken: try #require(linked.tokens?.idToken))
            password.password = .set("correct horse")
            hooks.answer { _ in .denied() }
            #expect(linkRefusal(password) == .denied(.beforeSignIn))
            #expect(signIn("correct horse", "1") == .credentialsInvalid)
            hooks.answer { _ in .allowed }
            let both = try authenticator.updateAccount(password, in: project)
            // Replacing a password asks about nothing, as in Firebase; another address is not verified.
            _ = hooks.asked()
            let idToken = try #require(both.tokens?.idToken)
            let changed = try authenticator.change(idToken, password: "battery staple", in: project)
            #expect(hooks.asked().isEmpty && changed.account.isEmailVerified)
            let next = try #require(changed.tokens?.idToken)
            let moved = try authenticator.change(next, email: "lovelace@example.com", in: project)
            #expect(!moved.account.isEmailVerified)
            #expect(hooks.asked().map { $0.user["email_verified"] } == [.bool(false)])
        }

        @Test("an account that is made disabled is its user's, and signs nobody in")
        func disabled() throws {
            hooks.answer { _ in .changing("disabled", #""disabled":true"#) }
            do {
                _ = try authenticator.signUp(email, request: "1", in: project)
                Issue.record("it signed in")
            } catch {
                guard case .accountDisabled = error as? SignUpRefusal else { throw error }
            }
            #expect(signIn("correct horse", "2") == .disabled)
            #expect(try authenticator.accounts(of: project).count == 1)
        }
    }
}
