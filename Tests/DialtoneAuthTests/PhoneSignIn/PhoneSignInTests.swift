import DialtoneTexts
import Foundation
import TestServers
import Testing

@testable import DialtoneAuth

/// The steps of the sign-in view, with a mock server.
@Suite @MainActor struct PhoneSignInTests {
    /// The device's clock, which stands still until a test changes it.
    private let time = Mutexed<TimeInterval>(0)
    private let start = Date()

    private func app(_ server: StandIn) throws -> TestApp {
        var environment = AuthEnvironment()
        environment.deviceTime = { [time, start] in start.addingTimeInterval(time.with { $0 }) }
        let app = try TestApp(server.url, environment: environment)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        return app
    }

    /// Returns a server that sends codes and signs in, unless `answer` responds instead.
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

    @Test("a number and a code sign in, the view gets each step, and the handler is called once")
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
        #expect(seen.map(\.activity) == [.sending, .sending, .sending, nil, .verifying, nil])
        #expect(seen.allSatisfy { $0.problem == nil })
        await signIn.verify("123456")
        await signIn.resend()
        await signIn.send("+16505550102")
        signIn.changeNumber()
        #expect(signIn.state.step == .signedIn)
        #expect(results.with { $0 } == 1)
    }

    @Test("a second tap sends nothing, and the code can be sent again only after the wait")
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
        // If the clock is set back, the user can still request a code.
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
        #expect(PhoneSignInTexts(language: "en").problem(problem).hasSuffix("Try again in 10 minutes."))
        isLimited.with { $0 = false }
        await signIn.send("+16505550101")
        #expect(signIn.state.problem == nil)
        time.with { $0 += 31 }
        isLimited.with { $0 = true }
        await signIn.resend()
        #expect(signIn.state.step == .code(sentTo: "+16505550101"))
        #expect(signIn.remainingWait() == 600)
    }

    @Test("a wrong code can be corrected, and an expired one leads to another message without a wait")
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

    @Test("after changing the number, the user sees nothing of the former one, even after a restart")
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

    @Test("a correct code signs in even if the user has gone back")
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

    @Test("an unreachable server is a problem described in words, and the step is kept")
    func outage() async throws {
        let server = try server { _ in StandIn.Answer(status: 503, body: "") }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        await signIn.send("+16505550101")
        #expect(signIn.state.step == .number)
        #expect(signIn.state.problem?.code == .networkError)
        #expect(signIn.state.activity == nil)
    }

    @Test("the server parses a number without a country code for the device's region")
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

    private func regionServer() throws -> StandIn {
        try server { request in
            request.path.hasPrefix("/v2/signInConfig")
                ? StandIn.Answer(
                    body: #"{"regions":[["US",1,"2015550123"],["DE",49,"15123456789"],["AX",358,"412345678"]],"x":1}"#
                ) : nil
        }
    }

    @Test("the regions are the project's, sorted by name in the language of the texts")
    func regions() async throws {
        let server = try regionServer()
        let texts = PhoneSignInTexts(language: "de")
        let signIn = PhoneSignIn(auth: try app(server).auth, region: "DE", texts: texts)
        #expect(signIn.state.regions.isEmpty)
        async let first: Void = signIn.loadRegions()
        async let second: Void = signIn.loadRegions()
        _ = await (first, second)
        #expect(server.requests(of: "/v2/signInConfig").count == 1)
        #expect(signIn.state.regions.map(\.name) == ["Ålandinseln", "Deutschland", "Vereinigte Staaten"])
        #expect(signIn.state.region?.code == "DE")
        signIn.choose(try #require(signIn.regions(matching: "us").last))
        #expect(signIn.state.region?.callingCode == 1)
        await signIn.send("+4915123456789")
        signIn.changeNumber()
        #expect(signIn.state.region?.label == "Vereinigte Staaten \u{2066}+1\u{2069}")
        #expect(signIn.state.region?.code == "US" && signIn.state.regions.count == 3)
    }

    @Test(
        "regions are found by name, code and calling code, ignoring case and accents, prefix matches first",
        arguments: [
            ("", ["AX", "DE", "US"]), ("aland", ["AX"]), ("DEUTSCH", ["DE"]), ("+49", ["DE"]), ("３５８", ["AX"]),
            ("land", ["AX", "DE"]), (" vereinigte ", ["US"]), ("x", ["AX"]), ("zzz", []),
        ]
    )
    func search(typed: String, codes: [String]) async throws {
        let texts = PhoneSignInTexts(language: "de")
        let signIn = PhoneSignIn(auth: try app(regionServer()).auth, region: "FR", texts: texts)
        await signIn.loadRegions()
        #expect(signIn.state.region == nil)
        #expect(signIn.regions(matching: typed).map(\.code) == codes)
        #expect(signIn.regions(matching: String(repeating: "x", count: 1_000_000)).isEmpty)
    }

    @Test(
        "with an invalid list of regions, users have only the number field, and the list is requested again",
        arguments: [
            "", "[]", #"{"regions":[["us",1,"2"]]}"#, #"{"regions":[["US","1","2"]]}"#, #"{"regions":[[1,"US","2"]]}"#,
            #"{"regions":[["US",1000,"2"]]}"#, #"{"regions":[["U\n",1,"2"]]}"#, #"{"regions":{}}"#,
        ]
    )
    func hostileRegions(body: String) async throws {
        let server = try server { request in
            request.path.hasPrefix("/v2/signInConfig") ? StandIn.Answer(body: body) : nil
        }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        for _ in 0..<2 { await signIn.loadRegions() }
        #expect(signIn.state.regions.isEmpty && signIn.state.problem == nil)
        #expect(server.requests(of: "/v2/signInConfig").count == 2)
    }

    @Test("a list of regions is limited to 300 entries, each once")
    func manyRegions() async throws {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let codes = letters.flatMap { first in letters.map { "\(first)\($0)" } }
        let list = (codes + codes).map { #"["\#($0)",1,""]"# }.joined(separator: ",")
        let server = try server { request in
            request.path.hasPrefix("/v2/signInConfig") ? StandIn.Answer(body: #"{"regions":[\#(list)]}"#) : nil
        }
        let signIn = PhoneSignIn(auth: try app(server).auth)
        await signIn.loadRegions()
        #expect(signIn.state.regions.count == 300)
        #expect(Set(signIn.state.regions.map(\.id)).count == 300)
    }

    @Test("the server decides whether it sends to a number that its numbering data do not know")
    func unknownNumber() async throws {
        for isAccepted in [true, false] {
            let server = try server { request in
                request.path.hasPrefix("/v2/parsePhoneNumber")
                    ? StandIn.Answer(
                        body: #"{"valid":false,"phoneNumber":"+19995550101","accepted":\#(isAccepted)}"#
                    ) : nil
            }
            let signIn = PhoneSignIn(auth: try app(server).auth, region: "US")
            await signIn.send("999-555-0101")
            #expect(sends(server) == (isAccepted ? 1 : 0))
            #expect(signIn.state.problem?.code == (isAccepted ? nil : .invalidPhoneNumber))
        }
    }

    @Test("a number of a region that the project does not send to is a problem, and no message is requested")
    func otherRegion() async throws {
        let server = try server { request in
            request.path.hasPrefix("/v2/parsePhoneNumber")
                ? StandIn.Answer(body: #"{"valid":true,"phoneNumber":"+16505550101","regionAllowed":false}"#) : nil
        }
        let signIn = PhoneSignIn(auth: try app(server).auth, region: "US")
        await signIn.send("650-555-0101")
        #expect(signIn.state.problem?.code == .operationNotAllowed)
        #expect(sends(server) == 0)
    }

    @Test("a printed state contains no phone number")
    func secrets() async throws {
        let signIn = PhoneSignIn(auth: try app(server()).auth)
        await signIn.send("+16505550101")
        var dumped = ""
        dump(signIn.state, to: &dumped)
        dump(signIn.state.step, to: &dumped)
        #expect(!"\(signIn.state) \(signIn.state.step) \(dumped)".contains("0101"))
    }

    @Test("codes and numbers are read in any script")
    func typed() throws {
        let provider = PhoneAuthProvider.provider(auth: try TestApp("https://auth.example.com").auth)
        for code in ["१२३ ४५६", "١٢٣٤٥٦", "১২৩৪৫৬", "１２３-４５６"] {
            let credential = provider.credential(withVerificationID: "id", verificationCode: code)
            #expect(credential.answer?.code == "123456")
        }
        #expect(PhoneSignIn.code(" 123-456 ") == "123456")
        #expect(PhoneSignIn.code("۱۲۳۴۵۶") == "123456")
        #expect(PhoneSignIn.code("½²x") == "")
        #expect(PhoneSignIn.code(String(repeating: "1", count: 1_000_000)).count == 12)
        #expect(PhoneSignIn.typedCode("\u{2067}١٢٣ ٤٥٦\u{2069}") == "123456")
        #expect(PhoneSignIn.typedCode(" AB3D5-efghk\n") == "AB3D5efghk")
        #expect(PhoneSignIn.asciiDigits("＋４４ (0)20") == "+44 (0)20")
        #expect(PhoneSignIn.asciiDigits("\u{202A}+44\u{200B}20\u{202C}") == "+4420")
    }

    @Test(
        "the region comes from the locale",
        arguments: [
            ("en_US", "US"), ("zh-Hans-CN", "CN"), ("sr_Latn_RS@calendar=japanese", "RS"), ("de", nil), ("es_419", nil),
            ("en_US_POSIX", "US"), ("", nil), ("ca_es_valencia", "ES"),
        ]
    )
    func region(identifier: String, region: String?) {
        #expect(PhoneSignIn.region(ofLocale: identifier) == region)
    }

    @Test("each problem is described without an error code's name, and waits in suitable units")
    func texts() {
        let texts = PhoneSignInTexts(language: "en")
        for code in AuthErrorCode.allCases {
            let text = texts.problem(PhoneSignInProblem(code.error()))
            #expect(text.hasSuffix(".") && !text.contains("_") && !text.contains("\(code)"))
            #expect(text == texts.description(of: code))
        }
        #expect(texts.resendWait(1) == "Send again in 1 second")
        #expect(texts.resendWait(89) == "Send again in 89 seconds")
        #expect(texts.resendWait(90) == "Send again in 2 minutes")
        #expect(texts.resendWait(121) == "Send again in 3 minutes")
        #expect(texts.resendWait(7_200) == "Send again in 2 hours")
        #expect([5, 65, 7_265].map(Language.clock) == ["0:05", "1:05", "2:01:05"])
        #expect(texts.codeNotice("+1") == "We sent a message to \u{2066}+1\u{2069}.")
        for wait in [Double.infinity, .nan, -1, 1e300] {
            let error = AuthErrorCode.tooManyRequests.error(nil, ResponseDetails(retryAfter: wait))
            #expect(!texts.problem(PhoneSignInProblem(error)).isEmpty)
        }
    }

    @Test("waits are described in each language", arguments: Language.allCases)
    func waits(language: Language) {
        let waits = [5, 300, 18_000]
        let texts = waits.map(language.duration)
        // Arabic has its own digits.
        for text in texts { #expect(text.contains("5") || text.contains("٥"), "\(text)") }
        #expect(Set(texts).count == waits.count)
        #expect(language == .english || texts != waits.map(Language.english.duration))
    }
}
