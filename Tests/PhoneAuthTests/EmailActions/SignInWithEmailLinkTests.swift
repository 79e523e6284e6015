import Encodings
import RedisScripts
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct SignInWithEmailLinkTests: EmailActionSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let hooks: TestHooks
        let email = "ada@example.com"

        init() throws {
            hooks = TestHooks()
            (deployment, authenticator, project) = try Deployment.withMails(hooks: hooks)
        }

        private func refusal(_ email: String, _ code: EmailCode, idToken: String? = nil, request: String) -> String {
            refusal { () throws(EmailActionRefusal) in
                _ = try signIn(email, code, idToken: idToken, request: request)
            }
        }

        @Test("a link creates an account with a verified address, and later links sign in to it")
        func newAccount() throws {
            let code = try code(.signIn, email)
            #expect(refusal("bob@example.com", code, request: "0") == "emailMismatched")
            guard case .signedIn(let tokens) = try signIn("Ada@Example.com", code, request: "1") else {
                Issue.record("not signed in")
                return
            }
            #expect(tokens.isNewUser && tokens.account.email == email && tokens.account.isEmailVerified)
            #expect(tokens.account.signsInByLink && !tokens.account.hasPassword)
            #expect(refusal(email, code, request: "2") == "codeInvalid")
            #expect(hooks.asked().map(\.event) == [.beforeCreate, .beforeSignIn])
            let again = try signedIn(email, request: "3")
            #expect(!again.isNewUser && again.account.uid == tokens.account.uid)
            let asked = try #require(hooks.asked().first)
            #expect(asked.event == .beforeSignIn && asked.claims.text("sign_in_method") == "emailLink")
            let firebase = try Claims(again.idToken).payload.object("firebase")
            #expect(firebase.text("sign_in_provider") == "password")
            let open = deployment.projectWithMails(protectsEmails: false)
            #expect(try authenticator.in(open).signInMethods(of: email) == .known([.emailLink]))
        }

        @Test("a verified account keeps its password and its sessions")
        func verified() throws {
            let tokens = try authenticator.in(project).signUp(email)
            try verify(tokens.account.uid)
            #expect(try signedIn(email, request: "1").account.uid == tokens.account.uid)
            #expect(lookUp(tokens.idToken) == tokens.account.uid)
            #expect(
                authenticator.in(project).signIn(email, password: "correct horse", request: "2")
                    == .signedIn(uid: tokens.account.uid)
            )
        }

        @Test("an unverified account without a number becomes the mailbox owner's: no password and no former session")
        func unverified() throws {
            let attacker = try authenticator.in(project).signUp(email)
            let owner = try signedIn(email, request: "1")
            #expect(owner.account.uid == attacker.account.uid && !owner.account.hasPassword)
            #expect(lookUp(attacker.idToken) == "tokenRevoked")
            #expect(lookUp(owner.idToken) == owner.account.uid)
            #expect(
                authenticator.in(project).signIn(email, password: "correct horse", request: "2") == .credentialsInvalid
            )
        }

        @Test("a number that is linked during a sign-in by link keeps the account, and the code gives another account")
        func overtakenByNumber() throws {
            let attacker = try authenticator.in(project).signUp(email)
            let code = try code(.signIn, email)
            let proxy = try deployment.proxy()
            let slow = deployment.authenticator(over: proxy)
            // Loads the script: an unknown script would be counted without running.
            _ = try? slow.in(project, request: "0").use(EmailCode(deployment.clock.environment))
            let (deployment, project) = (deployment, deployment.projectWithMails())
            proxy.overtake(beforeScript: 1) {
                _ = try? deployment.authenticator().in(project).link("+16505550172", to: attacker.idToken)
            }
            let outcome = refusal { () throws(EmailActionRefusal) in
                _ = try slow.in(project, request: "slow").signInWithEmailLink(
                    SignInWithEmailLinkRequest(email: email, code: code, client: ClientDescription())
                )
            }
            #expect(proxy.hasInterrupted() && outcome.hasSuffix("interrupted)"))
            let account = try #require(try account(attacker.account.uid))
            #expect(account.phoneNumber == "+16505550172" && account.hasPassword && !account.isEmailVerified)
            guard case .signedIn(let owner) = try signIn(email, code, request: "again") else {
                Issue.record("not signed in")
                return
            }
            #expect(owner.account.uid != attacker.account.uid && owner.account.isEmailVerified)
        }

        @Test("a code that was replaced while a request used it is not valid again if that request gives it back")
        func replaced() throws {
            let code = try code(.signIn, email)
            try user("using").use(code)
            let newer = try self.code(.signIn, email)
            user("using").giveBack(code)
            #expect(refusal(email, code, request: "1") == "codeExpired")
            #expect(refusal(email, newer, request: "2") == "done")
        }

        @Test("an unverified account with a number stays with the number, and the mailbox owner gets another account")
        func unverifiedWithNumber() throws {
            let attacker = try authenticator.in(project).signUp(email)
            _ = try authenticator.in(project).link("+16505550171", to: attacker.idToken)
            let owner = try signedIn(email, request: "1")
            #expect(owner.isNewUser && owner.account.uid != attacker.account.uid)
            let other = try #require(try account(attacker.account.uid))
            #expect(other.email == nil && other.phoneNumber == "+16505550171")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an unverified account stays with the user who had verified a former address, whose notice gives only it")
        func formerlyVerified() throws {
            let attacker = try authenticator.in(project).signUp("eve@example.com")
            let uid = attacker.account.uid
            try verify(uid)
            _ = try authenticator.in(project).updateAccount(of: attacker.idToken) {
                $0.email = .set(email)
                $0.recoveryLink = Self.link
            }
            let notice = try #require(try mails().last?.code)
            let owner = try signedIn(email, request: "1")
            #expect(owner.isNewUser && owner.account.uid != uid)
            #expect(apply(notice, request: "2") == "done")
            #expect(try account(uid)?.email == "eve@example.com")
            let own = try #require(try account(owner.account.uid))
            #expect(own.email == email && own.isEmailVerified && lookUp(owner.idToken) == own.uid)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an unverified account with a second factor stays with the factor's owner")
        func unverifiedWithSecondFactor() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            try enrollSecondFactors(uid)
            let owner = try signedIn(email, request: "1")
            #expect(owner.isNewUser && owner.account.uid != uid)
            #expect(try account(uid)?.email == nil)
        }

        @Test("an address is not taken away for a sign-in that is not admitted, and its code stays unused")
        func notAdmitted() throws {
            let suite = try OtherEmailActions { $0.signUpsPerNetworkPerHour = 1 }
            let operation = suite.authenticator.in(suite.project)
            let attacker = try operation.signUp(email)
            _ = try operation.link("+16505550175", to: attacker.idToken)
            #expect(try suite.signedIn("bob@example.com", request: "1").isNewUser)
            let code = try suite.code(.signIn, email)
            let refused = suite.refusal { () throws(EmailActionRefusal) in
                _ = try suite.signIn(email, code, request: "2")
            }
            #expect(refused.hasPrefix("failed"))
            #expect(try suite.account(attacker.account.uid)?.email == email)
            #expect(throws: Never.self) { try suite.user("3").action(of: code) }
        }

        @Test("while a hook must allow sign-ins, no code changes an address: the hook could not refuse the address")
        func hookedChange() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let refused = request(.changeEmail, newEmail: "new@example.com", idToken: tokens.idToken)
            #expect(try refused == "notOffered" && mails().isEmpty)
        }

        @Test("second factors are required after a link")
        func secondFactor() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            try verify(uid)
            try enrollSecondFactors(uid)
            guard case .secondFactorRequired(let challenge) = try signIn(email, code(.signIn, email), request: "1")
            else {
                Issue.record("signed in")
                return
            }
            #expect(challenge.account.uid == uid && !challenge.pendingCredential.isEmpty)
        }

        @Test("with an ID token, a link gives its account the address and revokes former tokens")
        func link() throws {
            let anonymous = try authenticator.in(project).signUpAnonymously()
            let linked = try signedIn(email, idToken: anonymous.idToken, request: "1")
            #expect(linked.account.uid == anonymous.account.uid && linked.account.isEmailVerified)
            #expect(!linked.isNewUser && lookUp(linked.idToken) == linked.account.uid)
            let moved = try signedIn("new@example.com", idToken: linked.idToken, request: "2")
            #expect(moved.account.uid == linked.account.uid && moved.account.email == "new@example.com")
            #expect(throws: IDTokenRefusal.self) { try user().authenticate(idToken: linked.idToken, for: .lookUp) }
            #expect(try mails().map(\.recipient.text) == [email], "a notice to the former address")
            _ = try authenticator.in(project).signUp("bob@example.com", request: "bob")
            let code = try code(.signIn, "bob@example.com")
            #expect(
                refusal("bob@example.com", code, idToken: moved.idToken, request: "3")
                    == "credential(PhoneAuth.CredentialRefusal.emailExists)"
            )
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a user with a number verifies their own address by a link, and keeps it")
        func ownAddress() throws {
            let tokens = try authenticator.in(project).signUp(email)
            _ = try authenticator.in(project).link("+16505550172", to: tokens.idToken)
            let session = try signedIn(email, idToken: tokens.idToken, request: "1")
            #expect(session.account.uid == tokens.account.uid && session.account.isEmailVerified)
            #expect(session.account.hasPassword && session.account.phoneNumber != nil)
        }

        @Test("a denied sign-in leaves no account and gives the code back, and a repeated one makes one account")
        func repetition() throws {
            hooks.answer { _ in .denied() }
            let code = try code(.signIn, email)
            #expect(refusal(email, code, request: "1").hasPrefix("failed"))
            #expect(try authenticator.in(project).accounts().isEmpty)
            hooks.answer { _ in .allowed }
            try user("died").use(code)
            var uids: Set<String> = []
            for _ in 1...2 {
                guard case .signedIn(let tokens) = try signIn(email, code, request: "died") else { continue }
                uids.insert(tokens.account.uid)
            }
            #expect(uids.count == 1)
            #expect(refusal(email, code, request: "other") == "codeInvalid")
        }

        @Test("a disabled account is not signed in to, and its code stays unused")
        func disabled() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            let key = try #require(deployment.accountKey(of: uid))
            let code = try code(.signIn, email)
            deployment.cli("HSET", key, "disabled", "1")
            #expect(refusal(email, code, request: "1") == "accountDisabled")
            deployment.cli("HDEL", key, "disabled")
            #expect(refusal(email, code, request: "2") == "done")
        }
    }
}
