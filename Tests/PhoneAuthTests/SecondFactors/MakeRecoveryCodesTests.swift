import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    @Suite struct MakeRecoveryCodesTests: SecondFactorSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withSecondFactors()
        }

        @Test("a recovery code replaces any factor once, and expires with the last factor or with new codes")
        func recoveryCodes() throws {
            let user = try authenticator.in(project).secondFactorUser()
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).makeRecoveryCodes(idToken: user.idToken)
                } == .noFactor
            )
            let enrolled = try authenticator.in(project).enroll(number, user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let former = try authenticator.in(project).makeRecoveryCodes(idToken: enrolled.idToken)
            let codes = try authenticator.in(project).makeRecoveryCodes(idToken: enrolled.idToken)
            #expect(Set(former + codes).count == 20)
            let challenge = try authenticator.in(project).challenge()
            #expect(challenge.account.recoveryCodes == 10)
            let tokens = try authenticator.in(project).finish(
                .totp(secondFactorID: id, code: codes[3]),
                challenge,
                request: "1"
            )
            let firebase = try Claims(tokens.idToken).payload.object("firebase")
            #expect(firebase.text("sign_in_second_factor") == "recovery_code")
            #expect(firebase["second_factor_identifier"] == nil)
            #expect(finish(id, codes[3], challenge, request: "1") == .done, "a repeated request")
            #expect(finish(id, codes[3], challenge, request: "2") == .answerWrong)
            #expect(finish(id, former[0], challenge, request: "3") == .answerWrong)
            let session = try authenticator.in(project).startSecondFactor(id, challenge)
            let typed = codes[4].lowercased().filter { $0 != "-" }
            let byPhone = try authenticator.in(project).finish(
                .phone(sessionInfo: session, code: typed),
                challenge,
                request: "4"
            )
            #expect(byPhone.account.recoveryCodes == 8)
            // The message's code is still valid because it was not used.
            _ = try authenticator.in(project).finish(
                .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session)),
                challenge,
                request: "5"
            )
            let without = try authenticator.in(project).withdrawSecondFactor(id, idToken: byPhone.idToken)
            #expect(without.account.secondFactors.isEmpty)
            #expect(without.account.recoveryCodes == 0)
            #expect(try Claims(without.idToken).payload.object("firebase")["sign_in_second_factor"] == nil)
            let again = try authenticator.in(project).enroll(number, without.idToken)
            #expect(again.account.recoveryCodes == 0)
            #expect(
                finish(id, codes[5], try authenticator.in(project).challenge(), request: "6") == .answerWrong
            )
        }
    }
}
