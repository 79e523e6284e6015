import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct WrongPasswordTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment { policy in
                policy.wrongPasswordsPerEmailAndNetworkPerHour = 3
                policy.wrongPasswordsPerEmailPerDay = 8
                policy.wrongPasswordsPerNetworkPerHour = 4
            }
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.projectWithEverything
        }

        private func signIn(
            _ request: Int,
            _ email: String = "ada@example.com",
            password: String = "wrong password",
            from network: Int = 1
        ) -> PasswordOutcome {
            authenticator.signIn(
                email,
                password: password,
                from: "192.0.2.\(network)",
                request: "\(request)",
                in: project
            )
        }

        @Test("an address hears too many, known or not, and again an hour after its first wrong password")
        func byOneNetwork() throws {
            let uid = try authenticator.signUp("ada@example.com", in: project).account.uid
            for email in ["ada@example.com", "bob@example.com"] {
                let network = email == "ada@example.com" ? 1 : 2
                for request in 1...3 { #expect(signIn(request, email, from: network) == .credentialsInvalid) }
                #expect(
                    signIn(4, email, password: "correct horse", from: network)
                        == .limited(.emailAndNetwork(.narrow), retryAfter: .seconds(3600))
                )
            }
            // The owner is elsewhere.
            #expect(signIn(5, password: "correct horse", from: 3) == .signedIn(uid: uid))
            deployment.clock.advance(by: .seconds(3600))
            #expect(signIn(6, password: "correct horse") == .signedIn(uid: uid))
        }

        @Test("right passwords and repeated requests do not count")
        func notCounted() throws {
            let uid = try authenticator.signUp("ada@example.com", in: project).account.uid
            for request in 1...9 { #expect(signIn(request, password: "correct horse") == .signedIn(uid: uid)) }
            for _ in 1...9 { #expect(signIn(10) == .credentialsInvalid) }
            for request in [11, 10, 11, 10] { #expect(signIn(request) == .credentialsInvalid) }
            #expect(signIn(12, password: "correct horse") == .signedIn(uid: uid))
        }

        @Test("an address has a limit for all networks, a network one for all addresses")
        func shared() throws {
            // Two of the eight are kept for networks that signed in before.
            for request in 1...6 { #expect(signIn(request, from: request) == .credentialsInvalid) }
            #expect(signIn(7, from: 7) == .limited(.email, retryAfter: .seconds(86_400)))
            for request in 1...4 { #expect(signIn(request, "\(request)@example.com", from: 9) == .credentialsInvalid) }
            #expect(signIn(5, "5@example.com", from: 9) == .limited(.network(.narrow), retryAfter: .seconds(3600)))
        }

        @Test("of racing wrong passwords no more are judged than may be")
        func racing() throws {
            let hashing = try TestPasswordHashing.make()
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator(passwordHashing: hashing)
                    .signIn("ada@example.com", password: "wrong", request: "r\(racer)", in: project)
            }
            #expect(outcomes.filter { $0 == .credentialsInvalid }.count == 3)
        }
    }
}
