import DialtoneTexts
import Testing

@testable import MessageTexts

@Suite struct MessageEndingTests {
    @Test(
        "a host is an ASCII domain name, without scheme, port or address",
        arguments: [
            ("example.com", "example.com"), ("Accounts.Example.COM", "accounts.example.com"),
            ("localhost", "localhost"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("1password.com", "1password.com"),
            (String(repeating: "a", count: 63) + ".com", String(repeating: "a", count: 63) + ".com"),
            ("", nil), (".", nil), ("example.com.", nil), (".example.com", nil), ("a..b", nil), ("-a.com", nil),
            ("a-.com", nil), ("a_b.com", nil),
            ("example.com:443", nil), ("https://example.com", nil), ("example.com/", nil), ("example.com #1", nil),
            ("example.com\n", nil),
            ("bücher.example", nil), ("\u{212A}.com", nil), ("192.0.2.1", nil), ("[::1]", nil),
            (String(repeating: "a", count: 64) + ".com", nil),
            (String(repeating: "a.", count: 127), nil), (String(repeating: "a.", count: 200_000), nil),
        ] as [(String, String?)]
    )
    func host(text: String, expected: String?) {
        #expect(BoundHost(text)?.text == expected)
    }

    @Test(
        "an SMS Retriever hash is 11 characters of Base64",
        arguments: [
            ("aB3+dE6/hIu", true), ("0123456789/", true), ("aB3+dE6/hI", false), ("aB3+dE6/hIuu", false),
            ("aB3+dE6/hI=", false),
            ("aB3+dE6/hI-", false), ("aB3+dE6/hI\n", false), ("FA+9qCX9Vé", false), ("", false), ("é@#$%^&*()", false),
        ]
    )
    func hash(text: String, isHash: Bool) {
        #expect((AppSignatureHash(text) != nil) == isHash)
    }

    @Test("the last line is the WebOTP host and code", arguments: MessageLanguage.allCases)
    func bound(language: MessageLanguage) throws {
        let host = try #require(BoundHost("example.com"))
        for name in [nil, String(repeating: "x", count: 20)] {
            let templates = try MessageTemplates(appName: name)
            let message = templates.message(
                code: "123456",
                languages: language.preference,
                ending: .boundTo(host: host)
            )
            let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 2)
            #expect(lines.last == "@example.com #123456")
            #expect(message.size.segments == 1)
        }
    }

    @Test("the warning not to share is dropped only if the WebOTP line would cost a second segment")
    func economy() throws {
        let host = try #require(BoundHost("accounts.example.com"))
        let templates = try MessageTemplates(appName: "Example")
        func text(_ language: String) -> String {
            templates.message(code: "123456", languages: LanguagePreferences([language]), ending: .boundTo(host: host))
                .text
        }
        #expect(
            text("en") == "123456 is your Example verification code. Don't share it.\n@accounts.example.com #123456"
        )
        #expect(text("ru") == "123456 — код для Example.\n@accounts.example.com #123456")
        #expect(text("es") == "123456 es su clave para Example.\n@accounts.example.com #123456")
    }

    @Test(
        "an SMS Retriever message ends with the hash and has at most 140 bytes, whatever the app name",
        arguments: MessageLanguage.allCases
    )
    func retriever(language: MessageLanguage) throws {
        let hash = try #require(AppSignatureHash("aB3+dE6/hIu"))
        let names = [
            nil, String(repeating: "x", count: 20), String(repeating: "x", count: 40), language.sampleName,
            String(repeating: "字", count: 40),
            String(repeating: "😀", count: 40), "7-Eleven",
        ]
        for name in names {
            let templates = try MessageTemplates(appName: name)
            let message = templates.message(
                code: "123456",
                languages: language.preference,
                ending: .smsRetriever(appHash: hash)
            )
            #expect(
                message.text.hasPrefix("123456 ") || message.text.hasPrefix("123456,")
                    || message.text.hasPrefix("[123456] ")
            )
            #expect(message.text.hasSuffix("\naB3+dE6/hIu"))
            #expect(message.text.utf8.count <= 140)
            #expect(message.size.segments == 1)
            if let name, name.utf8.count == 20 { #expect(message.text.contains(name)) }
        }
    }
}
