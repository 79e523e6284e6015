import Encodings
import RedisStore
import TestServers
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// How long what stands for a factor is good, and how often it may be wrong.
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
                try authenticator.finish(
                    .totp(secondFactorID: id, code: code),
                    challenge,
                    request: request,
                    in: project
                )
            }
        }

        private func now(_ secret: TOTPSecret) -> String {
            secret.code(at: TOTPSecret.step(at: deployment.clock.now))
        }

        @Test("a proven first factor waits a quarter of an hour, and for its project only")
        func expiry() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            let challenge = try authenticator.challenge(in: project)
            wait(899)
            #expect(finish(id, now(secret), challenge, request: "1") == .done)
            wait(1)
            #expect(finish(id, now(secret), challenge, request: "2") == .pendingCredentialInvalid)
            let other = Project(id: "other-app", authorizedDomains: [], secondFactors: project.secondFactors)
            let fresh = try authenticator.challenge(in: project)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finish(.totp(secondFactorID: id, code: "000000"), fresh, in: other)
                } == .pendingCredentialInvalid
            )
        }

        @Test(
            "a proven first factor ends with the account's state",
            arguments: ["password", "email", "disabled", "revoked", "deleted", "withdrawn", "enrolled"]
        )
        func state(what: String) throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            let uid = user.account.uid
            wait(30)
            let challenge = try authenticator.challenge(in: project)
            var change = AccountChange()
            switch what {
            case "password": change.password = .set("another one")
            case "email": change.email = .set("b@example.com")
            case "disabled": change.isDisabled = true
            case "revoked": change.validSince = deployment.clock.now.seconds
            case "deleted": try authenticator.deleteAccount(uid: uid, requestID: "d", in: project)
            case "withdrawn": _ = try authenticator.withdrawSecondFactors(id, uid: uid, in: project)
            default: _ = try authenticator.enroll(number, enrolled.idToken, in: project)
            }
            if ["password", "email", "disabled", "revoked"].contains(what) {
                _ = try authenticator.changeAccount(uid: uid, change, in: project)
            }
            let refusal: SecondFactorOutcome =
                what == "disabled" ? .notAuthenticated(.disabled) : .pendingCredentialInvalid
            #expect(finish(id, now(secret), challenge, request: "1") == refusal)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.startSecondFactor(id, challenge, in: project)
                } == refusal
            )
        }

        @Test("wrong codes of an app make wait ever longer, then end, and a right one or another password forgets them")
        func wrongCodes() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            let challenge = try authenticator.challenge(in: project)
            let right = { self.now(secret) }
            func wrong(_ request: String) -> SecondFactorOutcome {
                finish(id, right() == "000000" ? "111111" : "000000", challenge, request: request)
            }
            #expect((1...3).map { wrong("\($0)") } == [.answerWrong, .answerWrong, .answerWrong])
            #expect(wrong("3") == .answerWrong, "a repeated request is told the same and not counted")
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
            let last = try authenticator.challenge(in: project)
            #expect(finish(id, right(), last, request: "12") == .blocked)
            var change = AccountChange()
            change.password = .set("another one")
            _ = try authenticator.changeAccount(uid: user.account.uid, change, in: project)
            let fresh = try authenticator.challenge(password: "another one", in: project)
            #expect(finish(id, right(), fresh, request: "13") == .done)
        }

        @Test("anyone who knows the password gets no more codes by waiting, until 30 days after the last wrong one")
        func endlessGuessing() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            wait(60)
            var requests = 0
            func guess() throws -> SecondFactorOutcome {
                requests += 1
                let wrong = now(secret) == "000000" ? "111111" : "000000"
                return finish(id, wrong, try authenticator.challenge(in: project), request: "guess \(requests)")
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
            let challenge = try authenticator.challenge(in: project)
            #expect(finish(id, now(secret), challenge, request: "early") == .blocked)
            wait(1)
            #expect(try guess() == .answerWrong)
        }

        @Test("repeated codes of an app get their outcomes again, whatever came in between, and are counted once")
        func repeated() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (enrolled, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            let key = try #require(deployment.accountKey(of: user.account.uid))
            func count() -> String {
                deployment.cli("HGET", key, "wrong-second-factors").split(separator: "\n").first.map(String.init) ?? ""
            }
            wait(60)
            let challenge = try authenticator.challenge(in: project)
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
            // As the version before left it.
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

        @Test("an app's enrolment takes ten minutes at most, is its user's, and happens once")
        func appEnrollment() throws {
            let ada = try authenticator.secondFactorUser(in: project)
            let bob = try authenticator.secondFactorUser("bob@example.com", in: project)
            let user = try authenticator.enrollingUser(idToken: ada.idToken, .totp, in: project)
            let enrollment = try authenticator.startTOTPEnrollment(of: user, in: project)
            let secret = try #require(Base32.decode(enrollment.secret).flatMap(TOTPSecret.init))
            func finish(_ code: String, _ idToken: String, _ request: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finishEnrollment(
                        .totp(sessionInfo: enrollment.sessionInfo, code: code),
                        idToken,
                        request: request,
                        in: project
                    )
                }
            }
            #expect(finish(now(secret), bob.idToken, "1") == .enrollmentUnknown)
            #expect(finish(now(secret) == "000000" ? "111111" : "000000", ada.idToken, "2") == .answerWrong)
            #expect(finish(now(secret), ada.idToken, "3") == .done)
            #expect(finish(now(secret), ada.idToken, "4") == .notAuthenticated(.revoked))
            wait(30)
            let factors = try authenticator.accounts(uids: [ada.account.uid], in: project)[0].secondFactors
            let again = try authenticator.finish(
                .totp(secondFactorID: factors[0].id, code: now(secret)),
                try authenticator.challenge(in: project),
                in: project
            )
            #expect(finish(now(secret), again.idToken, "4") == .enrollmentEnded(used: true))
            #expect(again.account.secondFactors.count == 1)
            wait(600)
            #expect(finish(now(secret), bob.idToken, "5") == .enrollmentUnknown)
            let late = try authenticator.secondFactorUser("late@example.com", in: project)
            let lateUser = try authenticator.enrollingUser(idToken: late.idToken, .totp, in: project)
            let lateEnrollment = try authenticator.startTOTPEnrollment(of: lateUser, in: project)
            wait(600)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finishEnrollment(
                        .totp(sessionInfo: lateEnrollment.sessionInfo, code: "000000"),
                        late.idToken,
                        in: project
                    )
                } == .enrollmentEnded(used: false)
            )
        }

        @Test("what a thief of an old ID token must not do takes a recent sign-in")
        func recentSignIn() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let enrolled = try authenticator.enroll(number, user.idToken, in: project)
            wait(301)
            let idToken = enrolled.idToken
            func outcome(_ operation: () throws(SecondFactorRefusal) -> Void) -> SecondFactorOutcome {
                authenticator.outcome(operation)
            }
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    _ = try authenticator.startEnrollment("+16505550166", idToken, in: project)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    let user = try authenticator.enrollingUser(idToken: idToken, .totp, in: project)
                    _ = try authenticator.startTOTPEnrollment(of: user, in: project)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    let id = enrolled.account.secondFactors[0].id
                    _ = try authenticator.withdrawSecondFactor(id, idToken: idToken, in: project)
                } == .signInTooOld
            )
            #expect(
                outcome { () throws(SecondFactorRefusal) in
                    _ = try authenticator.makeRecoveryCodes(idToken: idToken, in: project)
                } == .signInTooOld
            )
        }

        @Test("recovery codes stand in for any factor, each once, and end with the last factor and with new ones")
        func recoveryCodes() throws {
            let user = try authenticator.secondFactorUser(in: project)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.makeRecoveryCodes(idToken: user.idToken, in: project)
                } == .noFactor
            )
            let enrolled = try authenticator.enroll(number, user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            let former = try authenticator.makeRecoveryCodes(idToken: enrolled.idToken, in: project)
            let codes = try authenticator.makeRecoveryCodes(idToken: enrolled.idToken, in: project)
            #expect(Set(former + codes).count == 20)
            let challenge = try authenticator.challenge(in: project)
            #expect(challenge.account.recoveryCodes == 10)
            let tokens = try authenticator.finish(
                .totp(secondFactorID: id, code: codes[3]),
                challenge,
                request: "1",
                in: project
            )
            let firebase = try Claims(tokens.idToken).payload.object("firebase")
            #expect(firebase.text("sign_in_second_factor") == "recovery_code")
            #expect(firebase["second_factor_identifier"] == nil)
            #expect(finish(id, codes[3], challenge, request: "1") == .done, "a repeated request")
            #expect(finish(id, codes[3], challenge, request: "2") == .answerWrong)
            #expect(finish(id, former[0], challenge, request: "3") == .answerWrong)
            let session = try authenticator.startSecondFactor(id, challenge, in: project)
            let typed = codes[4].lowercased().filter { $0 != "-" }
            let byPhone = try authenticator.finish(
                .phone(sessionInfo: session, code: typed),
                challenge,
                request: "4",
                in: project
            )
            #expect(byPhone.account.recoveryCodes == 8)
            // The message's code is still good: nobody has used it.
            _ = try authenticator.finish(
                .phone(sessionInfo: session, code: try authenticator.code(of: session, in: project)),
                challenge,
                request: "5",
                in: project
            )
            let without = try authenticator.withdrawSecondFactor(id, idToken: byPhone.idToken, in: project)
            #expect(without.account.secondFactors.isEmpty)
            #expect(without.account.recoveryCodes == 0)
            let again = try authenticator.enroll(number, without.idToken, in: project)
            #expect(again.account.recoveryCodes == 0)
            #expect(
                finish(id, codes[5], try authenticator.challenge(in: project), request: "6") == .answerWrong
            )
        }

        @Test("where a second factor is required a session without one is not refreshed, but for who cannot be asked")
        func required() throws {
            let required = deployment.project(secondFactors: .required)
            let user = try authenticator.secondFactorUser(in: required)
            #expect(authenticator.refresh(user.refreshToken, in: required) == .secondFactorMissing)
            #expect(authenticator.refresh(user.refreshToken, in: project) == .refreshed(uid: user.account.uid))
            let enrolled = try authenticator.enroll(number, user.idToken, in: required)
            #expect(authenticator.refresh(enrolled.refreshToken, in: required) == .refreshed(uid: user.account.uid))
            // Nor by a change that brings new tokens.
            wait(1)
            let bob = try authenticator.secondFactorUser("bob@example.com", in: required)
            var revocation = UpdateAccountRequest(idToken: bob.idToken)
            revocation.revokesTokens = true
            #expect(try authenticator.updateAccount(revocation, in: required).tokens == nil)
            let eve = try authenticator.secondFactorUser("eve@example.com", in: required)
            let changed = try authenticator.change(eve.idToken, password: "another one", in: required)
            #expect(changed.tokens == nil)
            let phone = try authenticator.signIn("+16505550167", in: required)
            #expect(authenticator.refresh(phone.refreshToken, in: required) == .refreshed(uid: phone.uid))
        }

        @Test("who may not know of accounts hears nothing of second factors: the app is proven before")
        func proofComesFirst() throws {
            let user = try authenticator.signIn(number, in: project)
            try authenticator.change(user.idToken, email: "ada@example.com", password: "correct horse", in: project)
            var change = AccountChange()
            change.isEmailVerified = true
            change.secondFactors = [GivenSecondFactor(.made, .phone(number: "+16505550168"))]
            _ = try authenticator.changeAccount(uid: user.uid, change, in: project)
            #expect(authenticator.send(to: number, in: project) == .secondFactorUser)
            let strict = deployment.authenticator(
                appVerification: .required
            )
            #expect(strict.send(to: number, in: project) == .notProven(.missing))
        }

        @Test("who enrolled a phone is known when it signs in, and its wrong codes count for one client")
        func knownClients() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let enrolled = try authenticator.enroll(number, user.idToken, in: project)
            let identity = authenticator.identity(of: number, in: project)
            let known = deployment.cli(
                "ZCARD",
                "dt:{p\(identity.shard.index)}:known-clients:\(project.id):\(identity.hash)"
            )
            #expect(known.hasPrefix("1"))
            let session = try authenticator.startSecondFactor(
                enrolled.account.secondFactors[0].id,
                try authenticator.challenge(in: project),
                in: project
            )
            _ = try authenticator.finish(
                .phone(sessionInfo: session, code: try authenticator.code(of: session, in: project)),
                try authenticator.challenge(in: project),
                in: project
            )
            let still = deployment.cli(
                "ZCARD",
                "dt:{p\(identity.shard.index)}:known-clients:\(project.id):\(identity.hash)"
            )
            #expect(still.hasPrefix("1"))
        }

        @Test("an account has five factors at most, each number once")
        func room() throws {
            var idToken = try authenticator.secondFactorUser(in: project).idToken
            for last in 0..<5 {
                idToken = try authenticator.enroll("+1650555012\(last)", idToken, in: project).idToken
            }
            for (number, expected) in [
                ("+16505550120", SecondFactorOutcome.alreadyEnrolled), ("+16505550125", .limitReached),
            ] {
                let idToken = idToken
                #expect(
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.startEnrollment(number, idToken, in: project)
                    } == expected
                )
            }
        }

        @Test("the audit log tells of each change, and by which factors users signed in")
        func audit() throws {
            let audited = authenticator.working(
                for: Requester(actor: .user, requestID: "request", clientAddress: "192.0.2.7")
            )
            let user = try audited.secondFactorUser(in: project)
            let enrolled = try audited.enroll(number, user.idToken, in: project)
            let id = enrolled.account.secondFactors[0].id
            let codes = try audited.makeRecoveryCodes(idToken: enrolled.idToken, in: project)
            let tokens = try audited.finish(
                .totp(secondFactorID: id, code: codes[0]),
                try audited.challenge(in: project),
                in: project
            )
            _ = try audited.withdrawSecondFactor(id, idToken: tokens.idToken, in: project)
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
