import PhoneAuth
import RedisStore
import Testing

extension PhoneAuthTests {
    /// The limits of projects and of the deployment, and the limits on pushes.
    @Suite struct QuotaTests {
        @Test("projects and deployments have quotas, which are reported as such and not as limits of clients")
        func quotas() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerDay = 2
                $0.sendsPerHour = 3
                $0.sendsPerDay = 5
            }
            let authenticator = deployment.authenticator()
            let project = deployment.project
            let other = Project(id: "other-app", authorizedDomains: [])
            for index in 0..<2 {
                #expect(authenticator.in(project).send(to: fictionalNumber(index)).outcome == .opened)
            }
            let ofProject = try ExceededRateLimit.of(authenticator.in(project).send(to: fictionalNumber(2)))
            #expect(ofProject.description == "2 of 2 sends per project in 86400 s")
            // A bucket of a day is 24 minutes long, and a send counts until its bucket has left the day.
            #expect((.seconds(86_400)...(.seconds(86_400 + 1440))).contains(ofProject.retryAfter))
            #expect(authenticator.in(other).send(to: fictionalNumber(2)).outcome == .opened)
            let ofHour = try ExceededRateLimit.of(authenticator.in(other).send(to: fictionalNumber(3)))
            #expect(ofHour.description == "3 of 3 sends per deployment in 3600 s")
            deployment.clock.advance(by: ofHour.retryAfter)
            #expect(authenticator.in(other).send(to: fictionalNumber(3)).outcome == .opened)
            let third = Project(id: "third-app", authorizedDomains: [])
            #expect(authenticator.in(third).send(to: fictionalNumber(4)).outcome == .opened)
            let ofDay = try ExceededRateLimit.of(authenticator.in(third).send(to: fictionalNumber(5)))
            #expect(ofDay.description == "5 of 5 sends per deployment in 86400 s")
        }

        @Test("a quota of 0 means no limit, and nothing is counted")
        func unlimited() throws {
            let deployment = try Deployment {
                $0.sendsPerProjectPerDay = 0
                $0.sendsPerHour = 0
                $0.sendsPerDay = 0
            }
            let authenticator = deployment.authenticator()
            for index in 0..<20 {
                #expect(authenticator.in(deployment.project).send(to: fictionalNumber(index)).outcome == .opened)
            }
            #expect(deployment.keyNames(matching: "dt:{limits}*") == [])
        }

        @Test("a network gets a fixed number of silent pushes per hour, then its devices get the challenge page")
        func pushes() throws {
            let deployment = try Deployment { $0.pushesPerNetworkPerHour = 2 }
            let authenticator = deployment.authenticator(appVerification: .required)
            let project = deployment.project
            func verify(_ device: Int, client: Int = 1, request: String? = nil) -> VerifyClientOutcome {
                let token = String(repeating: "\(device)\(device)", count: 32)
                return authenticator.in(project).verify(token: token, client: client, request: request)
            }
            #expect(verify(1).receipt != nil)
            deployment.clock.advance(by: .seconds(60))
            let second = verify(2, request: "same")
            #expect(verify(2, request: "same") == second)
            let before = deployment.contents()
            #expect(verify(3) == .networkSpent(retryAfter: .seconds(3540)))
            #expect(deployment.contents() == before)
            #expect(verify(3, client: 2).receipt != nil)
            deployment.clock.advance(by: .seconds(3540))
            #expect(verify(4).receipt != nil)
        }
    }
}
