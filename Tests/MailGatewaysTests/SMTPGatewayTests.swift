import APNsStandIn
import Encodings
import GatewayStandIn
import MailGateways
import OutgoingHTTP
import SMSGateways
import Testing

@Suite struct SMTPGatewayTests {
    /// Returns a gateway that trusts a server.
    static func gateway(
        _ server: SMTPStandIn,
        url: String? = nil,
        login: (user: String, password: String)? = ("dialtone", "secret"),
        trusting authority: TestAuthority? = nil,
        deadline: Duration = .seconds(60)
    ) throws -> SMTPGateway {
        SMTPGateway(
            name: try #require(GatewayName("relay")),
            client: try SMTPClient(
                try SMTPServer(url ?? server.url, login: login),
                trusting: .certificates(pem: (authority ?? server.authority).certificatePEM),
                deadline: deadline
            )
        )
    }

    static func mail(
        to recipient: String = "ann@example.com",
        name: String? = "Example",
        subject: String = "Example: Reset your password",
        text: String = "Use this link:\n\nhttps://auth.example.com/__/auth/action?mode=resetPassword&oobCode=a_b-c"
    ) throws -> OutgoingMail {
        OutgoingMail(
            id: try #require(MessageID("1800000000000-0-demo")),
            sender: (try #require(MailAddress("no-reply@example.org")), name),
            recipient: try #require(MailAddress(recipient)),
            subject: subject,
            text: text,
            html: "<p>\(text)</p>",
            date: Instant(seconds: 1_795_910_700),
            validFor: .seconds(600)
        )
    }

    @Test(
        "a mail is sent over verified TLS to an authenticated server",
        arguments: [SMTPStandIn.TLS.startTLS, .implicit]
    )
    func sending(tls: SMTPStandIn.TLS) async throws {
        let server = try SMTPStandIn(tls)
        let gateway = try Self.gateway(server)
        #expect(await gateway.check() == nil)
        #expect(await gateway.send(try Self.mail()) == .accepted(nil))
        let mail = try #require(server.mails.first)
        #expect(mail["sender"]?.text == "no-reply@example.org")
        #expect(mail["recipients"] == .array([.string("ann@example.com")]))
        #expect(mail["isSecure"] == .bool(true))
        #expect(mail["user"]?.text == "dialtone")
    }

    @Test("mails share a connection, which is opened again after the server has closed it")
    func pool() async throws {
        let server = try SMTPStandIn()
        let gateway = try Self.gateway(server)
        for _ in 0..<3 { #expect(await gateway.send(try Self.mail()) == .accepted(nil)) }
        #expect(server.connectionCount == 1)
        try server.queue("mail drop")
        #expect(await gateway.send(try Self.mail()) == .retry(after: nil, GatewayTrouble(.connectionLost)))
        #expect(await gateway.send(try Self.mail()) == .accepted(nil))
        #expect(server.connectionCount == 2)
    }

    @Test(
        "the server's reply decides whether the mail is retried",
        arguments: [
            (
                "mail 451 4.3.0 Try later",
                GatewayOutcome.retry(after: nil, GatewayTrouble(.serverError, GatewayCode(451)))
            ),
            ("rcpt 450 4.2.1 Greylisted", .retry(after: nil, GatewayTrouble(.serverError, GatewayCode(450)))),
            ("data 452 4.3.1 Full", .retry(after: nil, GatewayTrouble(.serverError, GatewayCode(452)))),
            ("rcpt 550 5.1.1 Unknown", .refused(GatewayRefusal(.messageRejected, GatewayCode(550)))),
            ("data 554 5.7.1 Spam", .refused(GatewayRefusal(.messageRejected, GatewayCode(554)))),
            ("mail 530 5.7.0 Sign in", .misconfigured(GatewayMisconfiguration(.credentialsRefused, GatewayCode(530)))),
            ("data drop", .uncertain(GatewayTrouble(.connectionLost))),
            ("rcpt drop", .retry(after: nil, GatewayTrouble(.connectionLost))),
        ]
    )
    func replies(reply: String, outcome: GatewayOutcome) async throws {
        let server = try SMTPStandIn()
        let gateway = try Self.gateway(server)
        try server.queue(reply)
        #expect(await gateway.send(try Self.mail()) == outcome)
        #expect(server.mails.isEmpty)
        #expect(await gateway.send(try Self.mail()) == .accepted(nil))
        #expect(server.mails.count == 1)
    }

    @Test("a server that hangs costs no more than the deadline", arguments: ["rcpt hang", "data hang"])
    func hanging(reply: String) async throws {
        let server = try SMTPStandIn()
        let gateway = try Self.gateway(server, deadline: .seconds(3))
        try server.queue(reply)
        let trouble = GatewayTrouble(.timedOut)
        let outcome = await gateway.send(try Self.mail())
        #expect(outcome == (reply == "data hang" ? .uncertain(trouble) : .retry(after: nil, trouble)))
        #expect(await gateway.send(try Self.mail()) == .accepted(nil))
    }

    @Test("no password and no mail is sent to a server without a trusted certificate for its name")
    func untrusted() async throws {
        let other = try TestAuthority()
        let outcome = GatewayOutcome.retry(after: nil, GatewayTrouble(.untrustedServer))
        for tls in [SMTPStandIn.TLS.startTLS, .implicit] {
            let server = try SMTPStandIn(tls)
            let gateway = try Self.gateway(server, trusting: other)
            #expect(await gateway.send(try Self.mail()) == outcome)
            #expect(await gateway.check() == outcome)
            let misnamed = try SMTPStandIn(tls, names: "DNS:mail.example.com")
            #expect(await (try Self.gateway(misnamed)).send(try Self.mail()) == outcome)
            #expect(server.mails.isEmpty && misnamed.mails.isEmpty)
        }
    }

    @Test("a server that offers no STARTTLS gets nothing, unless it is at a loopback address")
    func plain() async throws {
        let server = try SMTPStandIn(.none)
        let trouble = GatewayTrouble(.tlsRefused)
        #expect(await (try Self.gateway(server, login: nil)).send(try Self.mail()) == .retry(after: nil, trouble))
        #expect(server.mails.isEmpty)
        let local = try Self.gateway(server, url: "smtp://127.0.0.1:\(server.port)/mx.example.com", login: nil)
        #expect(await local.send(try Self.mail()) == .accepted(nil))
        #expect(server.mails.first?["isSecure"] == .bool(false))
        #expect(server.mails.first?["ehlo"]?.text == "mx.example.com")
    }

    @Test("a wrong or missing password is the operator's fault", arguments: ["wrong", nil])
    func password(password: String?) async throws {
        let server = try SMTPStandIn()
        let gateway = try Self.gateway(server, login: password.map { ("dialtone", $0) })
        let code = GatewayCode(password == nil ? 530 : 535)
        let outcome = GatewayOutcome.misconfigured(GatewayMisconfiguration(.credentialsRefused, code))
        #expect(await gateway.send(try Self.mail()) == outcome)
        #expect(server.mails.isEmpty)
    }

    @Test("a server that does not exist is unreachable")
    func unreachable() async throws {
        let server = try SMTPStandIn()
        let gateway = try Self.gateway(server)
        server.stop()
        #expect(await gateway.send(try Self.mail()) == .retry(after: nil, GatewayTrouble(.unreachable)))
    }

    @Test(
        "only SMTP URLs of a host and an EHLO name are accepted",
        arguments: [
            "https://mail.example.com", "mail.example.com", "smtp://", "smtp://user@mail.example.com",
            "smtp://mail.example.com/a%0d%0aQUIT", "smtp://mail.example.com:99999", "smtp://mail.example.com?x",
        ]
    )
    func urls(url: String) throws {
        #expect(throws: ServiceURLError.self) { try SMTPServer(url) }
    }
}
