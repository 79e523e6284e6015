import Encodings
import Passwords
import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct SignUpWithPasswordTests {
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

        @Test("an address can sign up once, in any spelling, and signs in only with its password")
        func signUp() throws {
            let uid = try authenticator.in(project).signUp("Ada@Example.COM").account.uid
            // A front end repeats the request of a worker that died.
            #expect(try authenticator.in(project).signUp(email, request: "sign-up").account.uid == uid)
            #expect(signIn("correct horse", "1") == .signedIn(uid: uid))
            #expect(
                authenticator.in(project).signIn("ADA@example.com", password: "correct horse", request: "2")
                    == .signedIn(uid: uid)
            )
            #expect(signIn("Correct horse", "3") == .credentialsInvalid)
            #expect(throws: SignUpRefusal.self) { try authenticator.in(project).signUp(email, request: "other") }
            #expect(try authenticator.in(project).accounts().count == 1)
        }

        @Test("of racing sign-ups with one address, one creates the account", arguments: [2, 12])
        func racing(racers: Int) throws {
            let hashing = try TestPasswordHashing.make()
            let uids = try inParallel(racers) { [deployment, project, email] racer in
                try? deployment.authenticator(passwordHashing: hashing)
                    .in(project).signUp(email, "password \(racer)", request: "\(racer)").account.uid
            }
            #expect(uids.compactMap { $0 }.count == 1)
            let winner = try #require(uids.firstIndex { $0 != nil })
            #expect(signIn("password \(winner)", "r") == .signedIn(uid: try #require(uids[winner])))
            #expect(try authenticator.in(project).accounts().count == 1)
            try authenticator.in(project).expectSoundAccounts()
        }

        @Test("an address is free if the worker of its sign-up died after the first step")
        func interrupted() throws {
            let identity = authenticator.in(project).identifier(try #require(EmailAddress(email))).identity
            let claim = authenticator.in(project).newClaim(uid: "nobody")
            #expect(try authenticator.store.claimIdentifier(identity, claim, replacing: nil) == claim)
            #expect(signIn("correct horse", "1") == .credentialsInvalid)
            // A fresh claim keeps its uid. An expired one is replaced, so the account gets another uid.
            deployment.clock.advance(by: .seconds(1801))
            let uid = try authenticator.in(project).signUp(email).account.uid
            #expect(uid != "nobody")
            #expect(signIn("correct horse", "2") == .signedIn(uid: uid))
        }
    }
}
