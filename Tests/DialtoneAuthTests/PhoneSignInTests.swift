import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// The steps of the sign-in view, with a server that a test controls.
@Suite @MainActor struct PhoneSignInTests {
    private let time = Mutexed<TimeInterval>(0)

    private func app(_ server: StandIn) throws -> TestApp {
        var environment = AuthEnvironment()
        environment.deviceTime = { [time] in Date().addingTimeInterval(time.with { $0 }) }
        let app = try TestApp(server.url, environment: environment)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        return app
    }

    /// Sends codes and signs in; a test may answer instead.
    private func server(
        _ answer: @escaping @Sendable (StandIn.Request) -> StandIn.Answer? = { _ in nil }
    ) throws -> StandIn {
        try StandIn { request in
            if let answer = answer(request) { return answer }
            if request.path.hasPrefix("/v1/accounts:sendVerificationCode") {
                return StandIn.Answer(body: #"{"sessionInfo":"session","resendAfter":"30"}"#)
            }
            if request.path.hasPrefix("/v1/accounts:signInWithPhoneNumber") {
                return StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
            }
            return StandIn.Answer(status: 503, body: "")
        }
    }

    private func sends(_ server: StandIn) -> Int { server.requests(of: "/v1/accounts:sendVerificationCode").count }

    @Test("a number and a code sign in; the view sees each step, and the handler is called once")
    func steps() async throws {
        let app = try app(try server())
        let signIn = PhoneSignIn(auth: app.auth)
        let states = Mutexed<[PhoneSignIn.State]>([])
        let results = Mutexed(0)
        signIn.onChange = { state in states.with { $0.append(state) } }
        signIn.onSignIn = { _ in results.with { $0 += 1 } }
        await signIn.send(" +1 650-555-0101 ")
        #expect(signIn.state.step == .code(sentTo: "+1 650-555-0101"))
        #expect(signIn.remainingWait() == 30)
        await signIn.verify("１２３ 456")
        #expect(signIn.state.step == .signedIn)
        #expect(app.auth.currentUser?.uid == "ann")
        let seen = states.with { $0 }
        #expect(seen.map(\.activity) == [.sending, .sending, .sending, nil, .verifying, nil, nil])
        #expect(seen.allSatisfy { $0.problem == nil })
        await signIn.verify("123456")
        await signIn.resend()
        await signIn.send("+16505550102")
        signIn.changeNumber()
        #expect(signIn.state.step == .signedIn)
        #expect(results.with { $0 } == 1)
    }

    @Test("a second tap sends nothing, and the code can be sent once more after the wait only")
    func resend() async throws {
        let server = try server()
        let signIn = PhoneSignIn(auth: try app(server).auth)
        async let first: Void = signIn.send("+16505550101")
        async let second: Void = signIn.send("+16505550101")
        _ = await (first, second)
        #expect(sends(server) == 1)
        await signIn.resend()
        #expect(sends(server) == 1)
        time.with { $0 += 31 }
        #expect(signIn.remainingWait() == 0)
        await signIn.resend()
        #expect(sends(server) == 2)
        #expect(signIn.remainingWait() == 30)
        // A clock that is set back leaves nobody without a code.
        time.with { $0 = -86_400 }
        #expect(signIn.remainingWait() == 0)
    }

    @Test("a rate limit is shown with its wait, which the button counts down")
    func rateLimit() async throws {
        let isLimited = Mutexed(false)
        let server = try server { request in
            isLimited.with { $0 } && request.path.hasPrefix("/v1/accounts:sendVerificationCode")
                ? .error("TOO_MANY_ATTEMPTS_TRY_LATER", headers: ["Retry-After": "600", "Dialtone-Reference": "abc-1"])
                : nil
        }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        isLimited.with { $0 = true }
        await signIn.send("+16505550101")
        #expect(signIn.state.step == .number)
        let problem = try #require(signIn.state.problem)
        #expect(problem.code == .tooManyRequests && problem.reference == "abc-1")
        #expect(PhoneSignInTexts().problem(problem).hasSuffix("Try again in 10 minutes."))
        isLimited.with { $0 = false }
        await signIn.send("+16505550101")
        #expect(signIn.state.problem == nil)
        time.with { $0 += 31 }
        isLimited.with { $0 = true }
        await signIn.resend()
        #expect(signIn.state.step == .code(sentTo: "+16505550101"))
        #expect(signIn.remainingWait() == 600)
    }

    @Test("a wrong code may be corrected, and an expired one leads to another message without a wait")
    func codes() async throws {
        let error = Mutexed("INVALID_CODE")
        let server = try server { request in
            guard request.path.hasPrefix("/v1/accounts:signInWithPhoneNumber") else { return nil }
            let word = error.with { $0 }
            return word.isEmpty ? nil : .error(word)
        }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        await signIn.verify("123456")
        #expect(server.requests.isEmpty)
        await signIn.send("+16505550101")
        await signIn.verify("")
        #expect(signIn.state.problem?.code == .missingVerificationCode)
        await signIn.verify("000000")
        #expect(signIn.state.problem?.code == .invalidVerificationCode)
        #expect(signIn.remainingWait() == 30)
        error.with { $0 = "SESSION_EXPIRED" }
        await signIn.verify("123456")
        #expect(signIn.state.problem?.code == .sessionExpired)
        #expect(signIn.remainingWait() == 0)
        await signIn.resend()
        #expect(signIn.state.problem == nil)
        error.with { $0 = "" }
        await signIn.verify("123456")
        #expect(signIn.state.step == .signedIn)
    }

    @Test("a user who changes the number sees nothing of the former one, also after a restart")
    func changeNumber() async throws {
        let mayAnswer = Mutexed(false)
        let server = try server { request in
            if request.path.hasPrefix("/v1/accounts:signInWithPhoneNumber") {
                _ = eventually { mayAnswer.with { $0 } }
                return .error("INVALID_CODE")
            }
            return nil
        }
        let app = try app(server)
        let signIn = PhoneSignIn(auth: app.auth)
        await signIn.send("+16505550101")
        let verification = Task { await signIn.verify("000000") }
        #expect(await waitUntil { @Sendable in !server.requests(of: "/v1/accounts:signInWithPhoneNumber").isEmpty })
        signIn.changeNumber()
        #expect(signIn.state == PhoneSignIn(auth: app.auth).state)
        mayAnswer.with { $0 = true }
        await verification.value
        #expect(signIn.state.step == .number)
        #expect(signIn.state.problem == nil && signIn.state.activity == nil)
        await signIn.send("+16505550102")
        #expect(signIn.state.step == .code(sentTo: "+16505550102"))
    }

    @Test("a code that was right although the user has gone back signs in")
    func lateSuccess() async throws {
        let mayAnswer = Mutexed(false)
        let server = try server { request in
            if request.path.hasPrefix("/v1/accounts:signInWithPhoneNumber") { _ = eventually { mayAnswer.with { $0 } } }
            return nil
        }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        await signIn.send("+16505550101")
        let verification = Task { await signIn.verify("123456") }
        #expect(await waitUntil { @Sendable in !server.requests(of: "/v1/accounts:signInWithPhoneNumber").isEmpty })
        signIn.changeNumber()
        mayAnswer.with { $0 = true }
        await verification.value
        #expect(signIn.state.step == .signedIn)
        #expect(signIn.state.activity == nil)
    }

    @Test("an unreachable server is a problem in words, and the step stays")
    func outage() async throws {
        let server = try server { _ in StandIn.Answer(status: 503, body: "") }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        await signIn.send("+16505550101")
        #expect(signIn.state.step == .number)
        #expect(signIn.state.problem?.code == .networkError)
        #expect(signIn.state.activity == nil)
    }

    @Test("a number without a country code is read by the server for the device's region")
    func nationalNumber() async throws {
        let server = try server { request in
            guard request.path.hasPrefix("/v2/parsePhoneNumber") else { return nil }
            return request.body.contains("0101")
                ? StandIn.Answer(body: #"{"valid":true,"phoneNumber":"+16505550101"}"#)
                : StandIn.Answer(body: #"{"valid":false,"reason":"TOO_SHORT"}"#)
        }
        let signIn = PhoneSignIn(auth: try app(server).auth, region: "US")
        await signIn.send(String(repeating: "5", count: 1_000_000))
        #expect(signIn.state.problem?.code == .invalidPhoneNumber && server.requests.isEmpty)
        await signIn.send("555")
        #expect(signIn.state.problem?.code == .invalidPhoneNumber)
        #expect(sends(server) == 0)
        await signIn.send("(٦٥٠) 555-0101")
        #expect(signIn.state.step == .code(sentTo: "+16505550101"))
        let parsed = try #require(server.requests(of: "/v2/parsePhoneNumber").last)
        #expect(parsed.body.contains(#""regionCode":"US""#) && parsed.body.contains("(650) 555-0101"))
    }

    @Test("what users type is read, whatever their script")
    func typed() {
        #expect(PhoneSignIn.code(" 123-456 ") == "123456")
        #expect(PhoneSignIn.code("۱۲۳۴۵۶") == "123456")
        #expect(PhoneSignIn.code("½²x") == "")
        #expect(PhoneSignIn.code(String(repeating: "1", count: 1_000_000)).count == 12)
        #expect(PhoneSignIn.asciiDigits("＋４４ (0)20") == "+44 (0)20")
        #expect(PhoneSignIn.asciiDigits("\u{202A}+44\u{200B}20\u{202C}") == "+4420")
    }

    @Test(
        "the region is that of the locale",
        arguments: [
            ("en_US", "US"), ("zh-Hans-CN", "CN"), ("sr_Latn_RS@calendar=japanese", "RS"), ("de", nil), ("es_419", nil),
            ("en_US_POSIX", "US"), ("", nil), ("ca_es_valencia", "ES"),
        ]
    )
    func region(identifier: String, region: String?) {
        #expect(PhoneSignIn.region(ofLocale: identifier) == region)
    }

    @Test("each problem has words without a code's name, and waits are told in units that people use")
    func texts() {
        let texts = PhoneSignInTexts()
        for code in AuthErrorCode.allCases {
            let text = texts.problem(PhoneSignInProblem(code.error()))
            #expect(text.hasSuffix(".") && !text.contains("_") && !text.contains("\(code)"))
        }
        #expect(texts.resendWait(1) == "Send the code again in 1 second")
        #expect(texts.resendWait(119) == "Send the code again in 119 seconds")
        #expect(texts.resendWait(121) == "Send the code again in 3 minutes")
        #expect(PhoneSignInTexts.duration(7_200) == "2 hours")
        #expect(PhoneSignInTexts.duration(604_800) == "7 days")
        for wait in [Double.infinity, .nan, -1, 1e300] {
            let error = AuthErrorCode.tooManyRequests.error(nil, ResponseDetails(retryAfter: wait))
            #expect(!texts.problem(PhoneSignInProblem(error)).isEmpty)
        }
    }
}
