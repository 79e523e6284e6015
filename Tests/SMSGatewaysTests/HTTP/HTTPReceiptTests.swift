import Testing

@testable import SMSGateways

@Suite struct HTTPReceiptTests {
    private let perMessage: HTTPReceiptVerifier
    private let shared: HTTPReceiptVerifier
    private let url: String

    init() throws {
        var receipts = HTTPGatewayTemplate.Receipts(
            state: "results.0.name,status",
            delivered: "delivered, DELIVRD",
            undelivered: "failed",
            error: "error.code"
        )
        perMessage = HTTPReceiptVerifier(receipts, secret: try GatewaySecret(Example.secret))
        receipts.id = "reference"
        shared = HTTPReceiptVerifier(receipts, secret: try GatewaySecret(Example.secret))
        url = perMessage.url(try GatewayURL(Example.receipts), for: try Example.id())
    }

    @Test("the receipt URL of a message contains its id and an HMAC of it")
    func address() {
        // Python's hmac: HMAC-SHA256 of `dialtone-receipt:m-1_A`, in Base64url.
        #expect(url == "\(Example.receipts)?message=m-1_A&proof=Ne50Ssx4_S2yF8H9t6pKjZ3TQFlSSwX4BKFKTxZRfzE")
    }

    @Test("the state is read from JSON, XML, a form and a query")
    func formats() throws {
        let failed = try DeliveryReceipt.example(.undelivered(GatewayCode(27)))
        #expect(verdict(of: perMessage, on: #"{"status":"failed","error":{"code":27}}"#, url: url) == .success(failed))
        let xml = "<dlr><status>failed</status><error><code>27</code></error></dlr>"
        #expect(verdict(of: perMessage, on: xml, url: url) == .success(failed))
        #expect(verdict(of: perMessage, on: "status=failed&error.code=27", url: url) == .success(failed))
        #expect(verdict(of: perMessage, on: "", url: url + "&status=failed&error.code=27") == .success(failed))
        let delivered = try DeliveryReceipt.example(.delivered)
        #expect(verdict(of: perMessage, on: #"{"results":[{"name":"DELIVRD"}]}"#, url: url) == .success(delivered))
        #expect(verdict(of: perMessage, on: "status=delivered", url: url) == .success(delivered))
        #expect(verdict(of: perMessage, on: "status=sent", url: url) == .success(try .example(.pending)))
    }

    @Test("a receipt whose URL has no valid proof is rejected")
    func forged() {
        for changed in [
            Example.receipts, url.replacing("m-1_A", with: "m-2_A"), String(url.dropLast()), url + "x",
            Example.receipts + "?message=m-1_A", Example.receipts + "?proof=Ne50",
            url.replacing("proof", with: "token"),
        ] {
            #expect(verdict(of: perMessage, on: "status=failed", url: changed) == .failure(.forged), "\(changed)")
        }
        #expect(verdict(of: perMessage, on: "status=failed", url: Example.receipts + "?a=%zz") == .failure(.malformed))
    }

    @Test("a proof is valid for one message and one secret only, and not as a signature of a request")
    func foreign() throws {
        let receipts = HTTPGatewayTemplate.Receipts(state: "status", delivered: "delivered", undelivered: "failed")
        let other = HTTPReceiptVerifier(receipts, secret: try GatewaySecret("another-secret"))
        #expect(verdict(of: other, on: "status=failed", url: url) == .failure(.forged))
        let appended = verdict(of: perMessage, on: "status=failed", url: url + "&message=m-2_A")
        #expect(appended == .success(try .example(.undelivered(nil))))
        var request = GatewayRequest(url: "https://a.example", contentType: "text/plain", body: Array("m-1_A".utf8))
        GatewayAuthentication.hmac(header: "X-Code").sign(&request, Example.account, at: Example.now)
        let code = try #require(request.headers.first?.value)
        let forged = "\(Example.receipts)?message=m-1_A&proof=\(code)"
        #expect(verdict(of: perMessage, on: "status=failed", url: forged) == .failure(.forged))
    }

    @Test("a receipt without a state or an id is malformed")
    func malformed() throws {
        for body in ["", "{", "{}", #"{"status":null}"#, "<a/>", "state=failed", "status="] {
            #expect(verdict(of: perMessage, on: body, url: url) == .failure(.malformed), "\(body)")
        }
        let address = shared.url(try GatewayURL(Example.receipts), for: try Example.id())
        for body in ["status=failed", "status=failed&reference=a+b"] {
            #expect(verdict(of: shared, on: body, url: address) == .failure(.malformed), "\(body)")
        }
    }

    @Test("a URL for all messages contains the secret, and the receipt contains the id")
    func sharedURL() throws {
        let address = shared.url(try GatewayURL(Example.receipts), for: try Example.id())
        #expect(address == Example.receipts + "?token=a-secret%2Fof%2Bthe%3Dexample")
        let body = #"{"status":"failed","reference":"m-1_A","error":{"code":"NO_ROUTE"}}"#
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(word: "NO_ROUTE")))
        #expect(verdict(of: shared, on: body, url: address) == .success(expected))
        #expect(verdict(of: shared, on: body, url: url) == .failure(.forged))
        #expect(verdict(of: shared, on: body, url: address + "x") == .failure(.forged))
    }
}
