import GatewayStandIn
import SMSGateways
import Testing

@Suite struct TwilioTests {
    @Test("a message is sent in Twilio's format and returns Twilio's id")
    func form() async throws {
        try await Pair.run { pair in
            let gateway = try pair.twilio(receipts: try GatewayURL(Example.receipts))
            let outcome = await gateway.send(try Example.message())
            #expect(outcome == .accepted(GatewayMessageID("SM0123456789abcdef0123456789abcdef")))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/2010-04-01/Accounts/\(Example.accountSID)/Messages.json")
            #expect(request.header("content-type") == "application/x-www-form-urlencoded")
            #expect(
                request.form == [
                    "To": Example.phoneNumber, "From": "+16505550100", "Body": Example.text, "ValidityPeriod": "540",
                    "StatusCallback": "\(Example.receipts)?message=m-1_A",
                ]
            )
            // printf '%s' 'AC0a0a…:a-secret/of+the=example' | base64
            let credentials =
                "QUMwYTBhMGEwYTBhMGEwYTBhMGEwYTBhMGEwYTBhMGEwYTphLXNlY3JldC9vZit0aGU9ZXhhbXBsZQ=="
            #expect(request.header("authorization") == "Basic \(credentials)")
        }
    }

    @Test("a messaging service replaces the sender, and an API key the auth token")
    func senders() async throws {
        try await Pair.run { pair in
            let service = try pair.twilio(sender: try .messagingService(Example.serviceSID))
            _ = await service.send(try Example.message(validFor: .seconds(-5)))
            _ = await service.send(try Example.message(validFor: .seconds(86_400)))
            let byKey = TwilioGateway(
                name: try Example.name(),
                account: try TwilioAccount(
                    accountSID: Example.accountSID,
                    keySID: Example.keySID,
                    secret: try GatewaySecret(Example.secret)
                ),
                sender: try .from("Example"),
                server: try GatewayURL(pair.server.url + "/"),
                client: pair.client
            )
            _ = await byKey.send(try Example.message())
            let requests = pair.server.requests
            #expect(requests.map { $0.form["MessagingServiceSid"] } == [Example.serviceSID, Example.serviceSID, nil])
            #expect(requests.map { $0.form["From"] } == [nil, nil, "Example"])
            #expect(requests.map { $0.form["ValidityPeriod"] } == ["1", "14400", "540"])
            #expect(requests.allSatisfy { $0.form["StatusCallback"] == nil })
            #expect(Set(requests.map(\.path)).count == 1)
            #expect(requests[2].header("authorization")?.hasPrefix("Basic U0swYjBi") == true)
        }
    }

    static let codes: [(status: Int, code: Int, description: String)] = [
        (400, 21211, "refused: number invalid (21211)"), (400, 21217, "refused: number invalid (21217)"),
        (400, 21614, "refused: number takes no messages (21614)"),
        (400, 21610, "refused: recipient blocked (21610)"), (403, 21408, "refused: destination not enabled (21408)"),
        (400, 21608, "refused: destination not enabled (21608)"), (400, 21612, "refused: unroutable (21612)"),
        (400, 21617, "refused: message rejected (21617)"), (400, 30450, "refused: suspected fraud (30450)"),
        (400, 29999, "refused: other reason (29999)"), (401, 20003, "misconfigured: credentials refused (20003)"),
        (403, 20005, "misconfigured: account not enabled (20005)"),
        (404, 20404, "misconfigured: address unknown (20404)"),
        (400, 21606, "misconfigured: sender not allowed (21606)"),
        (400, 21705, "misconfigured: sender not allowed (21705)"),
        (400, 21609, "misconfigured: receipt address refused (21609)"),
        (400, 90007, "misconfigured: request refused (90007)"), (429, 20429, "not sent: throttled (20429)"),
        (400, 30001, "not sent: throttled (30001)"), (429, 21611, "not sent: throttled (21611)"),
        (500, 20500, "not sent: server error (20500)"),
        (503, 20503, "not sent: server error (20503)"),
    ]

    @Test("each Twilio code maps to a kind of error without Twilio's text")
    func errors() async throws {
        try await Pair.run { pair in
            let gateway = try pair.twilio()
            for (status, code, description) in Self.codes {
                let body = #"{"code":\#(code),"message":"no +16505550123 for you","status":\#(status)}"#
                #expect(try await pair.outcome(of: gateway, .answer(status, body)).description == description)
            }
        }
    }

    static let answers: [(reply: Reply, description: String)] = [
        (.answer(401), "misconfigured: credentials refused (401)"),
        (.answer(403, "<html>"), "misconfigured: credentials refused (403)"),
        (.answer(404, "nothing"), "misconfigured: address unknown (404)"),
        (.answer(400, #"{"code":"2121100"}"#), "refused: other reason (400)"),
        (.answer(422, #"{"code":-1}"#), "refused: other reason (422)"),
        (.answer(408), "not sent: timed out (408)"),
        (.answer(429, "slowly"), "not sent: throttled (429)"),
        (.answer(500), "not sent: server error (500)"), (.answer(502), "uncertain: server error (502)"),
        (.answer(503), "not sent: server error (503)"), (.answer(504), "uncertain: server error (504)"),
        (.answer(201, "<html>hello"), "uncertain: malformed answer (201)"),
        (.answer(200, "{}"), "uncertain: malformed answer (200)"),
        (.answer(201, #"{"sid":"has a space"}"#), "uncertain: malformed answer (201)"),
        (.answer(201, #"{"sid":"\#(String(repeating: "x", count: 100_000))"}"#), "uncertain: malformed answer (201)"),
        (.answer(200, #"{"sid":"SM1"}"#), "accepted"),
    ]

    @Test("unexpected responses are handled by status")
    func strangeAnswers() async throws {
        try await Pair.run { pair in
            let gateway = try pair.twilio()
            for (reply, description) in Self.answers {
                #expect(try await pair.outcome(of: gateway, reply).description == description)
            }
        }
    }

    @Test(
        "invalid accounts and senders are rejected",
        arguments: ["", "AC", "AC" + String(repeating: "g", count: 32), "SK" + String(repeating: "0", count: 32)]
    )
    func configuration(sid: String) throws {
        let secret = try GatewaySecret(Example.secret)
        #expect(throws: GatewayConfigurationError.malformedAccount) {
            try TwilioAccount(accountSID: sid, authToken: secret)
        }
        #expect(throws: GatewayConfigurationError.malformedAccount) {
            try TwilioAccount(accountSID: sid, keySID: Example.keySID, secret: secret)
        }
        let keyID = sid.hasPrefix("SK") ? "SK" : sid
        #expect(throws: GatewayConfigurationError.malformedKeyID) {
            try TwilioAccount(accountSID: Example.accountSID, keySID: keyID, secret: secret)
        }
        #expect(throws: GatewayConfigurationError.malformedSender) { try TwilioSender.messagingService(sid) }
        for sender in ["", "a name too long", "+", "+12", "1234567890123456", "N\u{e4}me"] {
            #expect(throws: GatewayConfigurationError.malformedSender) { try TwilioSender.from(sender) }
        }
    }
}
