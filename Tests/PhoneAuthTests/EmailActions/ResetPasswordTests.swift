import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ResetPasswordTests: EmailActionSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws { (deployment, authenticator, project) = try Deployment.withMails() }

        private func signIn(_ password: String, _ request: String) -> PasswordOutcome {
            authenticator.in(project).signIn(email, password: password, request: request)
        }

        @Test("a reset sets the password once, verifies the address and ends every session")
        func reset() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let code = try code(.passwordReset, email)
            #expect(try user().action(of: code).kind == .passwordReset)
            #expect(reset(code, request: "1") == "done")
            #expect(reset(code, to: "another password", request: "2") == "codeInvalid")
            #expect(throws: EmailActionRefusal.self) { try user("2").action(of: code) }
            #expect(signIn("correct horse", "3") == .credentialsInvalid)
            #expect(signIn("a new password", "4") == .signedIn(uid: tokens.account.uid))
            #expect(lookUp(tokens.idToken) == "tokenRevoked")
            #expect(try account(tokens.account.uid)?.isEmailVerified == true)
        }

        @Test("a reset keeps second factors, and they are required afterwards")
        func secondFactors() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            try verify(uid)
            try enrollSecondFactors(uid)
            #expect(reset(try code(.passwordReset, email), request: "1") == "done")
            #expect(try account(uid)?.secondFactors.count == 2)
            #expect(signIn("a new password", "2") == .secondFactorRequired(uid: uid))
        }

        @Test("of two racing resets with one code, one sets its password")
        func race() throws {
            _ = try authenticator.in(project).signUp(email)
            let code = try code(.passwordReset, email)
            let proxy = try deployment.proxy()
            let slow = deployment.authenticator(over: proxy, passwordHashing: try TestPasswordHashing.make())
            // Loads the scripts: an unknown script would be counted without running.
            _ = try slow.in(project).signUp("bob@example.com")
            _ = try? slow.in(project, request: "0").use(EmailCode(deployment.clock.environment))
            let (deployment, project, hashing) = (deployment, project, try TestPasswordHashing.make())
            proxy.overtake(beforeScript: 1) {
                let fast = deployment.authenticator(passwordHashing: hashing)
                _ = try? fast.in(project, request: "fast").resetPassword(code, to: "the fast one")
            }
            let outcome = refusal { () throws(EmailActionRefusal) in
                _ = try slow.in(project, request: "slow").resetPassword(code, to: "the slow one")
            }
            #expect(proxy.hasInterrupted() && outcome == "codeInvalid")
            #expect(signIn("the slow one", "1") == .credentialsInvalid)
            guard case .signedIn = signIn("the fast one", "2") else {
                Issue.record("the first reset has no effect")
                return
            }
        }

        @Test("a request whose worker died after it had used the code succeeds if repeated, and no other request does")
        func death() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            let code = try code(.passwordReset, email)
            try user("died").use(code)
            #expect(reset(code, request: "other") == "codeInvalid")
            let operation = authenticator.in(project).repeating("died")
            #expect(throws: Never.self) { try operation.use(code) }
            #expect(
                refusal { () throws(EmailActionRefusal) in
                    _ = try operation.resetPassword(code, to: "a new password")
                } == "done"
            )
            #expect(signIn("a new password", "1") == .signedIn(uid: uid))
        }

        @Test("nothing that can refuse a reset uses its code up")
        func refusals() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            let code = try code(.passwordReset, email)
            let tooShort = "credential(PhoneAuth.CredentialRefusal.passwordTooShort)"
            #expect(reset(code, to: "short", request: "1") == tooShort)
            let withoutThreads = deployment.authenticator().in(project, request: "2")
            #expect(
                refusal { () throws(EmailActionRefusal) in
                    _ = try withoutThreads.resetPassword(code, to: "a new password")
                }.hasPrefix("failed")
            )
            #expect(
                refusal { () throws(EmailActionRefusal) in
                    _ = try user("3", in: deployment.project).resetPassword(code, to: "a new password")
                } == "passwordSignInDisabled"
            )
            deployment.cli("HSET", try #require(deployment.accountKey(of: uid)), "disabled", "1")
            #expect(reset(code, request: "4") == "accountDisabled")
            deployment.cli("HDEL", try #require(deployment.accountKey(of: uid)), "disabled")
            #expect(reset(code, request: "5") == "done")
        }

        @Test("after a reset, the wrong passwords that the user tried before no longer count")
        func forgottenPassword() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            for number in 1...11 { _ = signIn("a wrong password", "\(number)") }
            guard case .limited = signIn("correct horse", "12") else {
                Issue.record("not limited")
                return
            }
            #expect(reset(try code(.passwordReset, email), request: "13") == "done")
            #expect(signIn("a new password", "14") == .signedIn(uid: uid))
        }

        @Test("an account with a number and an unverified address is not reset, not even with a code sent before")
        func unverified() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let early = try code(.passwordReset, email)
            _ = try authenticator.in(project).link("+16505550170", to: tokens.idToken)
            #expect(reset(early, request: "1") == "codeInvalid")
            deployment.clock.advance(by: .seconds(61))
            #expect(request(.passwordReset, email) == email)
            let mail = try #require(try mails().last)
            #expect(try !authenticator.isAddressed(mail))
            #expect(reset(try #require(mail.code), request: "2") == "codeInvalid")
            try verify(tokens.account.uid)
            #expect(try authenticator.isAddressed(mail))
            #expect(reset(try #require(mail.code), request: "3") == "done")
        }

        @Test("an account whose user has proven something else is not reset by the reader of an unverified address")
        func provenOtherwise() throws {
            let eve = try authenticator.in(project).signUp("eve@example.com", request: "eve")
            try verify(eve.account.uid)
            _ = try authenticator.in(project).updateAccount(of: eve.idToken) { $0.email = .set(email) }
            let mallory = try authenticator.in(project).signUp("mallory@example.com", request: "mallory")
            try enrollSecondFactors(mallory.account.uid)
            for (number, address) in [email, "mallory@example.com"].enumerated() {
                #expect(request(.passwordReset, address) == address)
                let mail = try #require(try mails().last)
                #expect(try !authenticator.isAddressed(mail))
                #expect(reset(try #require(mail.code), request: "\(number)") == "codeInvalid")
            }
        }

        @Test("a number that is linked while a reset is under way keeps the account from the address's reader")
        func overtakenByNumber() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let code = try code(.passwordReset, email)
            let proxy = try deployment.proxy()
            let slow = deployment.authenticator(over: proxy, passwordHashing: try TestPasswordHashing.make())
            // Loads the script: an unknown script would be counted without running.
            _ = try? slow.in(project, request: "0").use(EmailCode(deployment.clock.environment))
            let (deployment, project, idToken) = (deployment, project, tokens.idToken)
            proxy.overtake(beforeScript: 1) {
                _ = try? deployment.authenticator().in(project).link("+16505550174", to: idToken)
            }
            let outcome = refusal { () throws(EmailActionRefusal) in
                _ = try slow.in(project, request: "slow").resetPassword(code, to: "a new password")
            }
            #expect(proxy.hasInterrupted() && outcome.hasSuffix("interrupted)"))
            let account = try #require(try account(tokens.account.uid))
            #expect(account.phoneNumber == "+16505550174" && !account.isEmailVerified)
            #expect(signIn("a new password", "1") == .credentialsInvalid)
        }

        @Test("a code expires, and is valid neither for another action nor in another project")
        func scope() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let code = try code(.passwordReset, email)
            #expect(apply(code, request: "1") == "codeInvalid")
            #expect(throws: EmailActionRefusal.self) { try signIn(email, code, request: "2") }
            let other = Project(id: "other", authorizedDomains: [], isPasswordSignInEnabled: true)
            #expect(
                refusal { () throws(EmailActionRefusal) in
                    _ = try user("3", in: other).resetPassword(code, to: "a new password")
                } == "codeInvalid"
            )
            let verification = try self.code(.verifyEmail, idToken: tokens.idToken)
            #expect(reset(verification, request: "4") == "codeInvalid")
            deployment.clock.advance(by: .seconds(3600))
            #expect(reset(code, request: "5") == "codeExpired")
            #expect(apply(verification, request: "6") == "done")
        }
    }
}
