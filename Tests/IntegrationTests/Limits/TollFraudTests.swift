import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

/// Unverified messages and spending caps, as apps and operators see them.
@Suite(.timeLimit(.minutes(30))) struct TollFraudTests {
    private static let strict = ["SMS_BREAKER": "on", "SMS_UNVERIFIED_ALLOWANCE": "2"]

    @Test(
        "under SMS pumping, receipts are refused, the page's challenge gets harder, then new clients get no code"
    )
    func steppedUp() async throws {
        let deployment = try await PushDeployment.start(settings: Self.strict)
        let (server, app) = (deployment.server, ChallengedApp())
        func send(_ number: String) throws -> HTTPAnswer {
            let token = try app.token(from: server)
            return try deployment.sendVerificationCode(number, #""recaptchaToken":"\#(token)""#)
        }
        for number in ["+16505550701", "+16505550702"] { #expect(try send(number)["sessionInfo"] != nil) }

        // The SDK drops its credential, requests a push, and is sent to the page …
        let refused = try send("+16505550703")
        #expect(refused.errorMessage == "INVALID_APP_CREDENTIAL")
        #expect(try deployment.verifyClient(PushDeployment.device(1)).errorMessage == "INVALID_APP_CREDENTIAL")
        // … which has the hard challenge.
        let challenge = try HTTPClient(port: server.port).request("POST", "/__/auth/challenge?\(app.query)")
        #expect(
            challenge["maxnumber"] == "1000000" || String(decoding: challenge.body, as: UTF8.self).contains("1000000")
        )
        #expect(try send("+16505550703")["sessionInfo"] != nil)

        let denied = try send("+16505550704")
        let reference = try #require(denied.headers["dialtone-reference"])
        #expect(denied.status == 400)
        #expect(denied.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER : Reference \(reference).")
        #expect(denied.headers["retry-after"].flatMap { Int($0) } ?? 0 > 3600)
        #expect(
            try server.dialtone("explain", reference).output.contains(
                "denied: 3 unverified messages to the number's ten thousand neighbors, 2 allowed"
            )
        )
        // Other ranges are unaffected.
        #expect(try send("+442079460701")["sessionInfo"] != nil)
    }

    @Test("a web app learns that its challenge was too easy")
    func web() throws {
        let server = try RunningServer(.production, workers: 1, settings: Self.strict)
        func send(_ number: String) throws -> HTTPAnswer {
            let query = "apiKey=\(RunningServer.apiKey)"
            let token = try #require(try server.submit(try server.solvedChallenge(query), query)["token"])
            return try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"\#(number)","recaptchaToken":"\#(token)","clientType":"CLIENT_TYPE_WEB"}"#
            )
        }
        for number in ["+16505550711", "+16505550712"] { #expect(try send(number)["sessionInfo"] != nil) }
        #expect(try send("+16505550713").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(try send("+16505550713")["sessionInfo"] != nil)
    }

    @Test("accepted messages are in the ledger, daily spending stops at the cap, and the report shows both")
    func ledger() async throws {
        let deployment = try await MessageDeployment.start(
            settings: [
                "GATEWAY_FIRST_PRICES": "*=0.05;US=0.01", "GATEWAY_SECOND_PRICES": "*=0.1;US=0.02",
                "SMS_SPEND_CAPS": "*=1;US=0.035", "SMS_BREAKER": "on",
            ]
        )
        let server = deployment.server
        try server.startDispatcher()
        // A send counts the price of the first gateway, which refuses the message.
        deployment.first.queue(.answer(422))
        let session = try server.openVerification("+16505550721")
        #expect(eventually { deployment.queued == 0 })
        #expect(try server.signIn(session, try server.code(of: session)).status == 200)
        _ = try server.openVerification("+16505550722")
        #expect(eventually { deployment.queued == 0 })
        _ = try server.openVerification("+442079460721")
        #expect(eventually { deployment.queued == 0 })

        let refused = try server.sendVerificationCode("+16505550723")
        #expect(refused.errorMessage?.hasPrefix("QUOTA_EXCEEDED : Reference ") == true)
        #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        #expect(server.log.contains("denied: 0.03 of 0.035 spent on the region today"))
        // It costs 0.05 of the cap of 1.
        #expect(try server.sendVerificationCode("+442079460722").status == 200)
        #expect(eventually { deployment.queued == 0 })

        let expected = [
            "region  gateway            sent  verified               spent",
            "GB      first                 2         0    0 %         0.10",
            "US      second                1         1  100 %         0.02",
            "US      first                 1         0    0 %         0.01",
            "all                           4         1   25 %         0.13",
            "GB: 0.10 of 1.00 spent today",
            "US: 0.03 of 0.035 spent today",
        ]
        #expect(try server.dialtone("sms", "report").output == expected.map { $0 + "\n" }.joined())
        let prefixes = try server.dialtone("sms", "report", "--prefixes", "--days", "2").output
        #expect(prefixes.contains("\nUS      +16505      second "))
        let series = server.redis.cli("KEYS", "dt:{*}:series-names")
        #expect(series != "" && !server.redis.cli("HGETALL", series).contains("+16505"))
    }

    @Test("the report shows messages to numbers that the numbering data did not know as an unknown range")
    func unknownRange() async throws {
        let deployment = try await MessageDeployment.start(settings: ["GATEWAY_FIRST_PRICES": "*=0.05;US=0.01"])
        let server = deployment.server
        try server.startDispatcher()
        let session = try server.openVerification("+19995550725")
        _ = try server.openVerification("+16505550725")
        #expect(eventually { deployment.queued == 0 })
        #expect(try server.signIn(session, try server.code(of: session)).status == 200)
        let expected = [
            "region             gateway            sent  verified               spent",
            "US, unknown range  first                 1         1  100 %         0.01",
            "US                 first                 1         0    0 %         0.01",
            "all                                      2         1   50 %         0.02",
        ]
        let report = try server.dialtone("sms", "report").output.split(separator: "\n").map(String.init)
        #expect(expected.allSatisfy(report.contains), "\(report)")
        #expect(report.contains { $0.hasPrefix("US: 0.02 spent today") }, "\(report)")
    }

    @Test("an operator sees and clears the unverified messages of a range")
    func forgiveness() async throws {
        let deployment = try await MessageDeployment.start(settings: Self.strict)
        let server = deployment.server
        try server.startDispatcher()
        for index in 0..<3 { _ = try server.openVerification("+1650555073\(index)") }
        #expect(try server.sendVerificationCode("+16505550739").status == 400)
        #expect(eventually { deployment.queued == 0 })
        #expect(
            try server.dialtone("sms", "report").output.contains("\n+16505 has 3 unverified messages, 5 allowed\n")
        )
        #expect(try server.dialtone("sms", "forgive", "+1650555").output == "cleared +1650555 in demo-dialtone\n")
        #expect(
            try server.dialtone("sms", "forgive", "+1650555").output
                == "+1650555 has no unverified messages in demo-dialtone\n"
        )
        #expect(try server.sendVerificationCode("+16505550739").status == 200)
        #expect(try server.dialtone("sms", "forgive", "US").output == "cleared US in demo-dialtone\n")
        #expect(try server.dialtone("sms", "forgive", "1650").errors.contains("\"1650\": not a region code"))
        #expect(try server.dialtone("sms", "report", "--days", "36").errors.contains("\"36\": not a number from 1 to"))
    }

    @Test("a message that no gateway accepts costs nothing and is not counted as unverified")
    func undelivered() async throws {
        let deployment = try await MessageDeployment.start(
            routes: "*=first",
            settings: Self.strict.merging(
                [
                    "GATEWAY_FIRST_PRICES": "*=0.01", "GATEWAY_SECOND_PRICES": "*=0.01", "SMS_SPEND_CAPS": "*=0.025",
                ]
            ) { $1 }
        )
        try deployment.server.startDispatcher()
        for index in 0..<5 {
            deployment.first.queue(.answer(422))
            #expect(try deployment.server.sendVerificationCode("+1650555074\(index)").status == 200)
            #expect(eventually { deployment.queued == 0 })
            #expect(
                try deployment.server.dialtone("sms", "report").output.contains("\nUS: 0.00 of 0.025 spent today")
            )
        }
    }
}
