import Encodings
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ApplyEmailActionTests: EmailActionSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws { (deployment, authenticator, project) = try Deployment.withMails() }

        private func events() throws -> [String] {
            var log = authenticator.store.auditLog(of: nil, since: 0, latestFirst: false)
            var kinds: [String] = []
            while let event = try log.next() { kinds.append(event.kind) }
            return kinds
        }

        @Test("a code verifies the address once, and a second factor can then be enrolled")
        func verification() throws {
            let tokens = try authenticator.in(project).signUp(email)
            #expect(throws: SecondFactorRefusal.self) {
                try user().enrollingUser(idToken: tokens.idToken, .totp)
            }
            let code = try code(.verifyEmail, idToken: tokens.idToken)
            #expect(try user().action(of: code).email.text == email)
            #expect(apply(code, request: "1") == "done")
            #expect(apply(code, request: "1") == "done", "a repeated request")
            #expect(apply(code, request: "2") == "codeInvalid")
            #expect(throws: Never.self) { try user().enrollingUser(idToken: tokens.idToken, .totp) }
            #expect(try Set(events()) == ["sign-up", "email-verified"])
        }

        @Test("a code verifies only the address that received it")
        func otherAddress() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let code = try code(.verifyEmail, idToken: tokens.idToken)
            let changed = try authenticator.in(project).updateAccount(of: tokens.idToken) {
                $0.email = .set("eve@example.com")
            }
            #expect(apply(code, request: "1") == "codeInvalid")
            #expect(try account(changed.account.uid)?.isEmailVerified == false)
            // Another account now has the address.
            let other = try authenticator.in(project).signUp(email, request: "other").account.uid
            #expect(apply(code, request: "2") == "codeInvalid")
            #expect(try account(other)?.isEmailVerified == false)
        }

        @Test("a change takes the proven address and revokes tokens, and the former verified address can undo it")
        func change() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let uid = tokens.account.uid
            try verify(uid)
            let change = try code(.changeEmail, newEmail: "new@example.com", idToken: tokens.idToken)
            let checked = try user().action(of: change)
            #expect(checked.email.text == email && checked.newEmail?.text == "new@example.com")
            #expect(apply(change, request: "1") == "done")
            #expect(apply(change, request: "1") == "done", "a repeated request")
            #expect(apply(change, request: "2") == "codeInvalid")
            #expect(lookUp(tokens.idToken) == "tokenRevoked")
            let changed = try #require(try account(uid))
            #expect(changed.email == "new@example.com" && changed.isEmailVerified && changed.hasPassword)
            let notice = try #require(try mails().first)
            #expect(notice.kind == .recoverEmail && notice.recipient.text == email)
            #expect(notice.newEmail == "new@example.com")
            let session = authenticator.in(project)
                .signIn("new@example.com", password: "correct horse", request: "3")
            #expect(session == .signedIn(uid: uid))
            #expect(apply(try #require(notice.code), request: "4") == "done")
            let recovered = try #require(try account(uid))
            #expect(recovered.email == email && recovered.isEmailVerified)
            #expect(try mails().isEmpty, "a recovery sends no notice to the address that it takes away")
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an address that another account has got is neither taken nor taken back, and the code stays valid")
        func taken() throws {
            let exists = "credential(PhoneAuth.CredentialRefusal.emailExists)"
            let tokens = try authenticator.in(project).signUp(email)
            try verify(tokens.account.uid)
            let change = try code(.changeEmail, newEmail: "new@example.com", idToken: tokens.idToken)
            let other = try authenticator.in(project).signUp("new@example.com", request: "other").account.uid
            #expect(apply(change, request: "1") == exists)
            try authenticator.in(project).deleteAccount(uid: other)
            #expect(apply(change, request: "2") == "done")
            let recovery = try #require(try mails().first?.code)
            let uid = try authenticator.in(project).signUp(email, request: "again").account.uid
            try verify(uid)
            #expect(apply(recovery, request: "3") == exists)
            #expect(try account(tokens.account.uid)?.email == "new@example.com")
        }

        /// Changes the address with a code, and returns the code of the notice to the former one.
        private func change(to newEmail: String, _ idToken: String) throws -> EmailCode {
            let change = try code(.changeEmail, newEmail: newEmail, idToken: idToken)
            #expect(apply(change, request: newEmail) == "done")
            deployment.clock.advance(by: .seconds(1))
            return try #require(try mails().last?.code)
        }

        @Test("a recovery takes the address back from an account that has signed up with it and not verified it")
        func squatted() throws {
            let tokens = try authenticator.in(project).signUp(email)
            try verify(tokens.account.uid)
            let notice = try change(to: "thief@example.com", tokens.idToken)
            let squatter = try authenticator.in(project).signUp(email, request: "squatter").account.uid
            #expect(apply(notice, request: "1") == "done")
            #expect(try account(tokens.account.uid)?.email == email)
            #expect(try account(squatter)?.email == nil)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("a thief's notices do not undo a recovery, nor does a thief who is first", arguments: [false, true])
        func thief(isFirst: Bool) throws {
            let tokens = try authenticator.in(project).signUp(email)
            let uid = tokens.account.uid
            try verify(uid)
            let notice = try change(to: "thief@example.com", tokens.idToken)
            let theft = try signedIn("thief@example.com", request: "theft")
            let theirs = try change(to: "other@example.com", theft.idToken)
            if isFirst {
                #expect(apply(theirs, request: "1") == "done")
                #expect(try account(uid)?.email == "thief@example.com")
            }
            #expect(apply(notice, request: "2") == "done")
            deployment.clock.advance(by: .seconds(1))
            #expect(apply(theirs, request: "3") == "codeInvalid")
            // Nor after the user's own change is undone.
            let session = try signedIn(email, request: "own")
            let own = try change(to: "new@example.com", session.idToken)
            #expect(apply(own, request: "4") == "done")
            #expect(apply(theirs, request: "5") == "codeInvalid")
            #expect(try account(uid)?.email == email)
        }

        @Test(
            "a recovery removes the password and a number linked since, and keeps an older number",
            arguments: [true, false]
        )
        func recoveredNumber(isOlder: Bool) throws {
            let tokens = try authenticator.in(project).signUp(email)
            let (uid, number) = (tokens.account.uid, "+16505550173")
            try verify(uid)
            if isOlder { _ = try authenticator.in(project).link(number, to: tokens.idToken) }
            let notice = try change(to: "thief@example.com", tokens.idToken)
            if !isOlder {
                let theft = try signedIn("thief@example.com", request: "theft")
                _ = try authenticator.in(project).link(number, to: theft.idToken)
            }
            #expect(try account(uid)?.phoneNumber == number)
            #expect(apply(notice, request: "1") == "done")
            let recovered = try #require(try account(uid))
            #expect(recovered.email == email && !recovered.hasPassword)
            #expect(recovered.phoneNumber == (isOlder ? number : nil))
        }

        /// Applies a code, and something else once the request has read the account.
        private func apply(_ code: EmailCode, overtakenBy other: @escaping @Sendable () -> Void) throws -> String {
            let proxy = try deployment.proxy()
            let slow = deployment.authenticator(over: proxy, passwordHashing: try TestPasswordHashing.make())
            // Loads the script: an unknown script would be counted without running.
            _ = try? slow.in(project, request: "0").use(EmailCode(deployment.clock.environment))
            proxy.overtake(beforeScript: 1, other)
            let outcome = refusal { () throws(EmailActionRefusal) in
                _ = try slow.in(project, request: "slow").applyEmailAction(code, Self.link)
            }
            #expect(proxy.hasInterrupted())
            return outcome
        }

        @Test("a recovery removes a number that is linked while it is under way")
        func overtakingNumber() throws {
            let tokens = try authenticator.in(project).signUp(email)
            try verify(tokens.account.uid)
            let notice = try change(to: "thief@example.com", tokens.idToken)
            let theft = try signedIn("thief@example.com", request: "theft")
            let (deployment, project) = (deployment, project)
            let outcome = try apply(notice) {
                _ = try? deployment.authenticator().in(project).link("+16505550176", to: theft.idToken)
            }
            let recovered = try #require(try account(tokens.account.uid))
            #expect(outcome == "done" && recovered.email == email && recovered.phoneNumber == nil)
        }

        @Test("a change of address fails if a reset of the password commits while it is under way")
        func overtakingReset() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let reset = try code(.passwordReset, email)
            let change = try code(.changeEmail, newEmail: "eve@example.com", idToken: tokens.idToken)
            let (deployment, project, hashing) = (deployment, project, try TestPasswordHashing.make())
            let outcome = try apply(change) {
                let fast = deployment.authenticator(passwordHashing: hashing)
                _ = try? fast.in(project, request: "fast").resetPassword(reset, to: "a new password")
            }
            let account = try #require(try account(tokens.account.uid))
            #expect(outcome == "codeInvalid" && account.email == email && account.isEmailVerified)
        }

        @Test("a reset of the password ends the changes that former sessions requested")
        func endedChange() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let change = try code(.changeEmail, newEmail: "eve@example.com", idToken: tokens.idToken)
            #expect(reset(try code(.passwordReset, email), request: "1") == "done")
            #expect(apply(change, request: "2") == "codeInvalid")
            #expect(try account(tokens.account.uid)?.email == email)
        }

        @Test("a user's change notifies a verified former address, although the limits of e-mails are used up")
        func notice() throws {
            let suite = try OtherEmailActions { $0.mailsPerAddressPerHour = 1 }
            let operation = suite.authenticator.in(suite.project)
            let tokens = try operation.signUp(email)
            try suite.verify(tokens.account.uid)
            #expect(suite.request(.signIn, email) == email)
            #expect(suite.request(.passwordReset, email).hasPrefix("failed"))
            _ = try suite.mails()
            let changed = try operation.updateAccount(of: tokens.idToken) {
                $0.email = .set("eve@example.com")
                $0.recoveryLink = Self.link
            }
            #expect(try suite.mails().map(\.kind) == [.recoverEmail])
            // The address was never verified, so whoever reads its mail has no claim to the account.
            let next = try #require(changed.tokens)
            _ = try operation.updateAccount(of: next.idToken) {
                $0.email = .set("mallory@example.com")
                $0.recoveryLink = Self.link
            }
            #expect(try suite.mails().isEmpty)
        }

        @Test("a code of a deleted or disabled account has no effect")
        func gone() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let uid = tokens.account.uid
            let code = try code(.verifyEmail, idToken: tokens.idToken)
            deployment.cli("HSET", try #require(deployment.accountKey(of: uid)), "disabled", "1")
            #expect(apply(code, request: "1") == "accountDisabled")
            try authenticator.in(project).deleteAccount(uid: uid)
            #expect(apply(code, request: "2") == "codeInvalid")
        }
    }
}
