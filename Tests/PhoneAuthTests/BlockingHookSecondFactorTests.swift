import Encodings
import RedisStore
import Synchronization
import Testing

@testable import PhoneAuth

extension PhoneAuthTests {
    /// Users with second factors in a project with hooks.
    @Suite struct BlockingHookSecondFactorTests {
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

        private func account() throws -> Account { try #require(try authenticator.accounts(of: project).values.first) }

        private func factors(_ user: JSONObject) -> [JSONObject] {
            guard case .array(let factors) = user.object("multi_factor")["enrolled_factors"] else { return [] }
            return factors.compactMap { if case .object(let factor) = $0 { factor } else { nil } }
        }

        @Test("the first factor asks nobody, both together ask once, and the event tells of the second")
        func signIn() throws {
            let user = try authenticator.secondFactorUser(in: project)
            wait(1)
            let phone = try authenticator.enroll(number, user.idToken, name: "Mine", in: project)
            wait(1)
            let (tokens, secret) = try authenticator.enrollApp(phone.idToken, in: project)
            let ids = tokens.account.secondFactors.map(\.id)
            _ = hooks.asked()
            wait(60)
            let challenge = try authenticator.challenge(in: project)
            #expect(hooks.asked().isEmpty)
            func finish(_ code: String) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finish(.totp(secondFactorID: ids[1], code: code), challenge, in: project)
                }
            }
            #expect(finish("000000") == .answerWrong)
            #expect(hooks.asked().isEmpty)
            wait(60)
            let step = TOTPSecret.step(at: deployment.clock.now)
            let code = secret.code(at: step)
            #expect(
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finish(
                        .totp(secondFactorID: ids[1], code: code),
                        challenge,
                        request: "right",
                        in: project
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

        @Test("a no leaves the code of an app and a recovery code unused, and records nothing")
        func deniedSignIn() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let (tokens, secret) = try authenticator.enrollApp(user.idToken, in: project)
            let id = tokens.account.secondFactors[0].id
            let recoveryCode = try authenticator.makeRecoveryCodes(idToken: tokens.idToken, in: project)[0]
            wait(60)
            let challenge = try authenticator.challenge(in: project)
            for (code, request) in [
                (secret.code(at: TOTPSecret.step(at: deployment.clock.now)), "t"), (recoveryCode, "r"),
            ] {
                func finish(_ request: String) -> SecondFactorOutcome {
                    authenticator.outcome { () throws(SecondFactorRefusal) in
                        try authenticator.finish(
                            .totp(secondFactorID: id, code: code),
                            challenge,
                            request: request,
                            in: project
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

        @Test("an enrolment asks when the factor is proven, and tells how to undo it")
        func enrollment() throws {
            let user = try authenticator.secondFactorUser(in: project)
            _ = hooks.asked()
            wait(1)
            let session = try authenticator.startEnrollment(number, user.idToken, in: project)
            var request = FinishSecondFactorEnrollmentRequest(
                .phone(sessionInfo: session, code: "000000"),
                displayName: "Mine",
                requestID: "1"
            )
            request.client = ClientDescription(networkAddress: "192.0.2.7", userAgent: "App/1.0", locale: "de")
            func finish() throws -> IssuedTokens {
                let user = try authenticator.enrollingUser(idToken: user.idToken, .phone, in: project)
                return try authenticator.finishEnrollment(of: user, request, in: project)
            }
            request.evidence = .phone(
                sessionInfo: session,
                code: try authenticator.wrongCode(of: session, in: project)
            )
            #expect(throws: SecondFactorRefusal.self) { try finish() }
            #expect(hooks.asked().isEmpty)
            request.evidence = .phone(sessionInfo: session, code: try authenticator.code(of: session, in: project))
            request.requestID = "2"
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
            #expect(try authenticator.checkSecondFactorRevert(code, in: project).factor.id == enrolled.id)

            wait(1)
            _ = try authenticator.enrollApp(phone.idToken, in: project)
            let second = try #require(hooks.asked().first)
            #expect(second.claims.text("sign_in_second_factor") == "phone")
            #expect(factors(second.user).map { $0.text("uid") } == [enrolled.id])
            #expect(second.claims.object("second_factor").text("factor_id") == "totp")
        }

        @Test("nobody is asked about an enrolment that comes to nothing, nor where the project has no such hook")
        func unasked() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let sessions = try [1, 2].map {
                try authenticator.startEnrollment(number, user.idToken, client: $0, in: project)
            }
            _ = hooks.asked()
            var idToken = user.idToken
            func finish(_ session: String, in project: Project) throws -> SecondFactorOutcome {
                let code = try authenticator.code(of: session, in: project)
                return authenticator.outcome { () throws(SecondFactorRefusal) in
                    idToken = try authenticator.finishEnrollment(
                        .phone(sessionInfo: session, code: code),
                        idToken,
                        request: session,
                        in: project
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
            "a hook that does not just allow it has nothing enrolled",
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
            let user = try authenticator.secondFactorUser(in: project)
            let session = try authenticator.startEnrollment(number, user.idToken, in: project)
            let code = try authenticator.code(of: session, in: project)
            let enrolling = try authenticator.enrollingUser(idToken: user.idToken, .totp, in: project)
            let app = try authenticator.startTOTPEnrollment(of: enrolling, in: project)
            let secret = try #require(
                TOTPEnrollmentTicket(app.sessionInfo, for: enrolling.identity, authenticator.keys)
            )
            .secret
            let step = TOTPSecret.step(at: deployment.clock.now)
            func finish(_ evidence: FinishSecondFactorEnrollmentRequest.Evidence, _ request: String)
                -> SecondFactorOutcome
            {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finishEnrollment(evidence, user.idToken, request: request, in: project)
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
            #expect(authenticator.look(up: user.idToken, in: project) == .found(uid: user.account.uid))
            hooks.answer { _ in .allowed }
            #expect(finish(phone, "3") == .sessionEnded(used: true))
            #expect(finish(totp, "4") == .done)
            #expect(try account().secondFactors.map(\.kind) == [.totp])
        }

        @Test("who is told to come later may come with the same code")
        func busy() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let session = try authenticator.startEnrollment(number, user.idToken, in: project)
            let code = try authenticator.code(of: session, in: project)
            func finish(_ authenticator: Authenticator) -> SecondFactorOutcome {
                authenticator.outcome { () throws(SecondFactorRefusal) in
                    try authenticator.finishEnrollment(
                        .phone(sessionInfo: session, code: code),
                        user.idToken,
                        in: project
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

        @Test("sessions that begin while the hook thinks end with the enrolment, the user's own goes on")
        func meanwhile() throws {
            let user = try authenticator.secondFactorUser(in: project)
            let passwordHashing = try TestPasswordHashing.make()
            let withoutHooks = deployment.project(secondFactors: .optional)
            let begun = Begun()
            hooks.answer { [deployment] _ in
                deployment.clock.advance(by: .seconds(2))
                let other = deployment.authenticator(passwordHashing: passwordHashing)
                let request = SignInWithPasswordRequest(
                    email: "ada@example.com",
                    password: "correct horse",
                    client: ClientDescription(),
                    requestID: "meanwhile"
                )
                let tokens = (try? other.signInWithPassword(request, in: withoutHooks))?.tokens
                begun.tokens.withLock { $0 = tokens }
                deployment.clock.advance(by: .seconds(2))
                return .allowed
            }
            let tokens = try authenticator.enroll(number, user.idToken, in: project)
            let meanwhile = try #require(begun.tokens.withLock { $0 })
            #expect(authenticator.look(up: meanwhile.idToken, in: project) == .revoked)
            #expect(authenticator.look(up: tokens.idToken, in: project) == .found(uid: user.account.uid))
        }
    }
}
