import GatewayStandIn
import Testing

@testable import SMSGateways

@Suite struct SecrecyTests {
    @Test("printing, interpolating or dumping a value shows no number, text, secret or id")
    func values() async throws {
        try await Pair.run { pair in
            let secret = try GatewaySecret(Example.secret)
            let message = try Example.message()
            let account = Example.account("hidden-user", secret: secret, sender: "Hidden")
            let verifier = HTTPReceiptVerifier(try #require(HTTPGatewayTemplate.plivo.receipts), secret: secret)
            let request = ReceiptRequest(url: Example.receipts + "?token=hidden-token", body: Array(Example.text.utf8))
            {
                _ in "hidden-header"
            }
            let values: [Any] = [
                try GatewayURL("https://gateway.example/hidden-path?key=hidden"), secret, message, [message],
                Optional(message) as Any, request, try Example.id(),
                try #require(GatewayMessageID("hidden-id")), GatewayOutcome.accepted(GatewayMessageID("hidden-id")),
                try Example.webhookKey(), try pair.webhook(sender: "Hidden"),
                try pair.gateway(.twilio, account, receipts: verifier), verifier, account,
                try HTTPGatewayConfiguration(.plivo, account: account),
                TwilioReceiptVerifier(authToken: secret), WebhookReceiptVerifier(key: try Example.webhookKey()),
                VonageReceiptVerifier(secret: secret), WhatsAppReceiptVerifier(secret: secret),
                DeliveryReceipt(message: try Example.id(), state: .undelivered(nil)),
                GatewayRequest(
                    url: Example.receipts,
                    contentType: "hidden-type",
                    body: Array(Example.text.utf8),
                    basicAuthentication: ("hidden-user", secret)
                ),
                GatewayAnswer(status: 200, retryAfter: nil, body: Array(Example.text.utf8)),
            ]
            let secrets = [
                "6505550123", "0123", "123456", Example.secret, "a-secret", "hidden", "Hidden", Example.webhookSecret,
                "m-1_A",
            ]
            for value in values {
                var dumped = ""
                dump(value, to: &dumped)
                for text in ["\(value)", String(describing: value), String(reflecting: value), dumped] {
                    for secret in secrets { #expect(!text.contains(secret), "\(type(of: value)) shows \(secret)") }
                }
            }
        }
    }

    @Test("outcomes contain only our own words and digits, whatever a gateway responds")
    func outcomes() async throws {
        let word = "Zebra+16505550123"
        let replies: [Reply] = [200, 201, 204, 302, 400, 401, 403, 404, 408, 418, 429, 500, 502, 503, 504, 599].flatMap
        {
            [
                .answer($0, word, [("Retry-After", word), ("Location", "https://\(word)/")]),
                .answer($0, #"{"code":"\#(word)","message":"\#(word)","status":"\#(word)","messages":["\#(word)"]}"#),
                .answer($0, #"{"code":21211,"sid":"\#(word)","messageId":"\#(word)"}"#),
                .answer($0, #"{"messages":[{"status":"3","message-id":"\#(word)","error-text":"\#(word)"}]}"#),
                .answer($0, #"{"errors":[{"code":"\#(word)"}],"data":{"id":"\#(word)"}}"#),
                .answer($0, #"{"messages":[{"status":"0","message-id":"\#(word)"}]}"#),
            ]
        }
        try await Pair.run { pair in
            let providers: [HTTPGatewayTemplate] = [.twilio, .vonage, .telnyx, .whatsApp]
            let gateways = try providers.map { try pair.gateway($0) as any SMSGateway } + [try pair.webhook()]
            for gateway in gateways {
                for reply in replies {
                    let outcome = try await pair.outcome(of: gateway, reply)
                    var dumped = ""
                    dump(outcome, to: &dumped)
                    for text in ["\(outcome)", String(reflecting: outcome), dumped] {
                        #expect(!text.contains("Zebra") && !text.contains("0123"))
                    }
                }
            }
        }
    }

    @Test("no error description contains the rejected value")
    func errors() {
        for error in GatewayConfigurationError.allCases { #expect(!error.description.isEmpty) }
        for refusal in ReceiptRefusal.allCases {
            #expect(String(reflecting: refusal).hasSuffix(".\(refusal.rawValue)"))
        }
    }
}
