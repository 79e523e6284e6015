import Encodings
import TestBrowser
import TestServers
import Testing

/// Projects whose challenge is a provider's widget, with a mock of the provider's server.
@Suite struct ChallengeProviderTests {
    let provider: ScriptServer

    init() throws { provider = try ProviderServer.start() }

    private func start(_ kind: String, settings: [String: String] = [:]) async throws -> PushDeployment {
        let challenge = "PROJECT_DEMO_DIALTONE_CHALLENGE"
        let own = [
            challenge: kind, challenge + "_SITE_KEY": "site-key", challenge + "_SECRET": "provider-secret",
            challenge + "_VERIFY_URL": "http://127.0.0.1:\(provider.port)/siteverify",
            "PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "localhost,auth.example.com",
        ]
        return try await PushDeployment.start(settings: own.merging(settings) { $1 })
    }

    /// Returns a token in a provider's format that tells the mock how to respond.
    private func providerToken(_ what: String) -> String { "\(what).0123456789-abcdefghij" }

    /// The number of verifications that the provider has received.
    private var askedCount: Int { provider.folder.read("forms").split(separator: "\n").count }

    @Test("the provider verifies the widget's response, and the app gets its token")
    func solved() async throws {
        let deployment = try await start("turnstile")
        let (server, app) = (deployment.server, ChallengedApp())
        let page = try server.get("/__/auth/handler?\(app.query)")
        #expect(page.status == 200)
        #expect(page.headers["content-security-policy"]?.contains("https://challenges.cloudflare.com") == true)
        let answer = try server.submit(providerResponse: providerToken("good"), app.query)
        let link = try #require(answer["location"])
        let token = try #require(app.answer(in: link)["recaptchaToken"])
        #expect(
            try deployment.sendVerificationCode("+16505550731", #""recaptchaToken":"\#(token)""#)["sessionInfo"] != nil
        )
        #expect(
            try server.submit(providerResponse: providerToken("good"), app.query).errorMessage?.hasPrefix("CAPTCHA")
                == true
        )
        #expect(askedCount == 2)
        #expect(provider.folder.read("forms").contains("provider-secret"))
        #expect(!server.log.contains("provider-secret"))
    }

    @Test("a response that the provider rejects is rejected, and without a provider's response the client may retry")
    func refused() async throws {
        let (server, app) = (try await start("hcaptcha").server, ChallengedApp())
        for response in ["wrong", "spent"] {
            let answer = try server.submit(providerResponse: providerToken(response), app.query)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
        }
        for response in ["secret", "html", "hang"] {
            #expect(try server.submit(providerResponse: providerToken(response), app.query).status == 503)
        }
        #expect(server.log.contains("secretRefused"))
    }

    @Test("a project with a provider accepts no other challenge")
    func noWayAround() async throws {
        let (server, app) = (try await start("recaptcha-checkbox").server, ChallengedApp())
        for query in [app.query, "apiKey=\(app.apiKey)"] {
            let challenge = try HTTPClient(port: server.port).request("POST", "/__/auth/challenge?\(query)")
            #expect(challenge.errorMessage?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
        }
    }

    @Test("a web app's own widget gets the site key, and its response proves the app")
    func webWidget() async throws {
        let server = try await start("recaptcha-checkbox").server
        let parameters = try server.get("/v1/recaptchaParams?key=\(RunningServer.apiKey)")
        #expect(parameters["recaptchaSiteKey"] == "site-key")
        func send(_ response: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550741","recaptchaToken":"\#(providerToken(response))"}"#
            )
        }
        #expect(try send("wrong").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(try send("good")["sessionInfo"] != nil)
    }

    @Test("a token that no provider could have issued is rejected without asking the provider")
    func impossibleTokens() async throws {
        let (server, app) = (try await start("turnstile").server, ChallengedApp())
        for response in [
            "good", "x", providerToken("good") + "!", providerToken("good") + " ", String(repeating: "A", count: 8193),
        ] {
            let answer = try server.submit(providerResponse: response, app.query)
            #expect(answer.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
            let sent = try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550742","recaptchaToken":"\#(response)"}"#
            )
            #expect(sent.errorMessage == "CAPTCHA_CHECK_FAILED")
        }
        #expect(askedCount == 0)
    }

    @Test("a token solved on the page of another site, or on an unknown page, proves nothing")
    func otherHost() async throws {
        let (server, app) = (try await start("hcaptcha").server, ChallengedApp())
        for what in ["elsewhere", "nameless"] {
            let answer = try server.submit(providerResponse: providerToken(what), app.query)
            #expect(answer.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
            let sent = try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550743","recaptchaToken":"\#(providerToken(what))"}"#
            )
            #expect(sent.errorMessage == "CAPTCHA_CHECK_FAILED")
        }
        #expect(server.log.contains("a page outside the project's authorized domains"))
        #expect(try server.submit(providerResponse: providerToken("good"), app.query)["location"] != nil)
    }

    @Test("a token solved on an authorized domain with a port counts, although providers report no port")
    func domainWithPort() async throws {
        let domains = ["PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "auth.example.com:8443"]
        let (server, app) = (try await start("hcaptcha", settings: domains).server, ChallengedApp())
        #expect(try server.submit(providerResponse: providerToken("good"), app.query)["location"] != nil)
        #expect(try server.submit(providerResponse: providerToken("elsewhere"), app.query)["location"] == nil)
    }

    @Test("a network that floods provider checks is rate limited before the provider is asked; others are not")
    func flood() async throws {
        let deployment = try await start("turnstile", settings: ["SENDS_PER_NETWORK_PER_HOUR": "30"])
        let (server, app) = (deployment.server, ChallengedApp())
        let answers = try (0..<15).map { try server.submit(providerResponse: providerToken("wrong-\($0)"), app.query) }
        #expect(answers.filter { $0.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true }.count == 10)
        #expect(answers.last?.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(answers.last?.headers["retry-after"] != nil)
        func send(from address: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550744","recaptchaToken":"\#(providerToken("good"))"}"#,
                from: address
            )
        }
        #expect(try send(from: "127.0.0.1").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(askedCount == 10)
        #expect(try send(from: "192.0.2.1")["sessionInfo"] != nil)
    }
}
