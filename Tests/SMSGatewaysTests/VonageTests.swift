import GatewayStandIn
import SMSGateways
import Testing

@Suite struct VonageTests {
    private static let accepted = #"{"message-count":"1","messages":[{"to":"1","message-id":"0C00","status":"0"}]}"#

    private static func status(_ status: String) -> String {
        #"{"messages":[{"status":"\#(status)","error-text":"no +16505550123"}]}"#
    }

    @Test("a message is sent in Vonage's format and returns Vonage's id")
    func form() async throws {
        try await Pair.run { pair in
            let address = try GatewayURL(Example.receipts)
            let gateway = try pair.vonage(receipts: (address, .token(try GatewaySecret("t&ken"))))
            let outcome = try await pair.outcome(of: gateway, .answer(200, Self.accepted))
            #expect(outcome == .accepted(GatewayMessageID("0C00")))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/sms/json")
            #expect(
                request.form == [
                    "api_key": "abcd1234", "api_secret": Example.secret, "from": "Example", "to": "16505550123",
                    "text": Example.text, "type": "unicode", "ttl": "540000", "client-ref": "m-1_A",
                    "status-report-req": "1", "callback": "\(Example.receipts)?token=t%26ken",
                ]
            )
        }
    }

    @Test("a sender's number is sent without its plus, and the lifetime stays within Vonage's bounds")
    func senders() async throws {
        try await Pair.run { pair in
            let gateway = try pair.vonage(sender: "+16505550199")
            _ = await gateway.send(try Example.message(needsUnicode: false, validFor: .seconds(3)))
            let form = try #require(pair.server.requests.first).form
            #expect(form["from"] == "16505550199")
            #expect(form["type"] == "text")
            #expect(form["ttl"] == "20000")
            #expect(form["callback"] == nil)
        }
    }

    @Test("signed receipts use a URL without a token, and a URL too long for Vonage is rejected")
    func callback() async throws {
        try await Pair.run { pair in
            let secret = try GatewaySecret(Example.secret)
            let signed = try pair.vonage(receipts: (try GatewayURL(Example.receipts), .signature(secret)))
            _ = await signed.send(try Example.message())
            #expect(try #require(pair.server.requests.first).form["callback"] == Example.receipts)
            let long = try GatewayURL(Example.receipts + String(repeating: "x", count: 50))
            let length = long.text.utf8.count + "?token=a-secret%2Fof%2Bthe%3Dexample".utf8.count
            let refusal = #expect(throws: VonageReceiptURLTooLong.self) {
                try pair.vonage(receipts: (long, .token(secret)))
            }
            #expect(refusal?.byteCount == length && refusal?.maximumByteCount == 100)
        }
    }

    static let statuses: [(status: Int, description: String)] = [
        (1, "not sent: throttled (1)"), (2, "misconfigured: request refused (2)"),
        (3, "refused: other reason (3)"), (4, "misconfigured: credentials refused (4)"),
        (5, "not sent: server error (5)"), (6, "refused: unroutable (6)"),
        (7, "refused: recipient blocked (7)"), (8, "misconfigured: account not enabled (8)"),
        (9, "misconfigured: no credit (9)"), (10, "not sent: throttled (10)"),
        (11, "misconfigured: account not enabled (11)"), (12, "refused: message rejected (12)"),
        (14, "misconfigured: credentials refused (14)"), (15, "misconfigured: sender not allowed (15)"),
        (22, "refused: unroutable (22)"), (23, "misconfigured: receipt address refused (23)"),
        (29, "refused: destination not enabled (29)"), (32, "misconfigured: credentials refused (32)"),
        (33, "refused: number invalid (33)"), (77, "refused: other reason (77)"),
    ]

    @Test("each Vonage status maps to a kind of error without Vonage's text")
    func errors() async throws {
        try await Pair.run { pair in
            let gateway = try pair.vonage()
            for (status, description) in Self.statuses {
                let reply = Reply.answer(200, Self.status(String(status)))
                #expect(try await pair.outcome(of: gateway, reply).description == description)
            }
        }
    }

    static let answers: [(reply: Reply, description: String)] = [
        (.answer(200, "<html>"), "uncertain: malformed answer (200)"),
        (.answer(200), "uncertain: malformed answer (200)"),
        (.answer(200, #"{"messages":[]}"#), "uncertain: malformed answer (200)"),
        (.answer(200, #"{"messages":[{"status":"zero"}]}"#), "uncertain: malformed answer (200)"),
        (.answer(200, #"{"messages":[{"status":"0"},7]}"#), "uncertain: malformed answer (200)"),
        // Only a part was sent.
        (.answer(200, #"{"messages":[{"status":"0"},{"status":"1"}]}"#), "uncertain: malformed answer (200)"),
        (.answer(200, #"{"messages":[{"status":"1"},{"status":"1"}]}"#), "not sent: throttled (1)"),
        (.answer(200, #"{"messages":[{"status":"0"},{"status":"0"}]}"#), "accepted"),
        (.answer(200, String(repeating: " ", count: 100_000)), "uncertain: malformed answer (200)"),
        (.answer(401, status("0")), "misconfigured: credentials refused (401)"),
        (.answer(404), "misconfigured: address unknown (404)"), (.answer(429), "not sent: throttled (429)"),
        (.answer(503), "not sent: server error (503)"), (.answer(504), "uncertain: server error (504)"),
        (.answer(302, "", [("Location", "https://127.0.0.1/")]), "misconfigured: redirected (302)"),
    ]

    @Test("unexpected responses are handled by status")
    func strangeAnswers() async throws {
        try await Pair.run { pair in
            let gateway = try pair.vonage()
            for (reply, description) in Self.answers {
                #expect(try await pair.outcome(of: gateway, reply).description == description)
            }
        }
    }
}
