import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct StartSecondFactorEnrollmentTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withSecondFactors()
        }

        @Test("an account has at most five factors and no number twice")
        func room() throws {
            var idToken = try authenticator.in(project).secondFactorUser().idToken
            for last in 0..<5 {
                idToken = try authenticator.in(project).enroll("+1650555012\(last)", idToken).idToken
            }
            for (number, expected) in [
                ("+16505550120", SecondFactorOutcome.alreadyEnrolled), ("+16505550125", .limitReached),
            ] {
                let idToken = idToken
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.in(project).startEnrollment(number, idToken)
                    } == expected
                )
            }
        }
    }
}
