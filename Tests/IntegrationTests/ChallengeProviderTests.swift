import Encodings
import TestBrowser
import TestServers
import Testing

/// Projects whose challenge is a provider's widget, with a stand-in for the provider's server.
@Suite struct ChallengeProviderTests {
    let provider: ScriptServer

    init() throws { provider = try ProviderServer.start() }

    private func start(_ kind: String) async throws -> PushDeployment {
        let challenge = "PROJECT_DEMO_DIALTONE_CHALLENGE"
        return try await PushDeployment.start(
            settings: [
                challenge: kind, challenge + "_SITE_KEY": "site-key", challenge + "_SECRET": "provider-secret",
                challenge + "_VERIFY_URL": "http://127.0.0.1:\(provider.port)/siteverify",
            ]
        )
    }

    @Test("the widget's answer is checked with the provider, and brings the app its token")
    func solved() async throws {
        let deployment = try await start("turnstile")
        let (server, app) = (deployment.server, ChallengedApp())
        let page = try server.get("/__/auth/handler?\(app.query)")
        #expect(page.status == 200)
        #expect(page.headers["content-security-policy"]?.contains("https://challenges.cloudflare.com") == true)
        let answer = try server.submit(providerResponse: "good", app.query)
        let link = try #require(answer["location"])
        let token = try #require(app.answer(in: link)["recaptchaToken"])
        #expect(
            try deployment.sendVerificationCode("+16505550731", #""recaptchaToken":"\#(token)""#)["sessionInfo"] != nil
        )
        #expect(try server.submit(providerResponse: "good", app.query).errorMessage?.hasPrefix("CAPTCHA") == true)
        #expect(provider.folder.read("forms").contains("provider-secret"))
        #expect(!server.log.contains("provider-secret"))
    }

    @Test("what the provider refuses is refused, and where it gives no answer the client is told to come back")
    func refused() async throws {
        let (server, app) = (try await start("hcaptcha").server, ChallengedApp())
        for response in ["wrong", "spent"] {
            let answer = try server.submit(providerResponse: response, app.query)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
        }
        for response in ["secret", "html", "hang"] {
            #expect(try server.submit(providerResponse: response, app.query).status == 503)
        }
        #expect(server.log.contains("secretRefused"))
    }

    @Test("a project with a provider has no other challenge beside it")
    func noWayAround() async throws {
        let (server, app) = (try await start("recaptcha-checkbox").server, ChallengedApp())
        for query in [app.query, "apiKey=\(app.apiKey)"] {
            let challenge = try HTTPClient(port: server.port).request("POST", "/__/auth/challenge?\(query)")
            #expect(challenge.errorMessage?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
        }
    }

    @Test("a web app's own widget: its site key is told, and its answer proves the app")
    func webWidget() async throws {
        let server = try await start("recaptcha-checkbox").server
        let parameters = try server.get("/v1/recaptchaParams?key=\(RunningServer.apiKey)")
        #expect(parameters["recaptchaSiteKey"] == "site-key")
        func send(_ response: String) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550741","recaptchaToken":"\#(response)"}"#
            )
        }
        #expect(try send("wrong").errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(try send("good")["sessionInfo"] != nil)
    }
}
