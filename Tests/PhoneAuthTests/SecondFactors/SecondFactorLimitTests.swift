import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// The lifetime of a proven factor, and the limit on wrong codes.
    @Suite struct SecondFactorLimitTests {
        let deployment: Deployment
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550165"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages {
                $0.wrongCodesBeforeWait = 3
                $0.wrongCodesPerNumber = 6
            }
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make())
            project = deployment.project(secondFactors: .optional)
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        private func finish(
            _ id: String,
            _ code: String,
            _ challenge: SecondFactorChallenge,
            request: String
        ) -> SecondFactorOutcome {
            authenticator.outcome { () throws(SecondFactorRefusal) in
                try authenticator.in(project).finish(.totp(secondFactorID: id, code: code), challenge, request: request)
            }
        }

        private func now(_ secret: TOTPSecret) -> String {
            secret.code(at: TOTPSecret.step(at: deployment.clock.now))
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

        @Test("wrong app codes cause growing waits, then a block until another proof or a new password")
        func wrongCodes() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            let right = { self.now(secret) }
            func wrong(_ request: String) -> SecondFactorOutcome {
                finish(id, right() == "000000" ? "111111" : "000000", challenge, request: request)
            }
            #expect((1...3).map { wrong("\($0)") } == [.answerWrong, .answerWrong, .answerWrong])
            #expect(wrong("3") == .answerWrong, "a repeated request gets the same response and is not counted")
            #expect(finish(id, right(), challenge, request: "4") == .blocked)
            wait(1)
            #expect(finish(id, right(), challenge, request: "5") == .done)
            wait(30)
            #expect((6...8).map { wrong("\($0)") } == [.answerWrong, .answerWrong, .answerWrong])
            for (request, seconds) in [("9", 1), ("10", 2), ("11", 4)] {
                #expect(wrong("blocked-\(request)") == .blocked)
                wait(Int64(seconds))
                #expect(wrong(request) == .answerWrong)
            }
            wait(800)
            let last = try authenticator.in(project).challenge()
            #expect(finish(id, right(), last, request: "12") == .blocked)
            var change = AccountChange()
            change.password = .set("another one")
            _ = try authenticator.in(project).changeAccount(uid: user.account.uid, change)
            let fresh = try authenticator.in(project).challenge(password: "another one")
            #expect(finish(id, right(), fresh, request: "13") == .done)
        }

        @Test("guessing is blocked until 30 days after the last wrong code, even with the password")
        func endlessGuessing() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            var requests = 0
            func guess() throws -> SecondFactorOutcome {
                requests += 1
                let wrong = now(secret) == "000000" ? "111111" : "000000"
                return finish(id, wrong, try authenticator.in(project).challenge(), request: "guess \(requests)")
            }
            for seconds in [0, 0, 0, 1, 2, 4] as [Int64] {
                wait(seconds)
                #expect(try guess() == .answerWrong)
            }
            for _ in 1...29 {
                wait(86_400)
                #expect(try guess() == .blocked)
            }
            wait(86_399)
            let challenge = try authenticator.in(project).challenge()
            #expect(finish(id, now(secret), challenge, request: "early") == .blocked)
            wait(1)
            #expect(try guess() == .answerWrong)
        }

        @Test("repeated app codes get their own responses, whatever other requests were made, and count once")
        func repeated() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (enrolled, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = enrolled.account.secondFactors[0].id
            let key = try #require(deployment.accountKey(of: user.account.uid))
            func count() -> String {
                deployment.cli("HGET", key, "wrong-second-factors").split(separator: "\n").first.map(String.init) ?? ""
            }
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            let code = now(secret)
            let wrong = code == "000000" ? "111111" : "000000"
            for request in ["a", "b", "a", "b", "a"] {
                #expect(finish(id, wrong, challenge, request: request) == .answerWrong)
            }
            #expect(count() == "2")
            #expect(finish(id, code, challenge, request: "c") == .done)
            wait(30)
            let later = now(secret)
            #expect(finish(id, later, challenge, request: "d") == .done)
            for (request, code) in [("c", code), ("d", later)] {
                #expect(finish(id, code, challenge, request: request) == .done, "repeated")
                #expect(finish(id, wrong, challenge, request: "a") == .answerWrong)
            }
            #expect(count() == "")
            // The format of the previous version.
            deployment.cli(
                "HSET",
                key,
                "wrong-second-factors",
                "1",
                "wrong-second-factor-at",
                "0",
                "wrong-second-factor-by",
                "e"
            )
            #expect(finish(id, wrong, challenge, request: "e") == .answerWrong)
            #expect(finish(id, wrong, challenge, request: "f") == .answerWrong)
            #expect(finish(id, wrong, challenge, request: "e") == .answerWrong)
            #expect(count() == "1")
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
            let again = try authenticator.in(project).enroll(number, without.idToken)
            #expect(again.account.recoveryCodes == 0)
            #expect(
                finish(id, codes[5], try authenticator.in(project).challenge(), request: "6") == .answerWrong
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
            let strict = deployment.authenticator(
                appVerification: .required
            )
            #expect(strict.in(project).send(to: number) == .notProven(.missing))
        }

        @Test("a client that enrolled a phone is known when it signs in, and its wrong codes count for one client")
        func knownClients() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let enrolled = try authenticator.in(project).enroll(number, user.idToken)
            let identity = authenticator.in(project).identity(of: number)
            let known = deployment.cli(
                "ZCARD",
                "dt:{p\(identity.shard.index)}:known-clients:\(project.id):\(identity.hash)"
            )
            #expect(known.hasPrefix("1"))
            let session = try authenticator.in(project).startSecondFactor(
                enrolled.account.secondFactors[0].id,
                try authenticator.in(project).challenge()
            )
            _ = try authenticator.in(project).finish(
                .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session)),
                try authenticator.in(project).challenge()
            )
            let still = deployment.cli(
                "ZCARD",
                "dt:{p\(identity.shard.index)}:known-clients:\(project.id):\(identity.hash)"
            )
            #expect(still.hasPrefix("1"))
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
