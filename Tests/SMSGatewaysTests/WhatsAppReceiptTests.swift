import Cryptography
import Encodings
import SMSGateways
import Testing

@Suite struct WhatsAppReceiptTests {
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
}
