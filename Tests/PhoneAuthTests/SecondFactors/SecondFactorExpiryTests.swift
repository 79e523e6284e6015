import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The lifetimes of proofs, setups and sessions for second factors.
    @Suite struct SecondFactorExpiryTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.project(secondFactors: .optional)
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        @Test("the first factor's proof expires after fifteen minutes")
        func pendingCredential() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let phone = try authenticator.in(project).enroll("+16505550161", user.idToken)
            let (enrolled, secret) = try authenticator.in(project).enrollApp(phone.idToken)
            let app = try #require(enrolled.account.secondFactors.first { $0.kind == .totp })
            let number = try #require(enrolled.account.secondFactors.first { $0.kind != .totp })
            let challenge = try authenticator.in(project).challenge()
            func finish(request: String) -> SecondFactorOutcome {
                let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now))
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finish(
                        .totp(secondFactorID: app.id, code: code),
                        challenge,
                        request: request
                    )
                }
            }
            wait(899)
            #expect(finish(request: "in time") == .done)
            wait(1)
            #expect(finish(request: "late") == .pendingCredentialInvalid)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).startSecondFactor(number.id, challenge)
                } == .pendingCredentialInvalid
            )
        }

        @Test(
            "an authenticator app must be set up within ten minutes",
            arguments: [(599, true), (600, false)] as [(Int64, Bool)]
        )
        func enrollment(seconds: Int64, isInTime: Bool) throws {
            let user = try authenticator.in(project).secondFactorUser()
            let enrolling = try authenticator.in(project).enrollingUser(idToken: user.idToken, .totp)
            let enrollment = try authenticator.in(project).startTOTPEnrollment(of: enrolling)
            #expect(enrollment.expiresAt == deployment.clock.now + .seconds(600))
            let ticket = try #require(
                TOTPEnrollmentTicket(enrollment.sessionInfo, for: enrolling.identity, authenticator.keys)
            )
            wait(seconds)
            let code = ticket.secret.code(at: TOTPSecret.step(at: deployment.clock.now))
            let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.in(project).finishEnrollment(
                    .totp(sessionInfo: enrollment.sessionInfo, code: code),
                    user.idToken
                )
            }
            #expect(outcome == (isInTime ? .done : .enrollmentEnded(used: false)))
        }

        @Test("the session of a message expires after ten minutes, for second factors as for sign-ins")
        func session() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let session = try authenticator.in(project).startEnrollment("+16505550161", user.idToken)
            let code = try authenticator.in(project).code(of: session)
            wait(600)
            let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.in(project).finishEnrollment(.phone(sessionInfo: session, code: code), user.idToken)
            }
            #expect(outcome == .sessionEnded(used: false))
        }
    }
}
