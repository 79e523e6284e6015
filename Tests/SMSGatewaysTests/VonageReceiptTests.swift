import SMSGateways
import Testing

@Suite struct VonageReceiptTests {
    // Python's hmac: HMAC-SHA256 of `&api-key=abcd1234&client-ref=m-1_A…&timestamp=1790000000&to=Ex_mple_`.
    private static let signature = "AEE4FFF532AE8A146EA430D3ADACE6151B04FF27F5AAD5565C3D850BD5AC7778"
    private static let fields =
        "msisdn=16505550123&to=Ex%26mple%3D&network-code=310260&messageId=0C00&price=0.0333&status=failed"
        + "&scts=2609211413&err-code=2&api-key=abcd1234&client-ref=m-1_A&message-timestamp=2026-09-21+14%3A13%3A20"
        + "&timestamp=1790000000&nonce=n-1"
    private static let json = #"""
        {"msisdn":"16505550123","to":"Ex&mple=","network-code":"310260","messageId":"0C00","price":"0.0333",
        "status":"failed","scts":"2609211413","err-code":2,"api-key":"abcd1234","client-ref":"m-1_A",
        "message-timestamp":"2026-09-21 14:13:20","timestamp":1790000000,"nonce":"n-1","sig":"SIG"}
        """#

    private let signed: VonageReceiptVerifier
    private let withToken: any ReceiptVerifier

    init() throws {
        signed = VonageReceiptVerifier(secret: try GatewaySecret(Example.secret))
        let secret = try GatewaySecret("t&ken")
        withToken = try #require(HTTPGatewayTemplate.vonage.verifier(secret: secret, isSigned: false))
    }

    @Test("a signed receipt is accepted as a form, a query and JSON, with digits in upper or lower case")
    func genuine() throws {
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(2)))
        for signature in [Self.signature, Self.signature.lowercased()] {
            let form = "\(Self.fields)&sig=\(signature)"
            #expect(verdict(of: signed, on: form) == .success(expected))
            #expect(verdict(of: signed, on: form) == .success(expected))
            #expect(verdict(of: signed, on: "", url: "\(Example.receipts)?\(form)") == .success(expected))
            let json = Self.json.replacing("SIG", with: signature)
            let type = ["content-type": "application/json; charset=utf-8"]
            #expect(verdict(of: signed, on: json, type) == .success(expected))
        }
    }

    @Test("a forged or modified receipt is rejected")
    func forged() throws {
        let genuine = "\(Self.fields)&sig=\(Self.signature)"
        for form in [
            Self.fields, "\(Self.fields)&sig=", "\(Self.fields)&sig=00", "\(Self.fields)&sig=xyz", genuine + "&a=b",
            genuine.replacing("failed", with: "delivered"), genuine.replacing("m-1_A", with: "m-2_A"),
            genuine.replacing("&nonce=n-1", with: ""), "sig=\(Self.signature)", "",
        ] {
            #expect(verdict(of: signed, on: form) == .failure(.forged), "\(form)")
        }
        let other = VonageReceiptVerifier(secret: try GatewaySecret("another"))
        #expect(verdict(of: other, on: genuine) == .failure(.forged))
    }

    @Test("a signature is valid for five minutes (no replay)")
    func late() throws {
        let form = "\(Self.fields)&sig=\(Self.signature)"
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(2)))
        for offset: Int64 in [-300, 300] { #expect(verdict(of: signed, on: form, at: offset) == .success(expected)) }
        for offset: Int64 in [-301, 301] { #expect(verdict(of: signed, on: form, at: offset) == .failure(.tooOld)) }
    }

    @Test("an invalid receipt is malformed")
    func malformed() {
        let type = ["content-type": "application/json"]
        for json in ["", "[]", "{", #"{"a":{}}"#, #"{"a":1,"a":1}"#].dropFirst() {
            #expect(verdict(of: signed, on: json, type) == .failure(.malformed))
        }
        #expect(verdict(of: signed, on: "a=%zz") == .failure(.malformed))
        #expect(verdict(of: signed, on: "a=1&a=2") == .failure(.malformed))
        #expect(verdict(of: signed, on: "", url: Example.receipts + "?a=%zz") == .failure(.malformed))
    }

    @Test("without signatures, only the URL's secret token authenticates a receipt")
    func token() throws {
        let url = withToken.url(try GatewayURL(Example.receipts), for: try Example.id())
        #expect(url == Example.receipts + "?token=t%26ken")
        let expected = DeliveryReceipt.State.delivered
        let form = "client-ref=m-1_A&status=delivered&err-code=0"
        #expect(verdict(of: withToken, on: form, url: url) == .success(try .example(expected)))
        #expect(verdict(of: withToken, on: "", url: "\(url)&\(form)") == .success(try .example(expected)))
        for query in ["", "?token=", "?token=t%26kem", "?token=t%26kens", "?tokens=t%26ken"] {
            #expect(verdict(of: withToken, on: form, url: Example.receipts + query) == .failure(.forged))
        }
        #expect(verdict(of: withToken, on: form + "&token=t%26ken") == .failure(.forged))
        for form in ["status=delivered", "client-ref=m-1_A", "client-ref=a+b&status=delivered"] {
            #expect(verdict(of: withToken, on: form, url: url) == .failure(.malformed))
        }
    }

    @Test(
        "each Vonage status maps to a state of a receipt",
        arguments: [
            ("delivered", .delivered), ("failed", .undelivered(GatewayCode(9))),
            ("rejected", .undelivered(GatewayCode(9))), ("expired", .undelivered(GatewayCode(9))),
            ("accepted", .pending), ("buffered", .pending), ("unknown", .pending), ("invented", .pending),
        ] as [(String, DeliveryReceipt.State)]
    )
    func states(status: String, state: DeliveryReceipt.State) throws {
        let url = Example.receipts + "?token=t%26ken"
        let form = "client-ref=m-1_A&status=\(status)&err-code=9"
        #expect(verdict(of: withToken, on: form, url: url) == .success(try .example(state)))
    }
}
