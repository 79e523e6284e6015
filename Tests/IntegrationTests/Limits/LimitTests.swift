import Encodings
import Processes
import TestServers
import Testing

/// The rate limits through the whole server: their errors, headers and log lines.
@Suite struct LimitTests {
    private static func number(_ index: Int) -> String { "+1650555\(2000 + index)" }

    /// The limits and their refusals. Two workers' clocks may differ slightly, so `retryAfter` may be a second too
    /// long.
    static let limits: [(String, String, code: String, detail: String, retryAfter: ClosedRange<Int>)] = [
        (
            "SENDS_PER_NETWORK_PER_HOUR", "4", "TOO_MANY_ATTEMPTS_TRY_LATER",
            "3 of 4 sends per network in 3600 s, 1 \(reserved)", 800...901
        ),
        (
            "SENDS_PER_PROJECT_PER_HOUR", "4", "QUOTA_EXCEEDED", "3 of 4 sends per project in 3600 s, 1 \(reserved)",
            800...901
        ),
        (
            "SENDS_PER_PROJECT_PER_DAY", "4", "QUOTA_EXCEEDED", "3 of 4 sends per project in 86400 s, 1 \(reserved)",
            21_500...21_601
        ),
    ]
    private static let reserved = "of them reserved for known clients and requests with the account's ID token"

    @Test("racing sends at the limit get exactly what it allows, and the refusal has its own error", arguments: limits)
    func edge(setting: String, maximum: String, code: String, detail: String, retryAfter: ClosedRange<Int>) throws {
        let server = try RunningServer(settings: [setting: maximum])
        let isOfNetwork = setting.contains("NETWORK")
        let answers = try inParallel(8) { racer in
            try server.sendVerificationCode(Self.number(racer), from: "127.0.0.\(isOfNetwork ? 1 : racer + 1)")
        }
        #expect(answers.filter { $0.status == 200 }.count == 3)
        let refused = answers.filter { $0.status == 400 }
        #expect(refused.count == 5)
        for answer in refused {
            #expect(answer.errorCode == code)
            try expectEnvelope(answer, status: "INVALID_ARGUMENT")
            let seconds = try #require(answer.headers["retry-after"].flatMap { Int($0) })
            #expect(retryAfter.contains(seconds))
        }
        #expect(server.log.contains(#""detail":"\#(detail), retry in "#))
    }

