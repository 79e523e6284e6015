import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct FinishSecondFactorSignInTests: SecondFactorSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withSecondFactors()
        }

        @Test("an authenticator code signs in once, and codes of earlier steps are rejected (no replay)")
        func app() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let factor = try #require(enrolled.account.secondFactors.first)
            #expect(factor.kind == .totp)
            let challenge = try authenticator.in(project).challenge()
            func finish(_ step: Int64, request: String) -> SecondFactorOutcome {
                let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now) + step)
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finish(
                        .totp(secondFactorID: factor.id, code: code),
                        challenge,
                        request: request
                    )
                }
            }
            // The enrollment has used this code.
            #expect(finish(0, request: "1") == .answerWrong)
            wait(60)
            #expect(finish(-2, request: "2") == .answerWrong)
            #expect(finish(-1, request: "3") == .done)
            #expect(finish(0, request: "4") == .done)
            #expect(finish(0, request: "4") == .done, "a repeated request")
            #expect(finish(0, request: "5") == .answerWrong)
            #expect(finish(-1, request: "6") == .answerWrong)
            #expect(finish(1, request: "7") == .done)
            #expect(finish(2, request: "8") == .answerWrong)
        }

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

        @Test("a proven first factor is valid for fifteen minutes, and only in its project")
        func expiry() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let challenge = try authenticator.in(project).challenge()
            wait(899)
            #expect(finish(id, now(secret), challenge, request: "1") == .done)
            wait(1)
            #expect(finish(id, now(secret), challenge, request: "2") == .pendingCredentialInvalid)
            let other = Project(id: "other-app", authorizedDomains: [], secondFactors: project.secondFactors)
            let fresh = try authenticator.in(project).challenge()
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(other).finish(.totp(secondFactorID: id, code: "000000"), fresh)
                } == .pendingCredentialInvalid
            )
        }

        @Test(
            "a proven first factor becomes invalid if the account changes",
            arguments: ["password", "email", "disabled", "revoked", "deleted", "withdrawn", "enrolled"]
        )
        func state(what: String) throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let uid = user.account.uid
            wait(30)
            let challenge = try authenticator.in(project).challenge()
            var change = AccountChange()
            switch what {
            case "password": change.password = .set("another one")
            case "email": change.email = .set("b@example.com")
            case "disabled": change.isDisabled = true
            case "revoked": change.validSince = deployment.clock.now.seconds
            case "deleted": try authenticator.in(project, request: "d").deleteAccount(uid: uid)
            case "withdrawn": _ = try authenticator.in(project).withdrawSecondFactors(id, uid: uid)
            default: _ = try authenticator.in(project).enroll(number, enrolled.idToken)
            }
            if ["password", "email", "disabled", "revoked"].contains(what) {
                _ = try authenticator.in(project).changeAccount(uid: uid, change)
            }
            let refusal: SecondFactorOutcome =
                what == "disabled" ? .notAuthenticated(.disabled) : .pendingCredentialInvalid
            #expect(finish(id, now(secret), challenge, request: "1") == refusal)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).startSecondFactor(id, challenge)
                } == refusal
            )
        }
    }
}
