import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct WithdrawSecondFactorTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
                .working(for: .commandLine)
            project = deployment.project(secondFactors: .optional)
        }

        @Test("an operator withdraws one or all factors, which revokes the tokens")
        func withdrawal() throws {
            let user = try authenticator.in(project).secondFactorUser()
            deployment.clock.advance(by: .seconds(2))
            let enrolled = try authenticator.in(project).enroll(number, user.idToken)
            let both = try authenticator.in(project).enrollApp(enrolled.idToken).tokens
            let uid = user.account.uid
            func withdraw(_ id: String?, of uid: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).withdrawSecondFactors(id, uid: uid)
                }
            }
            #expect(withdraw("nobody's", of: uid) == .factorUnknown)
            #expect(withdraw(nil, of: "nobody") == .notAuthenticated(.noAccount))
            let id = try #require(enrolled.account.secondFactors.first?.id)
            deployment.clock.advance(by: .seconds(2))
            #expect(withdraw(id, of: uid) == .done)
            #expect(authenticator.in(project).look(up: both.idToken) == .revoked)
            #expect(try authenticator.in(project).accounts()[uid]?.secondFactors.map(\.kind) == [.totp])
            #expect(withdraw(nil, of: uid) == .done)
            #expect(withdraw(nil, of: uid) == .factorUnknown)
            #expect(try authenticator.in(project).accounts()[uid]?.secondFactors.isEmpty == true)
        }
    }
}
