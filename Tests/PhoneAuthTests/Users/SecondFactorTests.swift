import Encodings
import RedisScripts
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Enrolling second factors and proving them at sign-in.
    @Suite struct SecondFactorTests: SecondFactorSuite {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550161"
        let other = "+16505550162"

        init() throws {
            (deployment, authenticator, project) = try Deployment.withSecondFactors()
        }

        private func firebase(_ idToken: String) throws -> JSONObject {
            try Claims(idToken).payload.object("firebase")
        }

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
            wait(10)
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
            let caches = StoreCaches(lifetime: .seconds(3600))
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

        @Test("operations that must be safe from a stolen old ID token require a recent sign-in")
        func recentSignIn() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let enrolled = try authenticator.in(project).enroll(number, user.idToken)
            wait(301)
            let idToken = enrolled.idToken
            func outcome(_ operation: () throws(SecondFactorRefusal) -> Void) -> SecondFactorOutcome {
                authenticator.outcome(operation)
            }
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    _ = try authenticator.in(project).startEnrollment("+16505550166", idToken)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    let user = try authenticator.in(project).enrollingUser(idToken: idToken, .totp)
                    _ = try authenticator.in(project).startTOTPEnrollment(of: user)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    let id = enrolled.account.secondFactors[0].id
                    _ = try authenticator.in(project).withdrawSecondFactor(id, idToken: idToken)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    _ = try authenticator.in(project).makeRecoveryCodes(idToken: idToken)
                } == .signInTooOld
            )
        }

        @Test("if second factors are required, a session without one is refreshed only if the user cannot have one")
        func required() throws {
            let required = deployment.project(secondFactors: .required)
            let user = try authenticator.in(required).secondFactorUser()
            #expect(authenticator.in(required).refresh(user.refreshToken) == .secondFactorMissing)
            #expect(authenticator.in(project).refresh(user.refreshToken) == .refreshed(uid: user.account.uid))
            let enrolled = try authenticator.in(required).enroll(number, user.idToken)
            #expect(authenticator.in(required).refresh(enrolled.refreshToken) == .refreshed(uid: user.account.uid))
            // Changes do not bring new tokens, either.
            wait(1)
            let bob = try authenticator.in(required).secondFactorUser("bob@example.com")
            var revocation = UpdateAccountRequest(idToken: bob.idToken)
            revocation.revokesTokens = true
            #expect(try authenticator.in(required).updateAccount(revocation).tokens == nil)
            let eve = try authenticator.in(required).secondFactorUser("eve@example.com")
            let changed = try authenticator.in(required).change(eve.idToken, password: "another one")
            #expect(changed.tokens == nil)
            let phone = try authenticator.in(required).signIn("+16505550167")
            #expect(authenticator.in(required).refresh(phone.refreshToken) == .refreshed(uid: phone.uid))
        }

        @Test("second factors are not revealed before the app is proven (no user enumeration)")
        func proofComesFirst() throws {
            let user = try authenticator.in(project).signIn(number)
            try authenticator.in(project).change(user.idToken, email: "ada@example.com", password: "correct horse")
            var change = AccountChange()
            change.isEmailVerified = true
            change.secondFactors = [AssignedSecondFactor(.made, .phone(number: "+16505550168"))]
            _ = try authenticator.in(project).changeAccount(uid: user.uid, change)
            #expect(authenticator.in(project).send(to: number) == .secondFactorUser)
            let off = deployment.project(secondFactors: .off)
            #expect(authenticator.in(off).send(to: number, client: 4).outcome == .opened)
            let strict = deployment.authenticator(
                appVerification: .required
            )
            #expect(strict.in(project).send(to: number) == .notProven(.missing))
        }

        @Test("the audit log has each change of the factors, and the factors used in each sign-in")
        func audit() throws {
            let audited = authenticator.working(
                for: Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.7")
            )
            let user = try audited.in(project).secondFactorUser()
            let enrolled = try audited.in(project).enroll(number, user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let codes = try audited.in(project).makeRecoveryCodes(idToken: enrolled.idToken)
            let tokens = try audited.in(project).finish(
                .totp(secondFactorID: id, code: codes[0]),
                try audited.in(project).challenge()
            )
            _ = try audited.in(project).withdrawSecondFactor(id, idToken: tokens.idToken)
            var filter = AuditFilter()
            filter.uid = user.account.uid
            filter.project = project
            var events = try audited.auditEvents(filter, among: [project])
            var told: [String] = []
            while let event = try events.next() {
                told.append(event.detail.map { "\(event.kind) \($0)" } ?? event.kind)
            }
            #expect(
                told == [
                    "sign-up password", "tokens-revoked", "second-factor-enrolled phone", "recovery-codes-made",
                    "recovery-code-used", "sign-in password recovery_code", "tokens-revoked",
                    "second-factor-withdrawn phone",
                ]
            )
        }
    }
}
