import Encodings
import PhoneNumbers
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Sign-ins by phone in a project with hooks.
    @Suite struct IssueTokensCallingHooksTests: HookedSignInSuite {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550181"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withHooks(hooks)
        }

        /// Returns the keys of accounts, of their numbers and of their sessions.
        private func traces() -> [String] {
            deployment.keyNames().filter { $0.contains("user") || $0.contains(":phone:") || $0.contains(":refresh") }
        }

        @Test("a new user causes two events with the future account's uid, and a known user one")
        func events() throws {
            let outcome = try signIn()
            let asked = hooks.asked()
            #expect(asked.map(\.event) == [.beforeCreate, .beforeSignIn])
            #expect(asked.map(\.hook.text) == asked.map { $0.claims.text("aud") })
            #expect(asked.map(\.hook) == [project.blockingHooks.beforeCreate, project.blockingHooks.beforeSignIn])
            let uid = try #require(outcome.uid)
            #expect(outcome == .signedIn(uid: uid, isNew: true))
            #expect(Set(asked.map(\.uid)) == [uid])
            for question in asked {
                #expect(question.user.text("uid") == uid && question.user.text("phone_number") == number)
                #expect(question.claims.text("sign_in_method") == "phone")
            }
            deployment.clock.advance(by: .seconds(90))
            #expect(try signIn() == .signedIn(uid: uid, isNew: false))
            #expect(hooks.asked().map(\.event) == [.beforeSignIn])
        }

        @Test("an event is signed like an ID token but is not accepted as one")
        func token() throws {
            var request = try authenticator.in(project).answered(number)
            request.client = ClientDescription(networkAddress: "192.0.2.7", userAgent: "App/1.0", locale: "de")
            #expect(authenticator.in(project).answer(request).uid != nil)
            let question = try #require(hooks.asked().first)
            let now = deployment.clock.now.seconds
            let jwt = try Claims(question.jwt)
            let key = try #require(authenticator.publishedKeys.first { $0.id == jwt.header.text("kid") })
            let signature = try #require(Base64URL.decode(jwt.parts[2].utf8))
            #expect(key.isValid(signature, for: Array("\(jwt.parts[0]).\(jwt.parts[1])".utf8)))
            #expect(jwt.payload.text("iss") == "https://securetoken.google.com/demo-app")
            #expect(jwt.number("iat") == now && jwt.number("exp") == now + 300)
            #expect(jwt.payload.text("ip_address") == "192.0.2.7")
            #expect(jwt.payload.text("user_agent") == "App/1.0" && jwt.payload.text("locale") == "de")
            #expect(jwt.payload.text("event_id").utf8.count == 22)
            #expect(authenticator.in(project).look(up: question.jwt) == .invalid)
        }

        @Test("a denial before account creation leaves only a used code", arguments: BlockingHookEvent.ofSignIns)
        func denied(event: BlockingHookEvent) throws {
            hooks.answer { $0.event == event ? .denied() : .allowed }
            let request = try authenticator.in(project).answered(number)
            #expect(authenticator.in(project).answer(request) == .hook(.denied(event)))
            let uid = try #require(hooks.asked().first?.uid)
            // The marker keeps concurrent requests from creating the account; it expires.
            #expect(traces().isEmpty && deployment.keyNames(matching: "*:deleted:*").count == 1)
            #expect(authenticator.in(project).answer(request, request: "another") == .used)
            hooks.answer { _ in .allowed }
            let allowed = try signIn()
            #expect(allowed.uid != nil && allowed.uid != uid)
            #expect(Set(hooks.asked().map(\.uid)) == [allowed.uid])
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a denial for a known user changes nothing")
        func deniedAgain() throws {
            let uid = try #require(try signIn().uid)
            let before = try account()
            deployment.clock.advance(by: .seconds(90))
            hooks.answer { _ in .denied() }
            #expect(try signIn() == .hook(.denied(.beforeSignIn)))
            #expect(try account().lastLoginAt == before.lastLoginAt)
            #expect(deployment.keyNames(matching: "*:session:*").count == 1)
            hooks.answer { _ in .allowed }
            #expect(try signIn() == .signedIn(uid: uid, isNew: false))
        }

        @Test(
            "a hook without a valid response allows nothing",
            arguments: [
                (.timedOut, .timedOut), (.unreachable("connectionLost"), .unreachable("connectionLost")),
                (.answered(status: 200, body: []), .malformed), (.changing("uid", #""uid":"x""#), .fieldNotChangeable),
            ] as [(BlockingHookReply, BlockingHookFault)]
        )
        func faults(reply: BlockingHookReply, fault: BlockingHookFault) throws {
            hooks.answer { _ in reply }
            #expect(try signIn() == .hook(.failed(.beforeCreate, fault)))
            hooks.answer { $0.event == .beforeSignIn ? reply : .allowed }
            #expect(try signIn() == .hook(.failed(.beforeSignIn, fault)))
            #expect(traces().isEmpty)
            let redirect = BlockingHookReply.answered(status: 302, body: [])
            hooks.answer { _ in redirect }
            #expect(try signIn() == .hook(.denied(.beforeCreate, status: 302, explanation: nil)))
        }

        @Test("a wrong code calls no hook")
        func wrongCode() throws {
            let session = try authenticator.in(project).session(for: number)
            let wrong = try authenticator.in(project).wrongCode(of: session)
            #expect(authenticator.in(project).answer(session, wrong, request: "1") == .wrong(attemptsLeft: 4))
            #expect(hooks.asked().isEmpty)
        }

        @Test("a link calls one hook, with the new number, and a denial changes nothing")
        func links() throws {
            let user = try authenticator.in(project).signIn(number)
            _ = hooks.asked()
            let other = "+16505550182"
            hooks.answer { _ in .denied() }
            #expect(try authenticator.in(project).link(other, to: user.idToken) == .hook(.denied(.beforeSignIn)))
            let asked = hooks.asked()
            #expect(asked.map(\.event) == [.beforeSignIn])
            #expect(asked.map { $0.user.text("phone_number") } == [other] && asked.map(\.uid) == [user.uid])
            #expect(deployment.keyNames(matching: "*:phone:*").count == 1)
            try authenticator.in(project).expectSoundAccounts()
            hooks.answer { _ in .allowed }
            #expect(try authenticator.in(project).signIn(other).uid != user.uid)
            let third = "+16505550183"
            #expect(
                try authenticator.in(project).link(third, to: user.idToken) == .signedIn(uid: user.uid, isNew: false)
            )
            #expect(try authenticator.in(project).signIn(third).uid == user.uid)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("no hook is called for anonymous users, custom tokens, refreshes and changes")
        func unasked() throws {
            let anonymous = try authenticator.in(project).signUpAnonymously()
            #expect(
                authenticator.in(project).refresh(anonymous.refreshToken) == .refreshed(uid: anonymous.account.uid)
            )
            var update = UpdateAccountRequest(idToken: anonymous.idToken)
            update.displayName = .set("Ada")
            update.revokesTokens = true
            _ = try authenticator.in(project).updateAccount(update)
            let now = deployment.clock.now.seconds
            let payload = #"{"aud":"\#(CustomToken.audience)","iat":\#(now),"exp":\#(now + 60),"uid":"theirs"}"#
            let token =
                Base64URL.string(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.string(Array(payload.utf8)) + "."
            #expect(try authenticator.in(project).signInWithCustomToken(token).isNewUser)
            #expect(hooks.asked().isEmpty)
        }

        @Test("a project without hooks calls none, and no one signs in to a project with unreachable hooks")
        func otherProjects() throws {
            let other = deployment.projectWithEverything
            #expect(authenticator.in(other).answer(try authenticator.in(other).answered(number)).uid != nil)
            #expect(hooks.asked().isEmpty)
            let mute = deployment.authenticator()
            #expect(mute.in(project).answer(try mute.in(project).answered("+16505550184")) == .hook(.busy))
        }
    }
}
