import Encodings
import RedisScripts
import Synchronization
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Users with second factors in a project with hooks.
    @Suite struct IssueTokensCallingHooksSecondFactorTests {
        let deployment: Deployment
        let hooks = TestHooks()
        let authenticator: Authenticator
        let project: Project
        let number = "+16505550186"

        init() throws {
            (deployment, _) = try Deployment.ofManyMessages()
            authenticator = deployment.authenticator(passwordHashing: try TestPasswordHashing.make(), hooks: hooks)
            project = deployment.project(secondFactors: .optional, hooks: try .example())
        }

        private func wait(_ seconds: Int64) { deployment.clock.advance(by: .seconds(seconds)) }

        private func account() throws -> Account { try #require(try authenticator.in(project).accounts().values.first) }

        private func factors(_ user: JSONObject) -> [JSONObject] {
            guard case .array(let factors) = user.object("multi_factor")["enrolled_factors"] else { return [] }
            return factors.compactMap { if case .object(let factor) = $0 { factor } else { nil } }
        }

        @Test("the first factor calls no hook, both factors together call one, and the event names the second factor")
        func signIn() throws {
            let user = try authenticator.in(project).secondFactorUser()
            wait(1)
            let phone = try authenticator.in(project).enroll(number, user.idToken, name: "Mine")
            wait(1)
            let (tokens, secret) = try authenticator.in(project).enrollApp(phone.idToken)
            let ids = tokens.account.secondFactors.map(\.id)
            _ = hooks.asked()
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            #expect(hooks.asked().isEmpty)
            func finish(_ code: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finish(.totp(secondFactorID: ids[1], code: code), challenge)
                }
            }
            #expect(finish("000000") == .answerWrong)
            #expect(hooks.asked().isEmpty)
            wait(60)
            let step = TOTPSecret.step(at: deployment.clock.now)
            let code = secret.code(at: step)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finish(
                        .totp(secondFactorID: ids[1], code: code),
                        challenge,
                        request: "right"
                    )
                } == .done
            )
            let asked = hooks.asked()
            #expect(asked.map(\.event) == [.beforeSignIn])
            let event = try #require(asked.first)
            #expect(event.claims.text("sign_in_method") == "password")
            #expect(event.claims.text("sign_in_second_factor") == "totp")
            let told = factors(event.user)
            #expect(told.map { $0.text("uid") } == ids)
            #expect(told.map { $0.text("factor_id") } == ["phone", "totp"])
            #expect(told.map { $0.text("phone_number") } == [number, ""])
            #expect(told.map { $0.text("display_name") } == ["Mine", ""])
            #expect(told.map { $0.text("enrollment_time") } == tokens.account.secondFactors.map(\.enrolledAt.rfc3339))
            #expect(event.claims["second_factor"] == nil && event.claims["revert_code"] == nil)
        }

        @Test("a denial uses up no app code and no recovery code, and records nothing")
        func deniedSignIn() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let (tokens, secret) = try authenticator.in(project).enrollApp(user.idToken)
            let id = tokens.account.secondFactors[0].id
            let recoveryCode = try authenticator.in(project).makeRecoveryCodes(idToken: tokens.idToken)[0]
            wait(60)
            let challenge = try authenticator.in(project).challenge()
            for (code, request) in [
                (secret.code(at: TOTPSecret.step(at: deployment.clock.now)), "t"), (recoveryCode, "r"),
            ] {
                func finish(_ request: String) -> SecondFactorOutcome {
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.in(project).finish(
                            .totp(secondFactorID: id, code: code),
                            challenge,
                            request: request
                        )
                    }
                }
                let before = deployment.sortedContents()
                hooks.answer { _ in .denied() }
                #expect(finish(request + "1") == .hook(.denied(.beforeSignIn)))
                #expect(deployment.sortedContents() == before)
                hooks.answer { _ in .allowed }
                #expect(finish(request + "2") == .done)
                #expect(finish(request + "3") == .answerWrong)
            }
        }

        @Test("an enrollment calls the hook once the factor is proven, and gets a revert code")
        func enrollment() throws {
            let user = try authenticator.in(project).secondFactorUser()
            _ = hooks.asked()
            wait(1)
            let session = try authenticator.in(project).startEnrollment(number, user.idToken)
            var request = FinishSecondFactorEnrollmentRequest(
                .phone(sessionInfo: session, code: "000000"),
                displayName: "Mine"
            )
            request.client = ClientDescription(networkAddress: "192.0.2.7", userAgent: "App/1.0", locale: "de")
            func finish() throws -> IssuedTokens {
                let user = try authenticator.in(project).enrollingUser(idToken: user.idToken, .sms)
                return try authenticator.in(project).finishEnrollment(of: user, request)
            }
            request.evidence = .phone(
                sessionInfo: session,
                code: try authenticator.in(project).wrongCode(of: session)
            )
            #expect(throws: SecondFactorRefusal.self) { try finish() }
            #expect(hooks.asked().isEmpty)
            request.evidence = .phone(sessionInfo: session, code: try authenticator.in(project).code(of: session))
            let phone = try finish()
            let first = try #require(hooks.asked().first)
            #expect(first.event == .beforeSecondFactorEnrollment)
            #expect(first.hook == project.blockingHooks.beforeSecondFactorEnrollment)
            #expect(first.uid == user.account.uid && first.user.text("email") == "ada@example.com")
            #expect(first.claims.text("ip_address") == "192.0.2.7" && first.claims.text("user_agent") == "App/1.0")
            #expect(first.claims.text("sign_in_method") == "password")
            #expect(first.claims["sign_in_second_factor"] == nil && factors(first.user).isEmpty)
            let factor = first.claims.object("second_factor")
            let enrolled = try #require(phone.account.secondFactors.first)
            #expect(factor.text("uid") == enrolled.id && factor.text("factor_id") == "phone")
            #expect(factor.text("phone_number") == number && factor.text("display_name") == "Mine")
            #expect(factor.text("enrollment_time") == enrolled.enrolledAt.rfc3339)
            let code = first.claims.text("revert_code")
            #expect(try authenticator.in(project).checkSecondFactorRevert(code).factor.id == enrolled.id)

            wait(1)
            _ = try authenticator.in(project).enrollApp(phone.idToken)
            let second = try #require(hooks.asked().first)
            #expect(second.claims.text("sign_in_second_factor") == "phone")
            #expect(factors(second.user).map { $0.text("uid") } == [enrolled.id])
            #expect(second.claims.object("second_factor").text("factor_id") == "totp")
        }

        @Test("no hook is called for a failed enrollment, or in a project without this hook")
        func unasked() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let sessions = try [1, 2].map {
                try authenticator.in(project).startEnrollment(number, user.idToken, client: $0)
            }
            _ = hooks.asked()
            var idToken = user.idToken
            func finish(_ session: String, in project: Project) throws -> SecondFactorOutcome {
                let code = try authenticator.in(project).code(of: session)
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    idToken = try authenticator.in(project).finishEnrollment(
                        .phone(sessionInfo: session, code: code),
                        idToken,
                        request: session
                    ).idToken
                }
            }
            let hook = try #require(project.blockingHooks.beforeSignIn)
            let other = deployment.project(secondFactors: .optional, hooks: BlockingHooks(beforeSignIn: hook))
            hooks.answer { _ in .denied() }
            #expect(try finish(sessions[0], in: other) == .done)
            #expect(try finish(sessions[1], in: project) == .alreadyEnrolled)
            #expect(hooks.asked().isEmpty)
        }

        @Test(
            "a hook that does not clearly allow an enrollment prevents it",
            arguments: [
                (.denied(), .denied(.beforeSecondFactorEnrollment)),
                (.timedOut, .failed(.beforeSecondFactorEnrollment, .timedOut)),
                (
                    .changing("displayName", #""displayName":"Eve""#),
                    .failed(.beforeSecondFactorEnrollment, .fieldNotChangeable)
                ),
            ] as [(BlockingHookReply, HookOutcome)]
        )
        func notAllowed(reply: BlockingHookReply, outcome: HookOutcome) throws {
            let user = try authenticator.in(project).secondFactorUser()
            let session = try authenticator.in(project).startEnrollment(number, user.idToken)
            let code = try authenticator.in(project).code(of: session)
            let enrolling = try authenticator.in(project).enrollingUser(idToken: user.idToken, .totp)
            let app = try authenticator.in(project).startTOTPEnrollment(of: enrolling)
            let secret = try #require(
                TOTPEnrollmentTicket(app.sessionInfo, for: enrolling.identity, authenticator.keys)
            )
            .secret
            let step = TOTPSecret.step(at: deployment.clock.now)
            func finish(_ evidence: FinishSecondFactorEnrollmentRequest.Evidence, _ request: String)
                -> SecondFactorOutcome
            {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finishEnrollment(evidence, user.idToken, request: request)
                }
            }
            let phone = FinishSecondFactorEnrollmentRequest.Evidence.phone(sessionInfo: session, code: code)
            let totp = FinishSecondFactorEnrollmentRequest.Evidence.totp(
                sessionInfo: app.sessionInfo,
                code: secret.code(at: step)
            )
            hooks.answer { _ in reply }
            #expect(finish(phone, "1") == .hook(outcome))
            #expect(finish(totp, "2") == .hook(outcome))
            #expect(try account().secondFactors.isEmpty)
            #expect(authenticator.in(project).look(up: user.idToken) == .found(uid: user.account.uid))
            hooks.answer { _ in .allowed }
            #expect(finish(phone, "3") == .sessionEnded(used: true))
            #expect(finish(totp, "4") == .done)
            #expect(try account().secondFactors.map(\.kind) == [.totp])
        }

        @Test("a request that gets 503 can be repeated with the same code")
        func busy() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let session = try authenticator.in(project).startEnrollment(number, user.idToken)
            let code = try authenticator.in(project).code(of: session)
            func finish(_ authenticator: Authenticator) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.in(project).finishEnrollment(
                        .phone(sessionInfo: session, code: code),
                        user.idToken
                    )
                }
            }
            #expect(finish(deployment.authenticator(hooks: TestHooks(maximum: 0))) == .hook(.busy))
            #expect(finish(authenticator) == .done)
            #expect(try account().secondFactors.count == 1)
            let asked = hooks.asked().filter { $0.event == .beforeSecondFactorEnrollment }
            #expect(asked.count == 1 && asked.allSatisfy { factors($0.user).isEmpty })
        }

        private final class Begun: Sendable {
            let tokens = Mutex<IssuedTokens?>(nil)
        }

        @Test("sessions started during the hook call end with the enrollment, and the user's own continues")
        func meanwhile() throws {
            let user = try authenticator.in(project).secondFactorUser()
            let passwordHashing = try TestPasswordHashing.make()
            let withoutHooks = deployment.project(secondFactors: .optional)
            let begun = Begun()
            hooks.answer { [deployment] _ in
                deployment.clock.advance(by: .seconds(2))
                let other = deployment.authenticator(passwordHashing: passwordHashing)
                let request = SignInWithPasswordRequest(
                    email: "ada@example.com",
                    password: "correct horse",
                    client: ClientDescription()
                )
                let tokens = (try? other.in(withoutHooks).signInWithPassword(request))?.tokens
                begun.tokens.withLock { $0 = tokens }
                deployment.clock.advance(by: .seconds(2))
                return .allowed
            }
            let tokens = try authenticator.in(project).enroll(number, user.idToken)
            let meanwhile = try #require(begun.tokens.withLock { $0 })
            #expect(authenticator.in(project).look(up: meanwhile.idToken) == .revoked)
            #expect(authenticator.in(project).look(up: tokens.idToken) == .found(uid: user.account.uid))
        }
    }
}
