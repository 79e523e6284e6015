import Encodings
import Passwords
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct PasswordSignInTests {
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
            authenticator.signIn(email, password: password, request: request, in: other ?? project)
        }

        @Test("an address signs up once, however it is written, and signs in with its password alone")
        func signUp() throws {
            let uid = try authenticator.signUp("Ada@Example.COM", in: project).account.uid
            // A front end repeats a request whose worker died.
            #expect(try authenticator.signUp(email, request: "sign-up", in: project).account.uid == uid)
            #expect(signIn("correct horse", "1") == .signedIn(uid: uid))
            #expect(
                authenticator.signIn("ADA@example.com", password: "correct horse", request: "2", in: project)
                    == .signedIn(uid: uid)
            )
            #expect(signIn("Correct horse", "3") == .credentialsInvalid)
            #expect(throws: SignUpRefusal.self) { try authenticator.signUp(email, request: "other", in: project) }
            #expect(try authenticator.accounts(of: project).count == 1)
        }

        @Test("where the project keeps addresses to itself, unknown and known ones get one answer")
        func protection() throws {
            _ = try authenticator.signUp(email, in: project)
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
                    authenticator.signIn("bob@example.com", password: "x", request: "3", in: project) == outcome
                )
            }
            #expect(try authenticator.signInMethods(of: email, in: project) == .notTold)
            #expect(try authenticator.signInMethods(of: email, in: open) == .known([.password]))
            #expect(try authenticator.signInMethods(of: "bob@example.com", in: open) == .known(nil))
            // Tests of the reference emulator's users turn it on.
            var change = JSONObject()
            change[path: ["emailPrivacyConfig", "enableImprovedEmailPrivacy"]] = .bool(true)
            let mask = ["emailPrivacyConfig.enableImprovedEmailPrivacy"]
            let protected = try authenticator.changeConfiguration(change, mask: mask, of: open).project
            #expect(signIn("wrong password", "4", in: protected) == .credentialsInvalid)
        }

        @Test("of racing sign-ups of one address one makes the account", arguments: [2, 12])
        func racing(racers: Int) throws {
            let hashing = try TestPasswordHashing.make()
            let uids = try inParallel(racers) { [deployment, project, email] racer in
                try? deployment.authenticator(passwordHashing: hashing)
                    .signUp(email, "password \(racer)", request: "\(racer)", in: project).account.uid
            }
            #expect(uids.compactMap { $0 }.count == 1)
            let winner = try #require(uids.firstIndex { $0 != nil })
            #expect(signIn("password \(winner)", "r") == .signedIn(uid: try #require(uids[winner])))
            #expect(try authenticator.accounts(of: project).count == 1)
            try authenticator.expectSoundAccounts(of: project)
        }

        @Test("a sign-up whose worker died after its first step leaves the address free")
        func interrupted() throws {
            let identity = authenticator.identifier(try #require(EmailAddress(email)), in: project).identity
            let claim = authenticator.newClaim(uid: "nobody", at: deployment.clock.now)
            #expect(try authenticator.store.claimIdentifier(identity, claim, replacing: nil) == claim)
            #expect(signIn("correct horse", "1") == .credentialsInvalid)
            // While the claim is fresh the account is made under it, later under another one.
            deployment.clock.advance(by: .seconds(1801))
            let uid = try authenticator.signUp(email, in: project).account.uid
            #expect(uid != "nobody")
            #expect(signIn("correct horse", "2") == .signedIn(uid: uid))
        }

        @Test("a weaker hash is replaced at the next sign-in, and the password stays good")
        func rehash() throws {
            let uid = try authenticator.signUp(email, in: project).account.uid
            let key = try #require(deployment.accountKey(of: uid))
            let stored = deployment.cli("HGET", key, "password")
            #expect(signIn("correct horse", "1") == .signedIn(uid: uid))
            #expect(deployment.cli("HGET", key, "password") == stored)
            let dearer = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(passes: 2))
            for request in ["2", "3"] {
                #expect(
                    dearer.signIn(email, password: "correct horse", request: request, in: project)
                        == .signedIn(uid: uid)
                )
                #expect(deployment.cli("HGET", key, "password") != stored)
            }
        }

        @Test("a disabled account says so to whoever knows its password, and to nobody else")
        func disabled() throws {
            let uid = try authenticator.signUp(email, in: project).account.uid
            deployment.cli("HSET", try #require(deployment.accountKey(of: uid)), "disabled", "1")
            #expect(signIn("wrong password", "1") == .credentialsInvalid)
            #expect(signIn("correct horse", "2") == .disabled)
        }

        @Test("neither address, password nor hash can be read in Redis, and what is sealed opens for its account alone")
        func atRest() throws {
            let uid = try authenticator.signUp(email, in: project).account.uid
            let other = try authenticator.signUp("bob@example.com", "another one", request: "2", in: project).account
                .uid
            let everything = deployment.contents().map { "\($0.key)\n\($0.value)" }.joined(separator: "\n")
            #expect(everything.contains("email-claim"))
            for secret in ["example.com", "ada@", "correct horse", "argon2"] { #expect(!everything.contains(secret)) }
            let keys = try [uid, other].map { try #require(deployment.accountKey(of: $0)) }
            let script = "redis.call('HSET', KEYS[1], 'password', redis.call('HGET', KEYS[2], 'password')) return 'OK'"
            #expect(deployment.cli("EVAL", script, "2", keys[0], keys[1]) == "OK")
            #expect(signIn("another one", "3") == .credentialsInvalid)
        }

        @Test("where it is turned off nobody signs in or up with a password")
        func turnedOff() throws {
            _ = try authenticator.signUp(email, in: project)
            #expect(signIn("correct horse", "1", in: deployment.project) == .notOffered)
            #expect(throws: SignUpRefusal.self) { try authenticator.signUp(email, in: deployment.project) }
        }

        @Test("without threads that hash, the answer is that it cannot be done now, and nothing is counted")
        func noThreads() throws {
            let other = deployment.authenticator()
            let outcome = other.signIn(email, password: "x", request: "1", in: project)
            guard case .failed = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(deployment.keyNames(matching: "*wrong-passwords*") == [])
        }
    }
}
