import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct RequestEmailActionTests: EmailActionSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws { (deployment, authenticator, project) = try Deployment.withMails() }

        @Test("with protection, known and unknown addresses get the same response, and the dispatcher tells them apart")
        func protection() throws {
            _ = try authenticator.in(project).signUp(email)
            for address in [email, "bob@example.com"] { #expect(request(.passwordReset, address) == address) }
            let sent = try mails()
            #expect(sent.map(\.recipient.text) == [email, "bob@example.com"])
            #expect(try sent.map { try authenticator.isAddressed($0) } == [true, false])
            let open = deployment.projectWithMails(protectsEmails: false)
            #expect(request(.passwordReset, "eve@example.com", by: user(in: open)) == "emailUnknown")
            #expect(try mails().isEmpty)
        }

        @Test("with protection, a change to an address of another account gets the usual response and no e-mail")
        func protectedChange() throws {
            let tokens = try authenticator.in(project).signUp(email)
            _ = try authenticator.in(project).signUp("bob@example.com", request: "bob")
            let open = deployment.projectWithMails(protectsEmails: false)
            let exists = "credential(PhoneAuth.CredentialRefusal.emailExists)"
            for (project, response) in [(project, email), (open, exists)] {
                let response2 = request(
                    .changeEmail,
                    newEmail: "bob@example.com",
                    idToken: tokens.idToken,
                    by: user(in: project)
                )
                #expect(response2 == response)
            }
            let sent = try mails()
            #expect(try sent.count == 1 && sent.allSatisfy { try !authenticator.isAddressed($0) })
        }

        @Test("a repeated request sends no second e-mail while the first one's code is unused and recent")
        func lock() throws {
            let tokens = try authenticator.in(project).signUp(email)
            let first = try code(.passwordReset, email)
            for number in 1...3 { #expect(request(.passwordReset, email, by: user("\(number)")) == email) }
            #expect(try mails().isEmpty)
            #expect(reset(first, request: "4") == "done")
            let second = try code(.passwordReset, email)
            deployment.clock.advance(by: .seconds(60))
            let third = try code(.passwordReset, email)
            #expect(reset(second, request: "5") == "codeInvalid", "a new code replaces the earlier one")
            #expect(reset(third, request: "6") == "done")
            // A mistyped new address can be corrected at once.
            let session = try authenticator.in(project).signUp("bob@example.com", request: "bob")
            #expect(tokens.account.uid != session.account.uid)
            for address in ["typo@example.com", "right@example.com"] {
                request(.changeEmail, newEmail: address, idToken: session.idToken)
            }
            #expect(try mails().map(\.recipient.text) == ["typo@example.com", "right@example.com"])
        }

        @Test("e-mails to an address are limited whichever networks request them, and a refused one is not queued")
        func perAddress() throws {
            for number in 1...5 {
                #expect(request(.signIn, email, by: user("\(number)", from: "198.51.100.\(number)")) == email)
                deployment.clock.advance(by: .seconds(61))
            }
            let refused = request(.signIn, email, by: user("6", from: "203.0.113.9"))
            #expect(refused.hasPrefix("failed") && refused.contains("e-mails of the e-mail address"))
            #expect(request(.signIn, "bob@example.com", by: user("7", from: "198.51.100.1")) == "bob@example.com")
            #expect(try mails().count == 6)
            // Ten in 24 hours.
            for number in 1...5 {
                deployment.clock.advance(by: .seconds(3600))
                #expect(request(.signIn, email, by: user("day\(number)")) == email)
            }
            deployment.clock.advance(by: .seconds(3600))
            #expect(request(.signIn, email, by: user("8")).hasPrefix("failed"))
        }

        @Test("the clients of a network share a limit, whichever addresses of an IPv6 /48 they have")
        func perNetwork() throws {
            let suite = try OtherEmailActions { $0.mailsPerNetworkPerHour = 1 }
            var sent = 0
            for number in 0..<20 {
                let address = "2001:db8:1:\(number)00::1"
                let operation = suite.user("\(number)", from: address)
                if suite.request(.signIn, "a\(number)@example.com", by: operation).hasPrefix("a") { sent += 1 }
            }
            #expect(sent == 16)
        }

        @Test("a project's e-mails are limited, and an administrator's are not")
        func perProject() throws {
            let suite = try OtherEmailActions { policy in
                policy.mailsPerProjectPerHour = 2
                policy.mailsPerProjectPerDay = 3
            }
            for (number, isSent) in [(1, true), (2, true), (3, false)] {
                let operation = suite.user("\(number)", from: "192.0.2.\(number)")
                #expect(suite.request(.signIn, "a\(number)@example.com", by: operation).hasPrefix("a") == isSent)
            }
            let administrator = suite.authenticator.in(suite.project)
            #expect(suite.request(.signIn, "a4@example.com", by: administrator) == "a4@example.com")
        }

        @Test("an e-mail that nobody may get is taken back from the project's limits once")
        func refund() throws {
            let suite = try OtherEmailActions { $0.mailsPerProjectPerHour = 2 }
            func send(_ number: Int) -> Bool {
                let operation = suite.user("\(number)", from: "192.0.2.\(number)")
                return suite.request(.passwordReset, "a\(number)@example.com", by: operation).hasPrefix("a")
            }
            #expect((1...3).map { send($0) } == [true, true, false])
            let mail = try #require(try suite.mails().last)
            for _ in 1...2 { try suite.authenticator.finish(mail, .unaddressed, refusedBy: []) }
            #expect((4...5).map { send($0) } == [true, false])
        }

        @Test("an administrator gets the link in place of an e-mail, and a user's e-mail is not withheld for it")
        func links() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            var request = EmailActionRequest(.verifyEmail, Self.link)
            request.email = email
            request.returnsLink = true
            let requested = try authenticator.in(project).requestEmailAction(request)
            #expect(try mails().isEmpty)
            let code = try #require(requested.code.flatMap { EmailCode($0) })
            #expect(
                requested.link == "https://app.example.com/__/auth/action?mode=verifyEmail&lang=de-AT"
                    + "&oobCode=\(code.text)&apiKey=key"
            )
            #expect(apply(code, request: "1") == "done")
            #expect(try account(uid)?.isEmailVerified == true)
            var reset = EmailActionRequest(.passwordReset, Self.link)
            reset.email = email
            reset.returnsLink = true
            #expect(try authenticator.in(project).requestEmailAction(reset).link != nil)
            #expect(self.request(.passwordReset, email) == email)
            #expect(try mails().count == 1)
            reset.email = "bob@example.com"
            let unknown = try authenticator.in(project).requestEmailAction(reset)
            #expect(unknown.email.text == "bob@example.com" && unknown.link == nil)
        }

        @Test("only users may request e-mails about their own accounts, and changes require a recent sign-in")
        func authentication() throws {
            let tokens = try authenticator.in(project).signUp(email)
            #expect(request(.verifyEmail, email).hasPrefix("notAuthenticated"))
            #expect(request(.changeEmail, email, newEmail: "b@example.com").hasPrefix("notAuthenticated"))
            let anonymous = try authenticator.in(project).signUpAnonymously()
            #expect(request(.verifyEmail, idToken: anonymous.idToken) == "emailMissing")
            deployment.clock.advance(by: .seconds(301))
            #expect(request(.verifyEmail, idToken: tokens.idToken) == email)
            let late = request(.changeEmail, newEmail: "b@example.com", idToken: tokens.idToken)
            #expect(late.contains("signInTooOld"))
            for kind in [EmailActionKind.signIn, .passwordReset] {
                #expect(request(kind, email, by: user(in: deployment.project)) == "notOffered")
                #expect(request(kind, "ada") == "credential(PhoneAuth.CredentialRefusal.emailInvalid)")
                #expect(request(kind) == "emailMissing")
            }
        }

        @Test("codes and addresses are unreadable in Redis")
        func atRest() throws {
            let code = try code(.signIn, email)
            let everything = deployment.contents().map { "\($0.key)\n\($0.value)" }.joined(separator: "\n")
            #expect(everything.contains("email-action") && everything.contains("mail-outbox"))
            for secret in ["example.com", "ada@", code.text] { #expect(!everything.contains(secret)) }
        }

        @Test("each outcome of an e-mail is recorded and counted once, and one that no gateway accepted is kept")
        func outcomes() throws {
            for number in 1...4 { request(.signIn, "a\(number)@example.com", by: user("\(number)")) }
            let results: [MailResult] = [.accepted(gateway: "main"), .unaddressed, .dead(reason: "refused"), .late]
            let sent = try mails()
            for (mail, result) in zip(sent, results) {
                for _ in 1...2 { try authenticator.finish(mail, result, refusedBy: ["first"]) }
            }
            let states = sent.map { deployment.cli("HGET", "dt:{\(project.id)}:mail:\($0.item.entryID)", "state") }
            #expect(states == ["accepted", "unaddressed", "dead", "late"])
            #expect(deployment.cli("XLEN", "dt:{\(project.id)}:mail-outbox") == "0")
            #expect(deployment.cli("XLEN", "dt:{\(project.id)}:dead-mails") == "1")
            let day = deployment.clock.now.milliseconds / 86_400_000
            let counts = deployment.cli("HGETALL", "dt:{\(project.id)}:mail-counts:\(day)").split(separator: "\n")
            #expect(
                Set(stride(from: 0, to: counts.count - 1, by: 2).map { "\(counts[$0]) \(counts[$0 + 1])" }) == [
                    "accepted:main 1", "unaddressed: 1", "dead: 1", "ended: 1", "passed-on:first 4",
                ]
            )
        }
    }
}
