import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct ApplyEmailActionTests: EmailActionSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws { (deployment, authenticator, project) = try Deployment.withMails() }

        private func events() throws -> [String] {
            var log = authenticator.store.auditLog(of: nil, since: 0)
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
            _ = try authenticator.in(project).signUp(email, request: "again")
            #expect(apply(recovery, request: "3") == exists)
            #expect(try account(tokens.account.uid)?.email == "new@example.com")
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
