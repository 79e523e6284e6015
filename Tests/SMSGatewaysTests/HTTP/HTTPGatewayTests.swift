import Encodings
import GatewayStandIn
import Testing

@testable import SMSGateways

@Suite struct HTTPGatewayTests {
    private static func template(
        _ url: String,
        body: String = #"{"to":"{to}","text":"{text}"}"#,
        _ change: (inout HTTPGatewayTemplate) -> Void = { _ in }
    ) -> HTTPGatewayTemplate {
        var template = HTTPGatewayTemplate(url: url)
        template.body = body
        change(&template)
        return template
    }

    private static func gateway(_ pair: Pair, _ template: HTTPGatewayTemplate) throws -> HTTPGateway {
        HTTPGateway(
            name: try Example.name(),
            configuration: try HTTPGatewayConfiguration(template, account: Example.account),
            client: pair.client,
            now: { Example.now }
        )
    }

    @Test("a GET request has all values in its URL, escaped")
    func get() async throws {
        try await Pair.run { pair in
            let url =
                pair.server.url + "/{account}/send?to={digits}&text={text}&from={from}&until={expires}&n={seconds}"
            let template = Self.template(url) {
                $0.method = .get
                $0.headers = "X-Key: k {secret}"
            }
            let gateway = try Self.gateway(pair, template)
            pair.server.queue(.answer(200, "OK"))
            #expect(await gateway.send(try Example.message()) == .accepted(nil))
            let request = try #require(pair.server.requests.first)
            #expect(request.method == "GET")
            #expect(
                request.path == "/user/send?to=16505550123&text=123456%20is%20your%20code%20for%20%E2%80%9CEx%26mple"
                    + "%E2%80%9D%20%3D%20100%25%2B&from=Example&until=2026-09-21T14%3A22%3A20Z&n=540"
            )
            #expect(request.header("x-key") == "k \(Example.secret)")
            pair.server.queue(.answer(200, "OK"))
            _ = await gateway.send(try Example.message(validFor: .seconds(5)))
            #expect(pair.server.requests.last?.path.hasSuffix("&until=2026-09-21T14%3A13%3A50Z&n=30") == true)
        }
    }

    @Test("a POST request has the content type of its body, or the one of the header fields")
    func contentTypes() async throws {
        try await Pair.run { pair in
            var template = Self.template(pair.server.url)
            _ = await (try Self.gateway(pair, template)).send(try Example.message())
            template.content = .xml
            template.body = "<to>{digits}{text}</to>"
            for headers in ["", "Content-Type: text/xml"] {
                template.headers = headers
                _ = await (try Self.gateway(pair, template)).send(try Example.message())
            }
            #expect(
                pair.server.requests.map { $0.header("content-type") } == [
                    "application/json", "application/xml", "text/xml",
                ]
            )
            #expect(pair.server.requests[0].object.members.map(\.value.text) == [Example.phoneNumber, Example.text])
        }
    }

    static let answers: [(Reply, String)] = [
        (.answer(200, #"{"id":7,"code":"0"}"#), "accepted"), (.answer(200, #"{"code":0}"#), "accepted"),
        (.answer(200, #"{"id":"7"}"#), malformed), (.answer(200, "<html>"), malformed), (.answer(200), malformed),
        (.answer(200, #"{"id":"7","code":"E1"}"#), "refused: number invalid"),
        (.answer(400, #"{"code":"BLOCKED"}"#), "refused: recipient blocked (BLOCKED)"),
        (.answer(200, #"{"code":31}"#), "not sent: throttled (31)"),
        (.answer(500, #"{"code":32}"#), "misconfigured: no credit (32)"),
        (.answer(200, #"{"id":"7","code":99}"#), "refused: other reason (99)"),
        (.answer(200, #"{"id":"7","code":"call +16505550123"}"#), "refused: other reason"),
        (.answer(400, #"{"code":99}"#), "refused: other reason (99)"),
        (.answer(500, #"{"code":"0","id":7}"#), "not sent: server error (500)"),
        (.answer(400, #"{"code":"2121100"}"#), "refused: other reason (400)"),
        (.answer(422, #"{"code":-1}"#), "refused: other reason (422)"),
        (.answer(401), "misconfigured: credentials refused (401)"), (.answer(402), "misconfigured: no credit (402)"),
        (.answer(403, "<html>"), "misconfigured: credentials refused (403)"),
        (.answer(404), "misconfigured: address unknown (404)"), (.answer(408), "not sent: timed out (408)"),
        (.answer(429), "not sent: throttled (429)"), (.answer(500), "not sent: server error (500)"),
        (.answer(502), "uncertain: server error (502)"), (.answer(503), "not sent: server error (503)"),
        (.answer(504), "uncertain: server error (504)"),
        (.answer(200, "<r><id>7</id><code>0</code></r>"), "accepted"), (.answer(200, "id=7&code=0"), "accepted"),
        (.answer(200, #"<r a="b"><code type="x">E1</code></r>"#), "refused: number invalid"),
    ]
    private static let malformed = "uncertain: malformed answer (200)"

    @Test("a response's code, id and status determine the outcome, whatever its format")
    func outcomes() async throws {
        try await Pair.run { pair in
            let errors = "accepted=0; number invalid=E1, E2; recipient blocked=BLOCKED; throttled=31; no credit=32"
            let gateway = try Self.gateway(
                pair,
                Self.template(pair.server.url) { $0.answer("id", "r.code,code", errors) }
            )
            for (reply, description) in Self.answers {
                #expect(try await pair.outcome(of: gateway, reply).description == description, "\(reply)")
            }
        }
    }

    @Test("without a place for ids and codes, the HTTP status determines the outcome")
    func statuses() async throws {
        try await Pair.run { pair in
            let gateway = try Self.gateway(pair, Self.template(pair.server.url))
            #expect(try await pair.outcome(of: gateway, .answer(202, "<html>")) == .accepted(nil))
            let refused = try await pair.outcome(of: gateway, .answer(422, "{}"))
            #expect(refused == .refused(GatewayRefusal(.other, GatewayCode(422))))
        }
    }

    @Test("an error page, a redirect, a huge response and a hanging provider do not accept a message")
    func unfit() async throws {
        try await Pair.run(configuring: { $0.deadline = .seconds(4) }) { pair in
            let gateway = try Self.gateway(
                pair,
                Self.template(pair.server.url) { $0.answer("id", "error", "no credit=E") }
            )
            let page = "<html><head><title>id</title></head><body><p>error</p>" + String(repeating: "<id ", count: 3000)
            #expect(try await pair.outcome(of: gateway, .answer(200, page)).description == Self.malformed)
            let huge = #"{"id":"7","more":""# + String(repeating: "a", count: 2_000_000) + #""}"#
            #expect(try await pair.outcome(of: gateway, .answer(200, huge)).description == Self.malformed)
            let deep = #"{"id":"7","more":"# + String(repeating: "[", count: 5000)
            #expect(try await pair.outcome(of: gateway, .answer(200, deep)).description == Self.malformed)
            let redirect = Reply.answer(302, #"{"id":"7"}"#, [("Location", pair.server.url + "/other")])
            let redirected = try await pair.outcome(of: gateway, redirect)
            #expect(redirected.description == "misconfigured: redirected (302)")
            #expect(pair.server.requests.allSatisfy { $0.path == "/" })
            let hanging = try await pair.outcome(of: gateway, .silence)
            #expect(hanging == .uncertain(GatewayTrouble(.timedOut)))
        }
    }

    @Test("values in a URL and in header fields change neither", arguments: TemplateBodyTests.hostile + ["../", "?#%"])
    func hostileAccount(text: String) throws {
        let template = Self.template(
            "https://a.example/a/{account}/b?from={from}&to={to}&text={text}&hook={receiptURL}"
        ) {
            $0.method = .get
            $0.headers = "X-Id: {id}; X-Code: {code}; X-Locale: {locale}"
        }
        let hostile = Example.account(text, sender: text)
        let hook = "https://b.example/?b=c&d=e"
        let request = try HTTPGatewayConfiguration(template, account: hostile)
            .request(try Example.message(), receiptURL: hook, at: Example.now)
        let parts = request.url.split(separator: "?", omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        #expect(parts[0].hasPrefix("https://a.example/a/") && parts[0].hasSuffix("/b"))
        #expect(parts[0].split(separator: "/", omittingEmptySubsequences: false).count == 6)
        let fields = try #require(FormFields(parts[1].utf8)).fields
        #expect(fields.map(\.name) == ["from", "to", "text", "hook"])
        #expect(fields[0].value == text && fields[3].value == hook)
        #expect(request.headers.map(\.value) == ["m-1_A", "123456", "en"])
    }

    @Test("the check requests the root of the server, and any response is fine")
    func check() async throws {
        try await Pair.run { pair in
            pair.server.queue(.answer(404))
            let gateway = try Self.gateway(pair, Self.template(pair.server.url + "/v1/sms?key=k"))
            #expect(await gateway.check() == nil)
            #expect(pair.server.requests.map(\.path) == ["/"])
        }
    }

    private static func template(errors: String) -> HTTPGatewayTemplate {
        template("https://a.example/") { $0.errors = errors }
    }

    private static func template(headers: String) -> HTTPGatewayTemplate {
        template("https://a.example/") { $0.headers = headers }
    }

    private static func template(receiptID: String?) -> HTTPGatewayTemplate {
        template("https://a.example/") {
            $0.receipts = .init(state: "state", delivered: "ok", undelivered: "", id: receiptID)
        }
    }

    static let faults: [(HTTPGatewayTemplate, GatewayTemplateError.Part, String)] = [
        (template("http://a.example/"), .url, "the URL is not https"),
        (template("https://a.example/{to"), .url, "the URL is not an absolute https URL"),
        (template("https://{account}.example/"), .url, "the URL is not an absolute https URL"),
        (template("https://a.example{account}/"), .url, "the URL is not an absolute https URL"),
        (template("https://a.example/{too}"), .url, "{too} is not a placeholder; there are {to}, {digits}"),
        (template(headers: "X-Key"), .headers, "not a list of Name: value"),
        (template(headers: "X Key: a"), .headers, "not a list of Name: value"),
        (template(headers: "X-Key: \u{7}"), .headers, "not a list of Name: value"),
        (template(headers: "X: {text}"), .headers, "{text} must not be in a header field"),
        (template("https://a.example/", body: "{}"), .body, "contains neither {to} nor {digits}"),
        (template("https://a.example/", body: #"{"to":"{to}"}"#), .body, "contains neither {text} nor {code}"),
        (template("https://a.example/?{text}") { $0.method = .get }, .url, "contains neither {to} nor {digits}"),
        (template(errors: "wrong=1"), .errors, "\"wrong=1\" is not one of accepted"),
        (template(errors: "accepted"), .errors, "\"accepted\" is not one of"),
        (template(errors: "timed out=1"), .errors, "\"timed out=1\" is not one of"),
        (template(receiptID: nil), .body, "does not contain {receiptURL}"),
        (template(receiptID: "reference"), .body, "does not contain {id}"),
        (template("https://a.example/") { $0.authentication = .azure }, .secret, "the access key is not Base64"),
    ]

    @Test("a faulty template is rejected with its part and the reason", arguments: faults)
    func faulty(template: HTTPGatewayTemplate, part: GatewayTemplateError.Part, reason: String) {
        let error = #expect(throws: GatewayTemplateError.self) {
            try HTTPGatewayConfiguration(template, account: Example.account)
        }
        #expect(error?.part == part)
        #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
    }
}

extension HTTPGatewayTemplate {
    fileprivate mutating func answer(_ id: String, _ error: String, _ errors: String) {
        answerID = id
        answerError = error
        self.errors = errors
    }
}
