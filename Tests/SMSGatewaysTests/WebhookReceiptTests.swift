import SMSGateways
import Testing

@Suite struct WebhookReceiptTests {
    private static let body = #"{"id":"m-1_A","state":"undelivered","code":27}"#

    private func verdict(
        _ body: String = body,
        key: String = Example.webhookSecret,
        at offset: Int64 = 0,
        previousKey: String? = nil
    ) throws -> Result<DeliveryReceipt, ReceiptRefusal> {
        let key = try Example.webhookKey(key)
        let signature = WebhookSignature.value(for: Array(body.utf8), at: Example.now, keys: [key])
        let verifier = WebhookReceiptVerifier(
            key: try Example.webhookKey(),
            previousKey: try previousKey.map { try Example.webhookKey($0) }
        )
        return SMSGatewaysTests.verdict(of: verifier, on: body, at: offset, ["dialtone-signature": signature])
    }

    @Test("a signed receipt is accepted repeatedly for five minutes")
    func genuine() throws {
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(27)))
        for offset: Int64 in [0, 0, 300, -300] { #expect(try verdict(at: offset) == .success(expected)) }
        for offset: Int64 in [301, -301] { #expect(try verdict(at: offset) == .failure(.tooOld)) }
    }

    @Test("during a key change both keys are accepted, and no third key")
    func keys() throws {
        let other = String(repeating: "k", count: 32)
        #expect(try verdict(key: other) == .failure(.forged))
        #expect(try verdict(key: other, previousKey: other).map(\.message) == .success(try Example.id()))
        #expect(try verdict(previousKey: other).map(\.message) == .success(try Example.id()))
        let unsigned = SMSGatewaysTests.verdict(
            of: WebhookReceiptVerifier(key: try Example.webhookKey()),
            on: Self.body
        )
        #expect(unsigned == .failure(.forged))
    }

    @Test(
        "a signed body that is not a receipt is malformed",
        arguments: [
            "", "[]", "{}", "<html>", #"{"id":"m-1_A"}"#, #"{"state":"delivered"}"#,
            #"{"id":"a b","state":"delivered"}"#, #"{"id":7,"state":"delivered"}"#,
            // A message that Dialtone itself has signed is not a receipt.
            #"{"id":"m-1_A","to":"+16505550123","text":"state","isUnicode":false,"validForSeconds":540}"#,
        ]
    )
    func malformed(body: String) throws {
        #expect(try verdict(body) == .failure(.malformed))
    }

    @Test(
        "each state of a receipt is parsed",
        arguments: [
            (#""delivered""#, .delivered), (#""undelivered""#, .undelivered(nil)), (#""pending""#, .pending),
            (#""invented""#, .pending), (#""undelivered","code":"x""#, .undelivered(nil)),
            (#""undelivered","code":1234567"#, .undelivered(nil)),
            (#""undelivered","code":"004""#, .undelivered(GatewayCode(4))),
        ] as [(String, DeliveryReceipt.State)]
    )
    func states(text: String, state: DeliveryReceipt.State) throws {
        #expect(try verdict(#"{"id":"m-1_A","state":\#(text)}"#) == .success(try .example(state)))
    }
}
