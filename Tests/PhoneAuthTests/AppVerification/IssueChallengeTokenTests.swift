import PhoneAuth
import RedisScripts
import Testing

extension PhoneAuthTests {
    @Suite struct IssueChallengeTokenTests: AppVerificationSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550160"

        init() throws {
            deployment = try Deployment()
            authenticator = deployment.authenticator(appVerification: .required)
            project = deployment.project
        }

        @Test("a solution is accepted once, and a repeated request gets a token again")
        func solvedOnce() throws {
            _ = try token(request: "1")
            #expect(throws: IssueChallengeTokenRefusal.self) { _ = try token(request: "2") }
            let again = try token(request: "1")
            #expect(authenticator.in(project).send(to: number, provenBy: .challengeToken(again)).sessionInfo != nil)
        }

        @Test("Redis does not contain a usable token")
        func tokenAtRest() throws {
            let token = try token()
            let contents = deployment.contents().map { "\($0.key) \($0.value)" }.joined(separator: "\n")
            #expect(!contents.contains(token.dropFirst(4)))
            #expect(contents.contains("challenge-token"))
        }

        @Test("challenges are counted per network: an IPv6 /64, with higher limits per /56 and /48")
        func challengeCount() throws {
            #expect(try authenticator.in(project).countChallenge(from: "192.0.2.1").recentChallenges == 0)
            #expect(try authenticator.in(project).countChallenge(from: "192.0.2.1").recentChallenges == 1)
            #expect(try authenticator.in(project).countChallenge(from: "192.0.2.2").recentChallenges == 0)
            #expect(try authenticator.in(project).countChallenge(from: "2001:db8::1").recentChallenges == 0)
            #expect(try authenticator.in(project).countChallenge(from: "2001:db8::2").recentChallenges == 1)
            for subnet in 1...14 {
                _ = try authenticator.in(project).countChallenge(from: "2001:db8:0:\(subnet)::1")
            }
            #expect(try authenticator.in(project).countChallenge(from: "2001:db8:0:ff::1").recentChallenges == 4)
            #expect(try authenticator.in(project).countChallenge(from: "2001:db8:0:ff00::1").recentChallenges == 1)
            #expect(!deployment.contents().keys.contains { $0.contains("192.0.2") })
        }
    }
}
