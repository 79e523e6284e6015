import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// How long what users bring for second factors is good.
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

        @Test("the first factor's proof is good for fifteen minutes, and by then for nothing")
        func pendingCredential() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let phone = try authenticator.enroll("+16505550161", user.idToken, in: project)
            let (enrolled, secret) = try authenticator.enrollApp(phone.idToken, in: project)
            let app = try #require(enrolled.account.secondFactors.first { $0.kind == .totp })
            let number = try #require(enrolled.account.secondFactors.first { $0.kind != .totp })
            let challenge = try authenticator.challenge(in: project)
            func finish(request: String) -> SecondFactorOutcome {
                let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now))
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finish(
                        .totp(secondFactorID: app.id, code: code),
                        challenge,
                        request: request,
                        in: project
                    )
                }
            }
            wait(899)
            #expect(finish(request: "in time") == .done)
            wait(1)
            #expect(finish(request: "late") == .pendingCredentialInvalid)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.startSecondFactor(number.id, challenge, in: project)
                } == .pendingCredentialInvalid
            )
        }

        @Test("an app is set up within ten minutes", arguments: [(599, true), (600, false)] as [(Int64, Bool)])
        func enrollment(seconds: Int64, isInTime: Bool) throws {
            let user = try authenticator.secondFactorUser(in: project)
            let enrolling = try authenticator.enrollingUser(idToken: user.idToken, .totp, in: project)
            let enrollment = try authenticator.startTOTPEnrollment(of: enrolling, in: project)
            #expect(enrollment.expiresAt == deployment.clock.now + .seconds(600))
            let ticket = try #require(
                TOTPEnrollmentTicket(enrollment.sessionInfo, for: enrolling.identity, authenticator.keys)
            )
            wait(seconds)
            let code = ticket.secret.code(at: TOTPSecret.step(at: deployment.clock.now))
            let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.finishEnrollment(
                    .totp(sessionInfo: enrollment.sessionInfo, code: code),
                    user.idToken,
                    in: project
                )
            }
            #expect(outcome == (isInTime ? .done : .enrollmentEnded(used: false)))
        }

        @Test("a message's session ends after ten minutes, for a second factor as for a sign-in")
        func session() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let session = try authenticator.startEnrollment("+16505550161", user.idToken, in: project)
            let code = try authenticator.code(of: session, in: project)
            wait(600)
            let outcome = authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.finishEnrollment(.phone(sessionInfo: session, code: code), user.idToken, in: project)
            }
            #expect(outcome == .sessionEnded(used: false))
        }
    }
}