    @Test("all rate limit refusals look the same, whichever limit is exceeded, and whether the number is known or not")
    func shape() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NETWORK_PER_HOUR": "3", "SENDS_PER_NUMBER_PER_HOUR": "1", "LOCK_SECONDS": "1"]
        )
        for index in 0..<2 { _ = try server.openVerification(Self.number(index)) }
        let byNetwork = try server.sendVerificationCode(Self.number(5))
        let byNumber = try server.sendVerificationCode(Self.number(0), from: "127.0.0.9")
        #expect(byNetwork.errorCode == byNumber.errorCode && byNetwork.body.count == byNumber.body.count)
        let names = Set(byNetwork.headers.keys)
        #expect(names == Set(byNumber.headers.keys))
        #expect(names.contains("retry-after"))
    }

    @Test("networks have separate rate limits, and repeated sends of one app count once")
    func networks() throws {
        let server = try RunningServer(workers: 1, settings: ["SENDS_PER_NETWORK_PER_HOUR": "3"])
        for _ in 0..<10 { #expect(try server.sendVerificationCode(Self.number(0)).status == 200) }
        #expect(try server.sendVerificationCode(Self.number(1)).status == 200)
        #expect(try server.sendVerificationCode(Self.number(2)).status == 400)
        #expect(try server.sendVerificationCode(Self.number(2), from: "127.0.0.9").status == 200)
    }

    @Test("a client that guesses codes must wait, and guesses during the wait use no attempts")
    func wrongCodes() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["WRONG_CODES_BEFORE_WAIT": "2", "LONGEST_WRONG_CODE_WAIT_SECONDS": "4"]
        )
        let session = try server.openVerification(Self.number(0))
        let code = try server.code(of: session)
        for attempt in 0..<2 {
            #expect(try server.signIn(session, wrongCode(besides: code, attempt)).errorMessage == "INVALID_CODE")
        }
        // A loaded machine may miss the first wait, which is a second. The third one is four seconds.
        for attempt in 2..<4 {
            let isVerified = try eventually {
                try server.signIn(session, wrongCode(besides: code, attempt)).errorMessage == "INVALID_CODE"
            }
            #expect(isVerified)
        }
        let refused = try server.signIn(session, code)
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(refused.headers["retry-after"].flatMap { Int($0) }.map { (1...4).contains($0) } == true)
        #expect(server.log.contains("4 wrong codes for the number from this client"))
        #expect(try eventually { try server.signIn(session, code).status == 200 })
    }

    @Test("a number without remaining wrong codes is blocked until the operator resets it")
    func blockedNumber() throws {
        let server = try RunningServer(
            workers: 1,
            settings: [
                "WRONG_CODES_PER_NUMBER": "3", "SENDS_PER_PROJECT_PER_HOUR": "2500",
                "SENDS_PER_PROJECT_PER_DAY": "10000",
            ]
        )
        let session = try server.openVerification(Self.number(0))
        let code = try server.code(of: session)
        for attempt in 0..<3 { _ = try server.signIn(session, wrongCode(besides: code, attempt)) }
        let refused = try server.signIn(session, code)
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER")
        let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((50_400...50_541).contains(seconds), "until one of three is forgotten, of which half are in a day")

        let shown = try server.dialtone("limits", "show", Self.number(0)).output.split(separator: "\n")
        #expect(shown.first == "+•••••••2000 in demo-dialtone")
        #expect(shown.count == 6, "the number, four windows, the wrong codes")
        #expect(shown.contains { $0.hasPrefix("number, 1 h         1 of 5, one fewer at ") })
        // A message no longer counts there after a few seconds.
        #expect(shown.contains { $0.hasPrefix("project, 24 h ") && $0.contains(" of 10000 (3000 for known clients)") })
        #expect(
            shown.contains { $0.hasPrefix("wrong codes         3 of 3, halved every 24 h, zero at ") }
        )

        #expect(
            try server.dialtone("limits", "reset", Self.number(0)).output == "reset +•••••••2000 in demo-dialtone\n"
        )
        #expect(try server.signIn(session, code).status == 200)
        let known = try server.dialtone("limits", "show", Self.number(0)).output
        #expect(known.contains("number, 1 h         0 of 5 (2 for known clients)\n"), "\(known)")
        let again = try server.dialtone("limits", "reset", Self.number(1))
        #expect(again.output == "nothing to reset for +•••••••2001 in demo-dialtone\n")
        for command in ["show", "reset"] {
            let failed = try server.dialtone("limits", command, "+1650")
            #expect(failed.status == .exited(1))
            #expect(failed.errors == "dialtone: \"+1650\": not a possible phone number in E.164 form\n")
        }
    }

    @Test("a network without remaining silent pushes is sent to the challenge page, as SDKs expect")
    func pushes() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSHES_PER_NETWORK_PER_HOUR": "2"])
        for device in 1...2 { #expect(try deployment.verifyClient(PushDeployment.device(device)).status == 200) }
        let refused = try deployment.verifyClient(PushDeployment.device(3))
        #expect(refused.status == 400)
        #expect(refused.errorMessage == "INVALID_APP_CREDENTIAL")
        #expect(deployment.server.log.contains("the network has reached its pushes per hour"))
    }

    @Test("racing calls that share a session count once for the project")
    func repeated() throws {
        // One of three is for known clients.
        let server = try RunningServer(workers: 2, settings: ["SENDS_PER_PROJECT_PER_DAY": "3"])
        let answers = try inParallel(6) { _ in try server.sendVerificationCode(Self.number(0)) }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(try server.sendVerificationCode(Self.number(1), from: "127.0.0.2").status == 200)
        #expect(try server.sendVerificationCode(Self.number(2), from: "127.0.0.3").errorCode == "QUOTA_EXCEEDED")
    }
}
