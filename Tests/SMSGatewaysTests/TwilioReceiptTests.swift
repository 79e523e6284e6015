import Cryptography
import SMSGateways
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct TwilioReceiptTests {
    private static let url = Example.receipts + "?message=m-1_A"
    private static let body =
        "MessageSid=SM1&MessageStatus=undelivered&ErrorCode=30003&To=%2B16505550123&accountSid=%C3%A9+%C3%BC"
    // Python's hmac: HMAC-SHA1 of the URL and `ErrorCode30003MessageSidSM1…accountSidé ü`.
    private static let signature = "hrEla+0JbPWrglF9NhJmx1+Arb0="

    private let verifier: TwilioReceiptVerifier

    init() throws {
        verifier = TwilioReceiptVerifier(authToken: try GatewaySecret(Example.secret))
    }

    private func verdict(
        _ body: String = body,
        url: String = url,
        signature: String? = nil
    ) -> Result<DeliveryReceipt, ReceiptRefusal> {
        let signature = signature ?? Self.sign(url, body)
        return SMSGatewaysTests.verdict(of: verifier, on: body, url: url, ["x-twilio-signature": signature])
    }

    /// Signs a form, whose fields are already sorted, as Twilio does.
    private static func sign(_ url: String, _ body: String, key: String = Example.secret) -> String {
        let fields = body.split(separator: "&").map { $0.replacing("=", with: "", maxReplacements: 1) }
        let code = HMAC(.sha1, key: Array(key.utf8)).authenticationCode(for: Array((url + fields.joined()).utf8))
        return Data(code).base64EncodedString()
    }

    @Test("a callback signed by Twilio is accepted, however often it arrives")
    func genuine() throws {
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(30003)))
        for _ in 0..<2 { #expect(verdict(signature: Self.signature) == .success(expected)) }
    }

    @Test("the signed URL may or may not contain the port")
    func ports() throws {
        let expected = try DeliveryReceipt.example(.undelivered(GatewayCode(30003)))
        let cases = [
            (":8443", Self.signature), (":8443", "xJrkvg5w6ubCcQlOzRaFINV4R4k="), (":443", Self.signature),
            ("", "DJ8VUffzd5HTiaN5EECBjlMx1Q8="),
        ]
        for (port, signature) in cases {
            let url = Self.url.replacing(".com/", with: ".com\(port)/")
            #expect(verdict(url: url, signature: signature) == .success(expected))
        }
    }

    @Test("a forged or modified callback is rejected")
    func forged() throws {
        let changed = Self.body.replacing("undelivered", with: "delivered")
        #expect(verdict(changed, signature: Self.signature) == .failure(.forged))
        #expect(verdict(url: Self.url.replacing("m-1", with: "m-2"), signature: Self.signature) == .failure(.forged))
        #expect(verdict(url: Self.url + "&more=1", signature: Self.signature) == .failure(.forged))
        #expect(verdict(Self.body + "&MessageStatus=delivered", signature: Self.signature) == .failure(.forged))
        #expect(verdict(signature: Self.sign(Self.url, Self.body, key: "another")) == .failure(.forged))
        for signature in ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=", Self.signature.lowercased(), Self.signature + "="] {
            #expect(verdict(signature: signature) == .failure(.forged))
        }
        let unsigned = SMSGatewaysTests.verdict(of: verifier, on: Self.body, url: Self.url)
        #expect(unsigned == .failure(.forged))
    }

    @Test("a signed callback without a message id, a status or a form is malformed")
    func malformed() {
        for query in ["", "?message=", "?message=a/b", "?message=%zz", "?massage=m-1_A"] {
            #expect(verdict("MessageStatus=sent", url: Example.receipts + query) == .failure(.malformed))
        }
        #expect(verdict("MessageSid=SM1") == .failure(.malformed))
        #expect(verdict("") == .failure(.malformed))
        #expect(verdict("a=%zz") == .failure(.malformed))
    }

    @Test(
        "each Twilio status maps to a state of a receipt",
        arguments: [
            ("delivered", .delivered), ("read", .delivered), ("failed", .undelivered(nil)),
            ("undelivered", .undelivered(nil)), ("canceled", .undelivered(nil)), ("queued", .pending),
            ("sent", .pending), ("sending", .pending), ("accepted", .pending), ("invented", .pending),
        ] as [(String, DeliveryReceipt.State)]
    )
    func states(status: String, state: DeliveryReceipt.State) throws {
        #expect(verdict("MessageStatus=\(status)") == .success(try DeliveryReceipt.example(state)))
    }

    @Test("an answered call is delivered, and one that is not answered is not")
    func calls() throws {
        let states: [(String, DeliveryReceipt.State)] = [
            ("completed", .delivered), ("busy", .undelivered(nil)), ("no-answer", .undelivered(nil)),
            ("failed", .undelivered(nil)), ("ringing", .pending),
        ]
        for (status, state) in states {
            #expect(verdict("CallSid=CA1&CallStatus=\(status)") == .success(try .example(state)))
        }
    }
}
