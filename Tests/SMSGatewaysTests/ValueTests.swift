import SMSGateways
import Testing

@Suite struct ValueTests {
    @Test(
        "invalid names, ids and codes are rejected",
        arguments: ["", " ", "a b", "a/b", "ä", "١", "a\n", "a?", String(repeating: "1", count: 129)]
    )
    func refused(text: String) {
        #expect(GatewayName(text) == nil)
        #expect(MessageID(text) == nil)
        #expect(GatewayCode(text) == nil)
    }

    @Test("valid names, ids and codes are accepted")
    func taken() {
        #expect(GatewayName("twilio-2")?.description == "twilio-2")
        #expect(GatewayName("2twilio") == nil)
        #expect(GatewayName("Twilio") == nil)
        #expect(GatewayName(String(repeating: "a", count: 33)) == nil)
        #expect(MessageID("Az0-_")?.text == "Az0-_")
        #expect(MessageID(String(repeating: "a", count: 101)) == nil)
        #expect(GatewayMessageID("SM/1+=")?.text == "SM/1+=")
        #expect(GatewayMessageID("a b") == nil)
        #expect(GatewayCode("007")?.description == "7")
        #expect(GatewayCode("1234567") == nil)
        #expect(GatewayCode(-1) == nil)
        #expect(GatewayCode("-1") == nil)
        #expect(GatewayCode("E_A.b-c") == nil)
        #expect(GatewayCode(word: "E_A.b-c")?.description == "E_A.b-c")
        #expect(GatewayCode(word: "007") == GatewayCode(7))
        for text in ["", "E1", "a b", "\u{e4}", String(repeating: "a", count: 49)] {
            #expect(GatewayCode(word: text) == nil)
        }
    }

    @Test(
        "a message is for a number in E.164 form",
        arguments: ["", "16505550123", "+1650", "+1650555012x", "+١٢٣٤٥٦٧٨٩"]
    )
    func phoneNumbers(text: String) throws {
        let message = OutgoingMessage(
            id: try Example.id(),
            phoneNumber: text,
            text: "",
            needsUnicode: false,
            validFor: .seconds(1),
            code: "",
            locale: "",
            speech: ("", "")
        )
        #expect(message == nil)
    }

    @Test(
        "a gateway URL is https with a host, or http on loopback",
        arguments: [
            ("https://a.example", nil), ("https://a.example:8443/b?c=d%20e", nil),
            ("https://[::1]:8443/", nil), ("https://127.0.0.1", nil),
            ("http://127.0.0.1:8080/x", nil), ("http://127.9.9.9", nil),
            ("http://[::1]:8080/x", nil), ("http://localhost/", .notHTTPS),
            ("http://127.0.0.1.example/", .notHTTPS), ("http://127.0.0.256/", .notHTTPS),
            ("http://126.0.0.1/", .notHTTPS), ("http://a.example@127.0.0.1/", .malformedURL),
            ("http://127.0.0.1@a.example/", .malformedURL),
            ("ftp://a.example", .malformedURL),
            ("https://", .malformedURL), ("https:///path", .malformedURL),
            ("https://a b", .malformedURL), ("https://a.example/#x", .malformedURL),
            ("https://a.example:0", .malformedURL),
            ("https://a.example:65536", .malformedURL),
            ("https://a.example:", .malformedURL), ("https://[x]/", .malformedURL),
            ("https://\u{e4}.example", .malformedURL),
            ("https://a.example/\r\nX: y", .malformedURL),
        ] as [(String, GatewayConfigurationError?)]
    )
    func urls(text: String, expected: GatewayConfigurationError?) {
        do throws(GatewayConfigurationError) {
            #expect(try GatewayURL(text).text == text)
            #expect(expected == nil)
        } catch {
            #expect(error == expected)
        }
    }

    @Test(
        "printing a URL shows only scheme, host and port",
        arguments: ["https://a.example", "https://a.example:8443/b?c=d", "https://[::1]/b", "https://a.example?b/c"]
    )
    func shownURLs(text: String) throws {
        let origin = "https://" + (text.dropFirst(8).split { $0 == "/" || $0 == "?" }.first ?? "")
        #expect("\(try GatewayURL(text))" == origin)
    }

    @Test("a secret is a printable word, and a webhook key is long enough")
    func secrets() throws {
        for text in ["", "a b", "a\n", "\u{e4}", String(repeating: "a", count: 513)] {
            #expect(throws: GatewayConfigurationError.malformedSecret) { try GatewaySecret(text) }
        }
        #expect(throws: GatewayConfigurationError.weakKey) {
            try Example.webhookKey(String(repeating: "k", count: 31))
        }
    }
}
