import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct FinishSecondFactorEnrollmentTests: SecondFactorSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withSecondFactors()
        }

        @Test("an app enrollment takes at most ten minutes, belongs to its user, and can be finished once")
        func appEnrollment() throws {
            let ada = try authenticator.in(project).secondFactorUser()
            let bob = try authenticator.in(project).secondFactorUser("bob@example.com")
            let user = try authenticator.in(project).enrollingUser(idToken: ada.idToken, .totp)
            let enrollment = try authenticator.in(project).startTOTPEnrollment(of: user)
            let secret = try #require(Base32.decode(enrollment.secret).flatMap(TOTPSecret.init))
            func finish(_ code: String, _ idToken: String, _ request: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finishEnrollment(
                        .totp(sessionInfo: enrollment.sessionInfo, code: code),
                        idToken,
                        request: request
                    )
                }
            }
            #expect(finish(now(secret), bob.idToken, "1") == .enrollmentUnknown)
            #expect(finish(now(secret) == "000000" ? "111111" : "000000", ada.idToken, "2") == .answerWrong)
            #expect(finish(now(secret), ada.idToken, "3") == .done)
            #expect(finish(now(secret), ada.idToken, "4") == .notAuthenticated(.revoked))
            wait(30)
            let factors = try authenticator.in(project).accounts(uids: [ada.account.uid])[0].secondFactors
            let again = try authenticator.in(project).finish(
                .totp(secondFactorID: factors[0].id, code: now(secret)),
                try authenticator.in(project).challenge()
            )
            #expect(finish(now(secret), again.idToken, "4") == .enrollmentEnded(used: true))
            #expect(again.account.secondFactors.count == 1)
            wait(600)
            #expect(finish(now(secret), bob.idToken, "5") == .enrollmentUnknown)
            let late = try authenticator.in(project).secondFactorUser("late@example.com")
            let lateUser = try authenticator.in(project).enrollingUser(idToken: late.idToken, .totp)
            let lateEnrollment = try authenticator.in(project).startTOTPEnrollment(of: lateUser)
            wait(600)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finishEnrollment(
                        .totp(sessionInfo: lateEnrollment.sessionInfo, code: "000000"),
                        late.idToken
                    )
                } == .enrollmentEnded(used: false)
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

        @Test("a client that enrolled a phone is known when it signs in, and its wrong codes count for one client")
        func knownClients() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let enrolled = try authenticator.in(project).enroll(number, user.idToken)
            let identity = authenticator.in(project).identity(of: number)
            let knownClients = "dt:{\(project.id)}:known-clients:\(identity.hash)"
            let known = { deployment.cli("GET", knownClients).split(whereSeparator: \.isNewline).count }
            #expect(known() == 1)
            let session = try authenticator.in(project).startSecondFactor(
                enrolled.account.secondFactors[0].id,
                try authenticator.in(project).challenge()
            )
            _ = try authenticator.in(project).finish(
                .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session)),
                try authenticator.in(project).challenge()
            )
            #expect(known() == 1)
        }
    }
}
