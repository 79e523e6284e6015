import Encodings
import Processes
import SMSGateways
import TestServers
import Testing

@Suite struct WebhookSignatureTests {
    @Test("a signature is valid for its body and key, for five minutes")
    func signatures() throws {
        let key = try Example.webhookKey()
        let other = try Example.webhookKey(String(repeating: "k", count: 32))
        let body = Array("{\"a\":1}".utf8)
        let value = WebhookSignature.value(for: body, at: Example.now, keys: [key])
        let digits = value.split(separator: "v1=")[1]
        let wrong = String(repeating: "0", count: 64)
        let time = Example.now.seconds
        let cases: [(String?, [UInt8], Int64, [WebhookKey], ReceiptRefusal?)] = [
            (value, body, 0, [key], nil), (value, body, 300, [key], nil), (value, body, -300, [key], nil),
            (value, body, 301, [key], .tooOld), (value, body, -301, [key], .tooOld),
            (value, body, 0, [other, key], nil), (value, body, 0, [other], .forged), (value, body, 0, [], .forged),
            (value, body + [32], 0, [key], .forged), (nil, body, 0, [key], .forged),
            ("t=\(time + 1),v1=\(digits)", body, 0, [key], .forged),
            ("t=\(time),v1=\(wrong)", body, 400, [key], .forged),
            ("t=\(time),v1=\(wrong), v1=\(digits.uppercased()),v2=x", body, 0, [key], nil),
            ("t=\(time),v1=\(digits.dropLast(2))", body, 0, [key], .forged),
            ("t=\(time)", body, 0, [key], .malformed), ("v1=\(digits)", body, 0, [key], .malformed),
            ("t=\(time),t=\(time),v1=\(digits)", body, 0, [key], .malformed), ("", body, 0, [key], .malformed),
            ("t=-1,v1=\(digits)", body, 0, [key], .malformed), ("t=1,v1=xyz", body, 0, [key], .malformed),
            ("t=99999999999999999999,v1=\(digits)", body, 0, [key], .malformed),
        ]
        for (row, (value, body, offset, keys, expected)) in cases.enumerated() {
            let now = Instant(seconds: Example.now.seconds + offset)
            do throws(ReceiptRefusal) {
                try WebhookSignature.verify(value, for: body, at: now, keys: keys)
                #expect(expected == nil, "row \(row)")
            } catch {
                #expect(error == expected, "row \(row)")
            }
        }
    }

    @Test("the documented example verifies our signatures and creates ones that we accept")
    func documentedExample() async throws {
        let example = try #require(Self.example)
        let body = #"{"id":"m-1_A","state":"delivered"}"#
        let value = WebhookSignature.value(for: Array(body.utf8), at: Example.now, keys: [try Example.webhookKey()])
        let harness = """
            import sys
            header, body, key, now = sys.argv[1], sys.argv[2].encode(), sys.argv[3], int(sys.argv[4])
            wrong = header.replace("v1=", "v1=00")
            print(is_genuine(header, body, key, now), is_genuine(header, body, key, now + 301),
                  is_genuine(header, body + b" ", key, now), is_genuine(header, body, key + "x", now),
                  is_genuine(wrong, body, key, now),
                  is_genuine(wrong + ",v1=" + signature(body, now, key), body, key, now),
                  is_genuine("", body, key, now), is_genuine(header, body, key), signature(body, now + 5, key))
            """
        let finished = try FinishedProcess.run(
            "python3",
            ["-c", example + harness, value, body, Example.webhookSecret, String(Example.now.seconds)]
        )
        #expect(finished.errors.isEmpty)
        let words = finished.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(words.dropLast() == ["True", "False", "False", "False", "False", "True", "False", "False"])
        let signature = "t=\(Example.now.seconds + 5),v1=\(words.last ?? "")"
        let request = ReceiptRequest(url: Example.receipts, body: Array(body.utf8)) { name in
            name == "dialtone-signature" ? signature : nil
        }
        let receipt = try WebhookReceiptVerifier(key: try Example.webhookKey()).verify(request, at: Example.now)
        #expect(receipt.state == .delivered)
    }

    /// The Python example in the guide that verifies a signature.
    private static var example: String? {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        let article = readFile("\(root)/Sources/SMSGateways/SMSGateways.docc/Webhooks.md")
        let blocks = article.split(separator: "```python\n")
        return blocks.count == 2 ? blocks[1].split(separator: "```").first.map(String.init) : nil
    }
}
