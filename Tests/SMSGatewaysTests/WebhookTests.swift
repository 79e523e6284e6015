import GatewayStandIn
import Encodings
import SMSGateways
import Testing

@Suite struct WebhookTests {
    @Test("a message is sent as signed JSON with its id as idempotency key")
    func request() async throws {
        try await Pair.run { pair in
            let gateway = try pair.webhook(sender: "App", receipts: try GatewayURL(Example.receipts))
            pair.server.queue(.answer(202, #"{"messageId":"theirs-1"}"#))
            #expect(await gateway.send(try Example.message()) == .accepted(GatewayMessageID("theirs-1")))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "POST")
            #expect(request.path == "/send?by=dialtone")
            #expect(request.header("content-type") == "application/json")
            #expect(request.header("idempotency-key") == "m-1_A")
            let expected: [(String, JSONValue)] = [
                ("id", .string("m-1_A")), ("to", .string(Example.phoneNumber)), ("text", .string(Example.text)),
                ("isUnicode", .bool(true)), ("validForSeconds", .number("540")), ("from", .string("App")),
                ("receiptURL", .string(Example.receipts)),
            ]
            #expect(request.object == JSONObject(members: expected))
            let signature = request.header("dialtone-signature")
            #expect(throws: Never.self) {
                try WebhookSignature.verify(
                    signature,
                    for: request.body,
                    at: Example.now,
                    keys: [try Example.webhookKey()]
                )
            }
        }
    }

    @Test("during a key change, a message is signed with both keys, and one of them is enough to verify it")
    func keyChange() async throws {
        try await Pair.run { pair in
            let previous = try Example.webhookKey(String(repeating: "k", count: 32))
            _ = await (try pair.webhook(previousKey: previous)).send(try Example.message())
            let request = try #require(pair.server.requests.first)
            let signature = request.header("dialtone-signature")
            for key in [try Example.webhookKey(), previous] {
                #expect(throws: Never.self) {
                    try WebhookSignature.verify(signature, for: request.body, at: Example.now, keys: [key])
                }
            }
            #expect(request.object["from"] == nil)
        }
    }

    static let answers: [(reply: Reply, outcome: GatewayOutcome)] = [
        (.answer(200), .accepted(nil)), (.answer(204), .accepted(nil)), (.answer(200, "<html>"), .accepted(nil)),
        (.answer(200, #"{"messageId":"two words"}"#), .accepted(nil)),
        (.answer(200, String(repeating: "x", count: 100_000)), .accepted(nil)),
        (.answer(401), .misconfigured(GatewayMisconfiguration(.credentialsRefused, GatewayCode(401)))),
        (.answer(403), .misconfigured(GatewayMisconfiguration(.credentialsRefused, GatewayCode(403)))),
        (.answer(400), .refused(GatewayRefusal(.other, GatewayCode(400)))),
        (.answer(404), .refused(GatewayRefusal(.other, GatewayCode(404)))),
        (
            .answer(429, "", [("Retry-After", "7")]),
            .retry(after: .seconds(7), GatewayTrouble(.throttled, GatewayCode(429)))
        ),
        (
            .answer(503, "", [("Retry-After", "Mon, 21 Sep 2026 14:13:30 GMT")]),
            .retry(after: .seconds(10), GatewayTrouble(.serverError, GatewayCode(503)))
        ),
        (
            .answer(503, "", [("Retry-After", "3601")]),
            .retry(after: .seconds(3600), GatewayTrouble(.serverError, GatewayCode(503)))
        ),
        (
            .answer(503, "", [("Retry-After", "soon")]),
            .retry(after: nil, GatewayTrouble(.serverError, GatewayCode(503)))
        ),
        (.answer(500), .retry(after: nil, GatewayTrouble(.serverError, GatewayCode(500)))),
        (.answer(504), .uncertain(GatewayTrouble(.serverError, GatewayCode(504)))),
        (
            .answer(307, "", [("Location", "/elsewhere")]),
            .misconfigured(GatewayMisconfiguration(.redirected, GatewayCode(307)))
        ),
    ]

    @Test("the response of the operator's server determines the outcome")
    func answers() async throws {
        try await Pair.run { pair in
            let gateway = try pair.webhook()
            for (reply, outcome) in Self.answers {
                #expect(try await pair.outcome(of: gateway, reply) == outcome)
            }
            #expect(!pair.server.requests.contains { $0.path.contains("elsewhere") }, "the redirect was followed")
        }
    }

    @Test("a server on the same machine may use http")
    func loopback() async throws {
        try await Pair.run(isPlain: true) { pair in
            let outcome = try await pair.outcome(of: try pair.webhook(), .answer(200))
            #expect(outcome == .accepted(nil))
        }
    }
}
