import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// What users are asked for after the first factor.
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

        @Test("a phone is enrolled, asked for and proven, and the tokens name it through refreshes")
        func phone() throws {
            let user = try authenticator.secondFactorUser(in: project)
            wait(2)
            let enrolled = try authenticator.enroll(number, user.idToken, name: "Mine", in: project)
            let factor = try #require(enrolled.account.secondFactors.first)
            #expect(factor.kind == .phone(number: number))
            #expect(factor.displayName == "Mine")
            #expect(factor.enrolledAt == deployment.clock.now)
            #expect(try firebase(enrolled.idToken).text("sign_in_second_factor") == "phone")
            #expect(try firebase(enrolled.idToken).text("second_factor_identifier") == factor.id)
            // Whoever has an earlier session began it without the factor.
            #expect(authenticator.look(up: user.idToken, in: project) == .revoked)
            #expect(authenticator.refresh(user.refreshToken, in: project) == .revoked)

            let challenge = try authenticator.challenge(in: project)
            #expect(challenge.account.secondFactors.map(\.id) == [factor.id])
            let session = try authenticator.startSecondFactor(factor.id, challenge, in: project)
            let tokens = try authenticator.finish(
                .phone(sessionInfo: session, code: try authenticator.code(of: session, in: project)),
                challenge,
                in: project
            )
            #expect(tokens.account.uid == user.account.uid)
            for text in [
                tokens.idToken, try authenticator.exchangeRefreshToken(tokens.refreshToken, in: project).idToken,
            ] {
                #expect(try firebase(text).text("sign_in_provider") == "password")
                #expect(try firebase(text).text("sign_in_second_factor") == "phone")
                #expect(try firebase(text).text("second_factor_identifier") == factor.id)
            }
        }

        @Test("an authenticator app's code signs in once, and so does none of an earlier step")
        func app() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let factor = try #require(enrolled.account.secondFactors.first)
            #expect(factor.kind == .totp)
            let challenge = try authenticator.challenge(in: project)
            func finish(_ step: Int64, request: String) -> SecondFactorOutcome {
                let code = secret.code(at: TOTPSecret.step(at: deployment.clock.now) + step)
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finish(
                        .totp(secondFactorID: factor.id, code: code),
                        challenge,
                        request: request,
                        in: project
                    )
                }
            }
            // The code by which it was enrolled has been seen.
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

        @Test("a message's code is good for its purpose, its account and its factor only")
        func purposes() throws {
            let ada = try authenticator.secondFactorUser(in: project)
            let bob = try authenticator.secondFactorUser("bob@example.com", in: project)
            let session = try authenticator.startEnrollment(number, ada.idToken, in: project)
            let code = try authenticator.code(of: session, in: project)
            #expect(authenticator.answer(session, code, request: "1", in: project) == .unknownSession)
            let signIn = try authenticator.session(for: other, in: project)
            let attempts = [
                (session, code, bob.idToken),
                (signIn, try authenticator.code(of: signIn, in: project), ada.idToken),
            ]
            for (session, code, idToken) in attempts {
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.finishEnrollment(
                            .phone(sessionInfo: session, code: code),
                            idToken,
                            in: project
                        )
                    } == .sessionUnknown
                )
            }
            wait(1)
            let first = try authenticator.enroll(number, ada.idToken, in: project)
            let second = try authenticator.enroll(other, first.idToken, in: project)
            _ = try authenticator.enroll(number, bob.idToken, in: project)
            let adas = try authenticator.challenge(in: project)
            let bobs = try authenticator.challenge("bob@example.com", in: project)
            let own = try authenticator.startSecondFactor(
                second.account.secondFactors[0].id,
                adas,
                client: 2,
                in: project
            )
            let right = try authenticator.code(of: own, in: project)
            let enrolling = try authenticator.startEnrollment("+16505550163", second.idToken, in: project)
            let unknown = [
                (own, right, bobs), (enrolling, try authenticator.code(of: enrolling, in: project), adas),
                (signIn, try authenticator.code(of: signIn, in: project), adas),
            ]
            for (session, code, challenge) in unknown {
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.finish(.phone(sessionInfo: session, code: code), challenge, in: project)
                    } == .sessionUnknown
                )
            }
            #expect(authenticator.answer(own, right, request: "2", in: project) == .unknownSession)
            let tokens = try authenticator.finish(.phone(sessionInfo: own, code: right), adas, in: project)
            #expect(tokens.account.uid == ada.account.uid)
        }

        @Test("who has second factors neither signs in by phone nor is texted for it, and links no number")
        func phoneSignIn() throws {
            let user = try authenticator.signIn(number, in: project)
            let linked = try authenticator.change(
                user.idToken,
                email: "ada@example.com",
                password: "correct horse",
                in: project
            )
            var verified = AccountChange()
            verified.isEmailVerified = true
            _ = try authenticator.changeAccount(uid: user.uid, verified, in: project)
            let session = try authenticator.session(for: number, client: 3, in: project)
            let request = SignInWithPasswordRequest(
                email: "ada@example.com",
                password: "correct horse",
                client: ClientDescription(networkAddress: "192.0.2.1"),
                requestID: "p"
            )
            #expect(linked.tokens != nil)
            let phoneSession = try authenticator.signIn(number, client: 4, in: project).idToken
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.enrollingUser(idToken: phoneSession, .phone, in: project)
                } == .firstFactorUnsupported
            )
            let signedIn = try #require(try authenticator.signInWithPassword(request, in: project).tokens)
            let enrolled = try authenticator.enroll(other, signedIn.idToken, in: project)
            #expect(authenticator.send(to: number, in: project) == .secondFactorUser)
            #expect(
                authenticator.answer(
                    session,
                    try authenticator.code(of: session, in: project),
                    request: "s",
                    in: project
                )
                    == .secondFactorUser
            )
            #expect(try authenticator.link("+16505550164", to: enrolled.idToken, in: project) == .secondFactorUser)
            let off = deployment.project(secondFactors: .off)
            #expect(authenticator.send(to: number, client: 4, in: off).outcome == .opened)
        }
    }
}
