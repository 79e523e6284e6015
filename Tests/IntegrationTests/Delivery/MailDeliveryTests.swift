import APNsStandIn
import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

/// Delivery of e-mails in production mode, from the request to an SMTP server with STARTTLS and authentication.
@Suite(.timeLimit(.minutes(30))) struct MailDeliveryTests {
    private let email = "ada@example.com"
    private let smtp: SMTPStandIn
    private let folder: TemporaryFolder
    private let server: RunningServer

    init() throws {
        smtp = try SMTPStandIn()
        folder = try TemporaryFolder()
        try folder.write(smtp.authority.certificatePEM, to: "authority.pem")
        server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "auth.example.com",
                "MAIL_GATEWAYS": "relay", "MAIL_FROM": "no-reply@example.org", "GATEWAY_RELAY_KIND": "smtp",
                "GATEWAY_RELAY_URL": smtp.url, "GATEWAY_RELAY_ACCOUNT": "dialtone",
                "GATEWAY_RELAY_SECRET": "secret", "GATEWAY_TRUST_FILE": folder.path(of: "authority.pem"),
            ]
        )
    }

    /// Requests a link to reset the password of this address, and returns the reference of the request.
    private func requestReset(_ email: String) throws -> String {
        let answer = try server.requestEmail("PASSWORD_RESET", #""email":"\#(email)""#)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.headers["dialtone-reference"])
    }

    private func outbox(_ arguments: String...) throws -> String {
        try server.dialtone(["outbox"] + arguments).output
    }

    private func outboxShows(_ texts: String...) -> Bool {
        eventually(every: .milliseconds(100)) {
            let output = (try? outbox()) ?? ""
            return texts.allSatisfy { output.contains($0) }
        }
    }

    @Test("a link to reset a password arrives and works, and an address without an account gets none")
    func reset() throws {
        let user = try server.signUp(email)
        try server.startDispatcher()
        let unknown = try requestReset("bob@example.com")
        _ = try requestReset(email)
        #expect(outboxShows("0 waiting", "mails of the last 7 days, relay: 1 accepted", "no gateway: 1 unaddressed"))
        #expect(smtp.mails.count == 1)
        let mail = try #require(smtp.mails.first)
        #expect(mail["recipients"] == .array([.string(email)]) && mail["sender"]?.text == "no-reply@example.org")
        #expect(mail["isSecure"] == .bool(true) && mail["user"]?.text == "dialtone")
        let words = mail.text("text").split(whereSeparator: \.isWhitespace)
        let link = try #require(
            words.first { $0.hasPrefix("https://auth.example.com/__/auth/action?mode=resetPassword&") }
        )
        let code = try #require(link.split(separator: "&").first { $0.hasPrefix("oobCode=") }).dropFirst(8)
        let body = #"{"oobCode":"\#(code)","newPassword":"a new password"}"#
        #expect(try server.post("/v1/accounts:resetPassword", body)["email"] == email)
        let password = #"{"email":"\#(email)","password":"a new password"}"#
        #expect(try server.post("/v1/accounts:signInWithPassword", password)["localId"] == user["localId"])
        #expect(try server.dialtone("explain", unknown).output.contains("not sent: no account may receive it"))
        #expect(server.loggedSecrets(of: [String(code), email, "bob@example.com"]) == [])
    }

    @Test("an e-mail that no gateway accepts is shown without its address and link, and sent again or dropped")
    func dead() throws {
        for email in [email, "bob@example.com"] { #expect(try server.signUp(email).status == 200) }
        try server.startDispatcher()
        try smtp.queue("rcpt 550 5.1.1 Unknown")
        let reference = try requestReset(email)
        #expect(outboxShows("1 undeliverable", "mails of the last 7 days, no gateway: 1 dead"))
        let shown = try outbox() + outbox("show", "--json")
        #expect(shown.contains("demo-dialtone a•••@example.com ") && shown.contains("(550) (relay), id "))
        #expect(shown.contains(#""email":"a•••@example.com""#) && shown.contains(#""kind":"mails""#))
        #expect(!shown.contains(email) && !shown.contains("oobCode"))
        #expect(try server.dialtone("explain", reference).output.contains("given up"))

        #expect(try outbox("retry", "--all", "--project", "demo-dialtone") == "1 queued again\n")
        #expect(outboxShows("0 waiting", "0 undeliverable", "relay: 1 accepted, 1 passed-on"))
        #expect(smtp.mails.map { $0["recipients"] } == [.array([.string(email)])])
        #expect(try server.dialtone("explain", reference).output.contains("the gateway accepted it"))

        try smtp.queue("rcpt 550 5.1.1 Unknown")
        _ = try requestReset("bob@example.com")
        #expect(outboxShows("1 undeliverable"))
        #expect(try outbox("drop", "--all", "--project", "demo-dialtone") == "1 dropped\n")
        #expect(outboxShows("0 undeliverable"))
        #expect(smtp.mails.count == 1)
    }

    @Test("outbox shows why an e-mail waits")
    func waiting() throws {
        #expect(try server.signUp(email).status == 200)
        _ = try requestReset(email)
        #expect(outboxShows("1 waiting", "demo-dialtone a•••@example.com for ", "no dispatcher runs: systemctl"))
        smtp.stop()
        try server.startDispatcher()
        #expect(outboxShows("1 waiting", "last answer of relay: "))
    }
}
