import Encodings
import GatewayStandIn
import MailGateways
import SMSGateways
import TestServers
import Testing

@Suite struct MailFormatTests {
    /// Returns a mail as a server receives it.
    private func received(_ mail: OutgoingMail) async throws -> JSONObject {
        let server = try SMTPStandIn(.none)
        let gateway = try SMTPGatewayTests.gateway(server, url: "smtp://127.0.0.1:\(server.port)", login: nil)
        #expect(await gateway.send(mail) == .accepted(nil))
        return try #require(server.mails.first)
    }

    @Test("mail programs read a mail without defects, and it has no header fields of mailing lists")
    func fields() async throws {
        let text = """
            Ein Link für dich=

            .
            . https://auth.example.com/?a=\(String(repeating: "x", count: 300))&b=1 \t
            """
        let mail = try await received(try SMTPGatewayTests.mail(text: text))
        #expect(mail["defects"] == .array([]))
        #expect(mail["from"] == .array([.array([.string("Example"), .string("no-reply@example.org")])]))
        #expect(mail["to"] == .array([.array([.string(""), .string("ann@example.com")])]))
        #expect(mail["subject"]?.text == "Example: Reset your password")
        #expect(mail["messageID"]?.text == "<1800000000000-0-demo@example.org>")
        #expect(mail["date"]?.text == "2026-11-29T00:05:00+00:00")
        #expect(mail["automatic"]?.text == "auto-generated")
        #expect(mail["text"]?.text == text)
        #expect(mail["html"]?.text == "<p>\(text)</p>")
        let fields = ["Date", "From", "To", "Subject", "Message-ID", "MIME-Version", "Auto-Submitted", "Content-Type"]
        #expect(mail["headers"] == .array(fields.map { .string($0) }))
        #expect(mail["isASCII"] == .bool(true))
        guard case .number(let length)? = mail["longestLine"] else { throw ServerFailure(description: "\(mail)") }
        #expect(try #require(Int(length)) <= 78)
        #expect(mail["options"].map { "\($0)".contains("SMTPUTF8") } == false)
    }

    @Test(
        "any name and subject reach the reader unchanged, in header fields of their own",
        arguments: [
            "Yahoo!", "\"Quoted\" <a@example.com>, b@example.com", "=?utf-8?B?SGk=?=", "Größe \u{2068}שלום\u{2069}",
            String(repeating: "日本", count: 20), "a: b", String(repeating: "long ", count: 8) + "x",
        ]
    )
    func names(name: String) async throws {
        let subject = "\(name): \(name)"
        let mail = try await received(try SMTPGatewayTests.mail(name: name, subject: subject))
        #expect(mail["defects"] == .array([]))
        #expect(mail["subject"]?.text == subject)
        #expect(mail["from"] == .array([.array([.string(name), .string("no-reply@example.org")])]))
    }

    @Test(
        "unusual local parts are quoted, and non-ASCII ones use SMTPUTF8",
        arguments: [
            ("a..b@example.com", false), (".a@example.com", false), ("a'b+c@example.com", false),
            ("jörg@example.com", true),
            ("用户@xn--bcher-kva.example", true),
        ]
    )
    func addresses(address: String, isInternational: Bool) async throws {
        let mail = try await received(try SMTPGatewayTests.mail(to: address))
        #expect(mail["to"] == .array([.array([.string(""), .string(address)])]))
        #expect(mail["recipients"] == .array([.string(address)]))
        // Python does not know SMTPUTF8's header fields (RFC 6532).
        if !isInternational { #expect(mail["defects"] == .array([])) }
        #expect(mail["options"].map { "\($0)".contains("SMTPUTF8") } == isInternational)
    }

    @Test(
        "an address that could end its line or its brackets is rejected",
        arguments: [
            "a\r\nBcc: b@example.com", "a@example.com\r\nRCPT TO:<b@example.com>", "a\n@example.com", "a>@example.com",
            "a <b@example.com", "a@exämple.com", "a\u{2028}b@example.com", "a\"b@example.com", "@example.com", "a@",
            "a",
            "a\u{85}b@example.com", "a\u{0}@example.com",
        ]
    )
    func injection(address: String) {
        #expect(MailAddress(address) == nil)
    }

    @Test("a webhook receives a mail as signed JSON")
    func webhook() async throws {
        let server = try await GatewayServer.start(isPlain: true)
        let key = try WebhookKey(try GatewaySecret("0123456789abcdef0123456789abcdef"))
        let gateway = WebhookGateway<OutgoingMail>(
            name: try #require(GatewayName("own")),
            address: try GatewayURL("\(server.url)/mails"),
            key: key,
            client: try GatewayHTTPClient()
        )
        server.queue(.answer(204))
        let mail = try SMTPGatewayTests.mail(text: "A link")
        #expect(await gateway.send(mail) == .accepted(nil))
        let request = try #require(server.requests.first)
        let expected: [(String, JSONValue)] = [
            ("id", .string("1800000000000-0-demo")), ("to", .string("ann@example.com")),
            ("from", .string("no-reply@example.org")), ("subject", .string("Example: Reset your password")),
            ("text", .string("A link")), ("html", .string("<p>A link</p>")), ("validForSeconds", .number("600")),
        ]
        #expect(request.object == JSONObject(members: expected))
        #expect(request.header("dialtone-signature") != nil)
        #expect(!"\(mail) \(gateway)".contains("example.com"))
    }
}
