import Encodings
import Passwords
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct SignInWithPasswordTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let email = "ada@example.com"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.projectWithEverything
        }

        private func signIn(_ password: String, _ request: String, in other: Project? = nil) -> PasswordOutcome {
            authenticator.in(other ?? project).signIn(email, password: password, request: request)
        }

        @Test("with email enumeration protection, unknown and known addresses get the same response")
        func protection() throws {
            _ = try authenticator.in(project).signUp(email)
            let open = Project(
                id: project.id,
                authorizedDomains: [],
                isPasswordSignInEnabled: true,
                protectsEmails: false
            )
            #expect(signIn("wrong password", "1") == .credentialsInvalid)
            #expect(signIn("wrong password", "2", in: open) == .passwordWrong)
            for (project, outcome) in [(project, PasswordOutcome.credentialsInvalid), (open, .emailUnknown)] {
                #expect(
                    authenticator.in(project).signIn("bob@example.com", password: "x", request: "3") == outcome
                )
            }
            #expect(try authenticator.in(project).signInMethods(of: email) == .undisclosed)
            #expect(try authenticator.in(open).signInMethods(of: email) == .known([.password]))
            #expect(try authenticator.in(open).signInMethods(of: "bob@example.com") == .known(nil))
            // Apps enable the protection this way in their tests with the reference emulator.
            var change = JSONObject()
            change[path: ["emailPrivacyConfig", "enableImprovedEmailPrivacy"]] = .bool(true)
            let mask = ["emailPrivacyConfig.enableImprovedEmailPrivacy"]
            let protected = try authenticator.in(open).changeConfiguration(change, mask: mask).project
            #expect(signIn("wrong password", "4", in: protected) == .credentialsInvalid)
        }

        @Test("a weaker hash is replaced at the next sign-in, and the password stays valid")
        func rehash() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            let key = try #require(deployment.accountKey(of: uid))
            let stored = deployment.cli("HGET", key, "password")
            #expect(signIn("correct horse", "1") == .signedIn(uid: uid))
            #expect(deployment.cli("HGET", key, "password") == stored)
            let dearer = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(passes: 2))
            for request in ["2", "3"] {
                #expect(
                    dearer.in(project).signIn(email, password: "correct horse", request: request)
                        == .signedIn(uid: uid)
                )
                #expect(deployment.cli("HGET", key, "password") != stored)
            }
        }

        @Test("imported hashes are recorded, so that unknown addresses take as long")
        func importedHashes() throws {
            func decoys() -> [String] {
                deployment.cli("HKEYS", "dt:{\(project.id)}:password-decoys")
                    .split(whereSeparator: \.isNewline).map(String.init).sorted()
            }
            _ = try authenticator.in(project).signUp(email)
            #expect(signIn("wrong password", "1") == .credentialsInvalid)
            #expect(decoys().isEmpty)
            var change = AccountChange()
            change.email = .set("bob@example.com")
            let hash = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
            change.password = .imported(try #require(StoredPassword(hash)))
            let bob = ImportedAccount(uid: "bob", change, source: [1])
            _ = try authenticator.in(project).importAccounts([bob], .refuse)
            let bcrypt = "$2b$05$" + String(repeating: ".", count: 53)
            #expect(decoys() == [bcrypt])
            // The parameters of new hashes change.
            let dearer = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(passes: 2))
            #expect(dearer.in(project).signIn(email, password: "wrong", request: "2") == .credentialsInvalid)
            #expect(decoys().count == 2 && decoys().contains { $0.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$") })
            #expect(try dearer.operation(in: project).settings().passwordDecoys.count <= 2)
            #expect(
                dearer.in(project).signIn("bob@example.com", password: "U*U", request: "3") == .signedIn(uid: "bob")
            )
        }

        @Test("only a correct password reveals that an account is disabled")
        func disabled() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            deployment.cli("HSET", try #require(deployment.accountKey(of: uid)), "disabled", "1")
            #expect(signIn("wrong password", "1") == .credentialsInvalid)
            #expect(signIn("correct horse", "2") == .disabled)
        }

        @Test("address, password and hash are unreadable in Redis, and sealed values open only for their account")
        func atRest() throws {
            let uid = try authenticator.in(project).signUp(email).account.uid
            let other = try authenticator.in(project).signUp("bob@example.com", "another one", request: "2").account
                .uid
            let everything = deployment.contents().map { "\($0.key)\n\($0.value)" }.joined(separator: "\n")
            #expect(everything.contains("email-claim"))
            for secret in ["example.com", "ada@", "correct horse", "argon2"] { #expect(!everything.contains(secret)) }
            let keys = try [uid, other].map { try #require(deployment.accountKey(of: $0)) }
            let script = "redis.call('HSET', KEYS[1], 'password', redis.call('HGET', KEYS[2], 'password')) return 'OK'"
            #expect(deployment.cli("EVAL", script, "2", keys[0], keys[1]) == "OK")
            #expect(signIn("another one", "3") == .credentialsInvalid)
        }

        @Test("if passwords are disabled, no one signs in or up with a password")
        func turnedOff() throws {
            _ = try authenticator.in(project).signUp(email)
            #expect(signIn("correct horse", "1", in: deployment.project) == .notOffered)
            #expect(throws: SignUpRefusal.self) { try authenticator.in(deployment.project).signUp(email) }
        }

        @Test("if no hashing thread is available, the request fails as unavailable and counts towards no limit")
        func noThreads() throws {
            let other = deployment.authenticator()
            let outcome = other.in(project).signIn(email, password: "x", request: "1")
            guard case .failed = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(deployment.keyNames(matching: "*wrong-passwords*") == [])
        }
    }
}
