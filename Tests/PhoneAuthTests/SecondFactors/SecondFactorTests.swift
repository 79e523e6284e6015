import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Enrolling second factors and proving them at sign-in.
    @Suite struct SecondFactorTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"
        let other = "+16505550162"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.project(secondFactors: .optional)
        }

        private func firebase(_ idToken: String) throws -> JSONObject {
            try Claims(idToken).payload.object("firebase")
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        @Test("a phone is enrolled and proven, and the tokens name it even after refreshes")
        func phone() throws {
            let user = try authenticator.in(project).secondFactorUser()
            wait(2)
            let enrolled = try authenticator.in(project).enroll(number, user.idToken, name: "Mine")
            let factor = try #require(enrolled.account.secondFactors.first)
            #expect(factor.kind == .phone(number: number))
            #expect(factor.displayName == "Mine")
            #expect(factor.enrolledAt == deployment.clock.now)
            #expect(try firebase(enrolled.idToken).text("sign_in_second_factor") == "phone")
            #expect(try firebase(enrolled.idToken).text("second_factor_identifier") == factor.id)
            // Earlier sessions started without the factor.
            #expect(authenticator.in(project).look(up: user.idToken) == .revoked)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .revoked)

            let challenge = try authenticator.in(project).challenge()
            #expect(challenge.account.secondFactors.map(\.id) == [factor.id])
            let session = try authenticator.in(project).startSecondFactor(factor.id, challenge)
            let tokens = try authenticator.in(project).finish(
                .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session)),
                challenge
            )
            #expect(tokens.account.uid == user.account.uid)
            for text in [
                tokens.idToken, try authenticator.in(project).exchangeRefreshToken(tokens.refreshToken).idToken,
            ] {
                #expect(try firebase(text).text("sign_in_provider") == "password")
                #expect(try firebase(text).text("sign_in_second_factor") == "phone")
                #expect(try firebase(text).text("second_factor_identifier") == factor.id)
            }
        }

        @Test("a send reads as many accounts for a number without an account as for one with an account")
        func sendsTakeEqualTime() {
            let caches = StoreCaches(.immediate(lifetime: .seconds(3600)))
            // Reads the settings, which are then cached.
            #expect(deployment.authenticator(caches: caches).in(project).send(to: number).outcome == .opened)
            let withoutAccounts = deployment.authenticator(withoutCommand: "hgetall", caches: caches)
            guard case .failed = withoutAccounts.in(project).send(to: other) else {
                Issue.record("the send did not read an account")
                return
            }
            let projectWithoutFactors = deployment.project(secondFactors: .off)
            #expect(withoutAccounts.in(projectWithoutFactors).send(to: other).outcome == .opened)
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

        @Test("the code in a message is valid only for its purpose, account and factor")
        func purposes() throws {
            let ada = try authenticator.in(project).secondFactorUser()
            let bob = try authenticator.in(project).secondFactorUser("bob@example.com")
            let session = try authenticator.in(project).startEnrollment(number, ada.idToken)
            let code = try authenticator.in(project).code(of: session)
            #expect(authenticator.in(project).answer(session, code, request: "1") == .unknownSession)
            let signIn = try authenticator.in(project).session(for: other)
            let attempts = [
                (session, code, bob.idToken),
                (signIn, try authenticator.in(project).code(of: signIn), ada.idToken),
            ]
            for (session, code, idToken) in attempts {
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.in(project).finishEnrollment(
                            .phone(sessionInfo: session, code: code),
                            idToken
                        )
                    } == .sessionUnknown
                )
            }
            wait(1)
            let first = try authenticator.in(project).enroll(number, ada.idToken)
            let second = try authenticator.in(project).enroll(other, first.idToken)
            _ = try authenticator.in(project).enroll(number, bob.idToken)
            let adas = try authenticator.in(project).challenge()
            let bobs = try authenticator.in(project).challenge("bob@example.com")
            let own = try authenticator.in(project).startSecondFactor(
                second.account.secondFactors[0].id,
                adas,
                client: 2
            )
            let right = try authenticator.in(project).code(of: own)
            let enrolling = try authenticator.in(project).startEnrollment("+16505550163", second.idToken)
            let unknown = [
                (own, right, bobs), (enrolling, try authenticator.in(project).code(of: enrolling), adas),
                (signIn, try authenticator.in(project).code(of: signIn), adas),
            ]
            for (session, code, challenge) in unknown {
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.in(project).finish(.phone(sessionInfo: session, code: code), challenge)
                    } == .sessionUnknown
                )
            }
            #expect(authenticator.in(project).answer(own, right, request: "2") == .unknownSession)
            let tokens = try authenticator.in(project).finish(.phone(sessionInfo: own, code: right), adas)
            #expect(tokens.account.uid == ada.account.uid)
        }

        @Test("a user with second factors cannot sign in by phone, gets no code for it, and cannot link a number")
        func phoneSignIn() throws {
            let user = try authenticator.in(project).signIn(number)
            let linked = try authenticator.in(project).change(
                user.idToken,
                email: "ada@example.com",
                password: "correct horse"
            )
            var verified = AccountChange()
            verified.isEmailVerified = true
            _ = try authenticator.in(project).changeAccount(uid: user.uid, verified)
            let session = try authenticator.in(project).session(for: number, client: 3)
            let request = SignInWithPasswordRequest(
                email: "ada@example.com",
                password: "correct horse",
                client: ClientDescription(networkAddress: "192.0.2.1")
            )
            #expect(linked.tokens != nil)
            let phoneSession = try authenticator.in(project).signIn(number, client: 4).idToken
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).enrollingUser(idToken: phoneSession, .sms)
                } == .firstFactorUnsupported
            )
            let signedIn = try #require(try authenticator.in(project).signInWithPassword(request).tokens)
            let enrolled = try authenticator.in(project).enroll(other, signedIn.idToken)
            #expect(authenticator.in(project).send(to: number) == .secondFactorUser)
            #expect(
                authenticator.in(project).answer(
                    session,
                    try authenticator.in(project).code(of: session),
                    request: "s"
                )
                    == .secondFactorUser
            )
            #expect(try authenticator.in(project).link("+16505550164", to: enrolled.idToken) == .secondFactorUser)
            let off = deployment.project(secondFactors: .off)
            #expect(authenticator.in(off).send(to: number, client: 4).outcome == .opened)
        }
    }
}
