import RedisScripts
import Testing
import TestServers

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The limits on wrong passwords of an e-mail address and from a network (brute force).
    @Suite struct SignInWithPasswordLimitTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            deployment = try Deployment { policy in
                policy.wrongPasswordsPerEmailAndNetworkPerHour = 3
                policy.wrongPasswordsPerEmailPerDay = 16
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
            authenticator.in(project).signIn(
                email,
                password: password,
                from: "192.0.2.\(network)",
                request: "\(email) \(request)"
            )
        }

        @Test("wrong passwords are limited per address, known or unknown, until an hour after the first one")
        func byOneNetwork() throws {
            let uid = try authenticator.in(project).signUp("ada@example.com").account.uid
            for email in ["ada@example.com", "bob@example.com"] {
                let network = email == "ada@example.com" ? 1 : 2
                for request in 1...3 { #expect(signIn(request, email, from: network) == .credentialsInvalid) }
                #expect(
                    signIn(4, email, password: "correct horse", from: network)
                        == .limited(.emailAddressByNetwork(.narrow), retryAfter: .seconds(3600))
                )
            }
            // The owner signs in from another network.
            #expect(signIn(5, password: "correct horse", from: 3) == .signedIn(uid: uid))
            deployment.clock.advance(by: .seconds(3600))
            #expect(signIn(6, password: "correct horse") == .signedIn(uid: uid))
        }

        @Test("correct passwords and repeated requests do not count")
        func notCounted() throws {
            let uid = try authenticator.in(project).signUp("ada@example.com").account.uid
            for request in 1...9 { #expect(signIn(request, password: "correct horse") == .signedIn(uid: uid)) }
            for _ in 1...9 { #expect(signIn(10) == .credentialsInvalid) }
            for request in [11, 10, 11, 10] { #expect(signIn(request) == .credentialsInvalid) }
            #expect(signIn(12, password: "correct horse") == .signedIn(uid: uid))
        }

        @Test("an address has a limit across networks, and a network one across addresses (credential stuffing)")
        func shared() throws {
            // Five of the sixteen are reserved for networks that have signed in before.
            for request in 1...11 { #expect(signIn(request, from: 10 + request) == .credentialsInvalid) }
            #expect(signIn(12, from: 7) == .limited(.emailAddress, retryAfter: .seconds(86_400)))
            // One of a network's four is reserved for addresses that have signed in from it.
            let uid = try authenticator.in(project).signUp("cleo@example.com").account.uid
            #expect(signIn(1, "cleo@example.com", password: "correct horse", from: 9) == .signedIn(uid: uid))
            for request in 1...3 { #expect(signIn(request, "\(request)@example.com", from: 9) == .credentialsInvalid) }
            #expect(signIn(2, "cleo@example.com", password: "correct horse", from: 9) == .signedIn(uid: uid))
            #expect(signIn(5, "5@example.com", from: 9) == .limited(.network(.narrow), retryAfter: .seconds(900)))
        }

        @Test("one IPv4 address gets at most three fifths of the wrong passwords per e-mail address and day")
        func ofOneDay() throws {
            // Three in an hour, and six of eleven in a day.
            for request in 1...3 { #expect(signIn(request) == .credentialsInvalid) }
            deployment.clock.advance(by: .seconds(3600))
            for request in 4...6 { #expect(signIn(request) == .credentialsInvalid) }
            deployment.clock.advance(by: .seconds(3600))
            #expect(signIn(7) == .limited(.emailAddressByNetwork(.narrow), retryAfter: .seconds(79_200)))
            for request in 8...10 { #expect(signIn(request, from: request) == .credentialsInvalid) }
            deployment.clock.advance(by: .seconds(79_200))
            #expect(signIn(11) == .credentialsInvalid)
        }

        @Test("however high the hourly limit is, a /48 cannot use up an address's wrong passwords")
        func bounded() throws {
            for perHour in [18, 100, 1000] {
                var policy = Policy()
                policy.wrongPasswordsPerEmailAndNetworkPerHour = perHour
                #expect(policy.wrongPasswordLimits.largestShareOfNetwork == 42)
                #expect(policy.wrongPasswordLimits.perEmailForUnknownNetworks == 70)
            }
            let deployment = try Deployment { $0.wrongPasswordsPerEmailAndNetworkPerHour = 1000 }
            let authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            func signIn(_ request: Int, from address: String) -> PasswordOutcome {
                authenticator.in(project).signIn(
                    "ada@example.com",
                    password: "wrong password",
                    from: address,
                    request: "\(request)"
                )
            }
            let outcomes = (0..<60).map { signIn($0, from: "2001:db8:1:\(String($0, radix: 16))00::1") }
            #expect(outcomes.count { $0 == .credentialsInvalid } == 42)
            guard case .limited(.emailAddressByNetwork(.slash48), _) = outcomes[59] else {
                Issue.record("\(outcomes[59])")
                return
            }
            #expect(signIn(60, from: "2001:db8:2::1") == .credentialsInvalid)
        }

        @Test("of racing wrong passwords, only as many as the limit allows are verified")
        func racing() throws {
            let hashing = try TestPasswordHashing.make()
            let outcomes = try inParallel(12) { [deployment, project] racer in
                deployment.authenticator(passwordHashing: hashing)
                    .in(project).signIn("ada@example.com", password: "wrong", request: "r\(racer)")
            }
            #expect(outcomes.filter { $0 == .credentialsInvalid }.count == 3)
        }
    }
}
