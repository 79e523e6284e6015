import Encodings
import PhoneAuth
import TestBrowser
import TestServers
import Testing

/// The challenge page and `verifier.js` through the whole server: nginx, worker, Redis and a real Chromium.
@Suite(.timeLimit(.minutes(30))) struct ChallengeTests {
    @Test(
        "if a push does not arrive, the challenge page leads back to the app and to a sign-in",
        arguments: ChallengedApp.Scheme.allCases
    )
    func endToEnd(scheme: ChallengedApp.Scheme) async throws {
        let deployment = try await PushDeployment.start()
        // No dispatcher runs, so no push arrives.
        #expect(try deployment.verifyClient(PushDeployment.device(1))["receipt"] != nil)
        let app = ChallengedApp(scheme: scheme)
        let page = try Browser().visit(
            Visit(
                url: "http://127.0.0.1:\(deployment.server.port)/__/auth/handler?\(app.query)",
                linkScheme: scheme.name,
                steps: [.state("done"), .navigation(1)]
            )
        )
        #expect(page.faults == [])
        let link = try #require(page.links.first)
        let token = try #require(app.answer(in: link)["recaptchaToken"])
        let answer = try deployment.sendVerificationCode("+16505550701", #""recaptchaToken":"\#(token)""#)
        let session = try #require(answer["sessionInfo"])
        let signedIn = try deployment.server.signIn(session, try deployment.code(sentTo: "+16505550701"))
        #expect(signedIn.status == 200)
        #expect(!deployment.server.log.contains(token))
    }

    @Test("the challenge page returns to an Android app by an intent, and only this app can use the token")
    func androidApp() throws {
        let app = ChallengedAndroidApp(packageName: "com.example.android")
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_APPS": "android",
                "PROJECT_DEMO_DIALTONE_APP_ANDROID_PACKAGE_NAME": app.packageName,
            ]
        )
        let page = try Browser().visit(
            Visit(
                url: "http://127.0.0.1:\(server.port)/__/auth/handler?\(app.query)",
                linkScheme: "intent",
                steps: [.state("done"), .navigation(1)]
            )
        )
        #expect(page.faults == [])
        let token = try app.token(in: try #require(page.links.first))
        func send(_ headers: [(String, String)]) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:sendVerificationCode",
                #"{"phoneNumber":"+16505550731","recaptchaToken":"\#(token)"}"#,
                headers: headers
            )
        }
        let others = [
            ("X-Android-Package", "com.example.other"), ("X-Ios-Bundle-Identifier", "com.example.android"),
            ("X-Other", ""),
        ]
        for header in others { #expect(try send([header]).status == 400) }
        #expect(try send([("X-Android-Package", "com.example.android")])["sessionInfo"] != nil)
    }

    @Test("a challenge token is valid for one message of the app that solved the challenge")
    func tokenUse() async throws {
        let other = "PROJECT_DEMO_DIALTONE_APP_OTHER_"
        let deployment = try await PushDeployment.start(
            settings: ["PROJECT_DEMO_DIALTONE_APPS": "ios,other", other + "BUNDLE_ID": "com.example.other"]
        )
        let token = try ChallengedApp().token(from: deployment.server)
        let proof = #""recaptchaToken":"\#(token)""#
        let foreign = try deployment.sendVerificationCode("+16505550711", proof, bundleID: "com.example.other")
        #expect(foreign.errorMessage == "INVALID_APP_CREDENTIAL")
        let web = try deployment.server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"+16505550711",\#(proof)}"#
        )
        #expect(web.errorMessage == "CAPTCHA_CHECK_FAILED")
        #expect(try deployment.sendVerificationCode("+16505550711", proof)["sessionInfo"] != nil)
        #expect(try deployment.sendVerificationCode("+16505550712", proof).errorMessage == "INVALID_APP_CREDENTIAL")
        #expect(
            try deployment.sendVerificationCode("+16505550712", #""recaptchaToken":"\#(token.dropLast())A""#)
                .errorMessage == "INVALID_APP_CREDENTIAL"
        )
    }

    @Test("a solution is valid once, unchanged, and only for its own event")
    func solutionUse() async throws {
        let server = try await PushDeployment.start().server
        let app = ChallengedApp()
        let start = ContinuousClock.now
        let solution = try server.solvedChallenge(app.query)
        var elsewhere = app
        elsewhere.eventID = "KLMNOPQRST"
        let refused = [
            try server.submit(solution, elsewhere.query), try server.submit(solution, "apiKey=\(app.apiKey)"),
            try server.submit(String(solution.reversed()), app.query),
            try server.submit(try prolonged(solution), app.query), try server.submit(providerResponse: "x", app.query),
        ]
        for answer in refused {
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
        }
        #expect(try server.submit(solution, app.query)["location"] != nil)
        // A worker with a slow clock accepts the challenge for a minute longer, so its use is remembered until then.
        let mark = server.redis.cli("--scan", "--pattern", "*:solved:*")
        let remembered = try #require(Int(server.redis.cli("TTL", mark)))
        let passed = Int(start.duration(to: .now) / .seconds(1))
        #expect((358 - passed...360).contains(remembered))
        let repeated = try server.submit(solution, app.query)
        #expect(repeated.errorMessage?.hasPrefix("CAPTCHA_CHECK_FAILED") == true)
        #expect(repeated["location"] == nil)
    }

    @Test("two concurrent submissions of one solution give one token")
    func doubleSubmit() async throws {
        let server = try await PushDeployment.start(workers: 2).server
        let app = ChallengedApp()
        let solution = try server.solvedChallenge(app.query)
        let answers = try inParallel(8) { _ in try server.submit(solution, app.query)["location"] }
        #expect(answers.compactMap(\.self).count == 1)
    }

    /// Evaluates a web app's script in a page of another origin that has no content security policy.
    private func evaluateElsewhere(_ script: String) throws -> JSONValue {
        let elsewhere = try ProviderServer.start()
        let page = try Browser().visit(
            Visit(url: "http://127.0.0.1:\(elsewhere.port)/", linkScheme: "none", steps: [.evaluate(script)])
        )
        return try #require(page.values.first, "\(page.faults)")
    }

    @Test("a web app on another origin loads verifier.js, proves itself and sends a code")
    func webApp() throws {
        let server = try RunningServer(.production, workers: 1)
        let origin = "http://127.0.0.1:\(server.port)"
        let load = """
            new Promise((resolve, reject) => {
              const script = document.createElement('script');
              [script.src, script.onload, script.onerror] = ['\(origin)/__/auth/verifier.js', resolve, reject];
              script.crossOrigin = 'anonymous';
              document.head.append(script);
            }).then(() => new DialtoneVerifier({ apiKey: 'demo-key', url: '\(origin)' }).verify())
            """
        guard case .string(let token) = try evaluateElsewhere(load) else {
            Issue.record("no token")
            return
        }
        let fields = #"{"phoneNumber":"+16505550721","recaptchaToken":"\#(token)"}"#
        #expect(try server.post("/v1/accounts:sendVerificationCode", fields)["sessionInfo"] != nil)
        #expect(
            try server.post("/v1/accounts:sendVerificationCode", fields).errorMessage == "CAPTCHA_CHECK_FAILED"
        )
    }

    @Test("a web app on another origin imports dialtone.js, connects and sends a code")
    func module() throws {
        let server = try RunningServer(.production, workers: 1)
        // The SDK builds its URLs from these members in the same way.
        let send = """
            import('http://127.0.0.1:\(server.port)/__/auth/dialtone.js').then(async (module) => {
              const auth = { config: {} };
              await module.connectDialtone(auth);
              const recaptchaToken = await new module.DialtoneVerifier({ apiKey: 'demo-key' }).verify();
              const { apiScheme, apiHost } = auth.config;
              const url = `${apiScheme}://${apiHost}/v1/accounts:sendVerificationCode?key=demo-key`;
              const body = JSON.stringify({ phoneNumber: '+16505550741', recaptchaToken });
              const headers = { 'Content-Type': 'application/json', 'X-Client-Version': 'Chrome/JsCore/11.0.0' };
              return Object.keys(await (await fetch(url, { method: 'POST', headers, body })).json());
            })
            """
        #expect(try evaluateElsewhere(send) == .array([.string("sessionInfo"), .string("resendAfter")]))
    }

    /// Returns the same solution with a later expiry of its challenge.
    private func prolonged(_ solution: String) throws -> String {
        let program = """
            import base64, json, re, sys
            fields = json.loads(base64.b64decode(sys.argv[1]))
            salt = re.sub(r"expires=(\\d+)", lambda found: f"expires={int(found[1]) + 9999}", fields["salt"])
            assert salt != fields["salt"]
            print(base64.b64encode(json.dumps(fields | {"salt": salt}).encode()).decode())
            """
        return String(try Python.run(["-c", program, solution]).prefix { $0 != "\n" })
    }
}
