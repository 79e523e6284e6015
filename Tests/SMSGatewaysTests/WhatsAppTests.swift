import Cryptography
import Encodings
import GatewayStandIn
import SMSGateways
import Testing

@Suite struct WhatsAppTests {
    private static func gateway(_ pair: Pair, _ languages: [String] = ["en_US", "de", "pt_BR"]) throws
        -> WhatsAppGateway
    {
        try WhatsAppGateway(
            name: try Example.name(),
            phoneNumberID: "106540352242922",
            token: try GatewaySecret(Example.secret),
            template: try #require(WhatsAppTemplate(name: "login_code", languages: languages)),
            server: try GatewayURL(pair.server.url + "/v23.0"),
            client: pair.client
        )
    }

    private static let accepted = Reply.answer(
        200,
        #"{"messaging_product":"whatsapp","contacts":[{"input":"+1","wa_id":"1"}],"messages":[{"id":"wamid.HBg"}]}"#
    )

    @Test("a message is the template with the code in text and button, and returns Meta's id")
    func form() async throws {
        try await Pair.run { pair in
            pair.server.queue(Self.accepted)
            let outcome = await (try Self.gateway(pair)).send(try Example.message())
            #expect(outcome == .accepted(GatewayMessageID("wamid.HBg")))
            let request = try #require(pair.server.requests.first)
            #expect(request.path == "/v23.0/106540352242922/messages")
            #expect(request.header("authorization") == "Bearer \(Example.secret)")
            #expect(request.header("content-type") == "application/json")
            let code = #""parameters":[{"type":"text","text":"123456"}]"#
            #expect(
                request.text == #"{"messaging_product":"whatsapp","recipient_type":"individual","to":"+16505550123","#
                    + #""type":"template","template":{"name":"login_code","language":{"code":"en_US"},"components":["#
                    + #"{"type":"body",\#(code)},{"type":"button","sub_type":"url","index":"0",\#(code)}]},"#
                    + #""biz_opaque_callback_data":"m-1_A"}"#
            )
        }
    }

    @Test(
        "the template's language is the user's, if the template has it, otherwise the first one",
        arguments: [
            ("de", "de"), ("pt", "pt_BR"), ("pt-PT", "pt_PT"), ("zh-Hant", "zh_TW"), ("zh-Hans", "zh_CN"),
            ("en", "en_US"),
            ("fr", "en_US"), ("sr-Latn", "en_US"),
        ]
    )
    func languages(locale: String, language: String) async throws {
        try await Pair.run { pair in
            let gateway = try Self.gateway(pair, ["en_US", "de", "pt_BR", "pt_PT", "zh_CN", "zh_TW"])
            _ = await gateway.send(try Example.message(locale: locale))
            #expect(pair.server.requests.first?.text.contains(#""language":{"code":"\#(language)"}"#) == true)
        }
    }

    @Test("each code of the Cloud API maps to a kind of error without Meta's text")
    func errors() async throws {
        try await Pair.run { pair in
            let gateway = try Self.gateway(pair)
            for (status, code, description) in [
                (400, 131026, "refused: unroutable (131026)"), (400, 131021, "refused: number invalid (131021)"),
                (401, 190, "misconfigured: credentials refused (190)"),
                (404, 132001, "misconfigured: request refused (132001)"),
                (403, 131031, "misconfigured: account not enabled (131031)"),
                (402, 131042, "misconfigured: no credit (131042)"),
                (429, 130429, "not sent: throttled (130429)"), (500, 131000, "not sent: server error (131000)"),
                (400, 999, "refused: other reason (999)"),
            ] {
                let body = #"{"error":{"message":"no +16505550123","type":"OAuthException","code":\#(code)}}"#
                #expect(try await pair.outcome(of: gateway, .answer(status, body)).description == description)
            }
            #expect(
                try await pair.outcome(of: gateway, .answer(200, "{}")).description
                    == "uncertain: malformed answer (200)"
            )
            pair.server.queue(.answer(200, #"{"id":"106540352242922"}"#), .answer(401, #"{"error":{"code":190}}"#))
            #expect(await gateway.check() == nil)
            #expect(await gateway.check()?.description == "misconfigured: credentials refused (190)")
        }
    }

    // MARK: Receipts

    private static func verdict(_ body: String, key: String = Example.secret) throws -> Result<
        [DeliveryReceipt], ReceiptRefusal
    > {
        let signature = HMAC.authenticationCode(.sha256, for: Array(body.utf8), key: Array(key.utf8))
        let headers = ["x-hub-signature-256": "sha256=\(Hexadecimal.encode(signature))"]
        let verifier = WhatsAppReceiptVerifier(secret: try GatewaySecret(Example.secret))
        let request = ReceiptRequest(url: Example.receipts, body: Array(body.utf8)) { headers[$0] }
        return Result { () throws(ReceiptRefusal) in try verifier.receipts(in: request, at: Example.now) }
    }

    private static func webhook(_ statuses: String) -> String {
        #"{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":"#
            + #"{"messaging_product":"whatsapp","statuses":[\#(statuses)]}}]}]}"#
    }

    @Test("a webhook with the statuses of many messages is one receipt for each")
    func receipts() throws {
        let body = Self.webhook(
            #"{"id":"wamid.1","status":"sent","biz_opaque_callback_data":"m-1"},"#
                + #"{"id":"wamid.2","status":"delivered","biz_opaque_callback_data":"m-2"},"#
                + #"{"id":"wamid.3","status":"failed","biz_opaque_callback_data":"m-3","errors":[{"code":131026}]},"#
                + #"{"id":"wamid.4","status":"read"}"#
        )
        let states: [(String, DeliveryReceipt.State)] = [
            ("m-1", .pending), ("m-2", .delivered), ("m-3", .undelivered(GatewayCode(131026))),
        ]
        let expected = try states.map { DeliveryReceipt(message: try Example.id($0), state: $1) }
        #expect(try Self.verdict(body) == .success(expected))
        #expect(try Self.verdict(#"{"object":"whatsapp_business_account","entry":[]}"#) == .success([]))
    }

    @Test("a webhook that Meta has not signed is rejected")
    func forged() throws {
        #expect(try Self.verdict(Self.webhook(""), key: "another") == .failure(.forged))
        #expect(try Self.verdict("[]") == .failure(.malformed))
    }

    @Test("the request by which Meta checks the URL is answered with its challenge, and nothing else is")
    func confirmation() throws {
        let verifier = WhatsAppReceiptVerifier(secret: try GatewaySecret(Example.secret))
        func answer(_ query: String) -> String? {
            verifier.confirmation(of: ReceiptRequest(url: "\(Example.receipts)?\(query)", body: []) { _ in nil })
        }
        #expect(answer("hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=any") == "1158201444")
        #expect(answer("hub.mode=subscribe&hub.challenge=%3Cscript%3E") == nil)
        #expect(answer("hub.challenge=1158201444") == nil)
    }

    @Test("a template has a name of lowercase letters, and at least one language")
    func templates() {
        #expect(WhatsAppTemplate(name: "Login", languages: ["en"]) == nil)
        #expect(WhatsAppTemplate(name: "login", languages: []) == nil)
        #expect(WhatsAppTemplate(name: "login", languages: ["en-US"]) == nil)
    }
}
