import Encodings
import TestBrowser
import TestServers
import Testing

/// Redirects to the sign-in page and back, between two origins, in a real Chromium with the module's own functions.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInRedirectTests: SignInVisitor {
    /// The app's own server, at another origin.
    let app: RunningServer

    init() throws {
        app = try RunningServer(workers: 1)
    }

    private var module: String { "import('http://127.0.0.1:\(server.port)/__/auth/sign-in.js')" }

    /// Requests the result of a redirect, as the app does whenever it is loaded.
    private var result: Visit.Step {
        .evaluate(
            """
            \(module).then(({ getRedirectResult }) => getRedirectResult({ apiKey: '\(RunningServer.apiKey)' }))
              .then((user) => { window.user = user; return user ? user.phoneNumber : 'none'; }, ({ code }) => code)
            """
        )
    }

    /// Leaves the app for the sign-in page.
    private var leave: [Visit.Step] {
        [
            .evaluate(
                """
                void \(module).then(({ signInWithRedirect }) => signInWithRedirect({
                  apiKey: '\(RunningServer.apiKey)',
                  redirectUri: location.origin + '/healthz?page=1',
                }))
                """
            ),
            .wait("location.pathname === '/__/auth/sign-in'"),
        ]
    }

    private func visitApp(_ steps: [Visit.Step], set: (inout Visit) -> Void = { _ in }) throws -> VisitedPage {
        try visit(steps, path: "/healthz?page=1#top", on: app) {
            $0.ignoresPolicy = true
            set(&$0)
        }
    }

    private var returns: Visit.Step { .wait("location.port === '\(app.port)'") }

    @Test("a user signs in on the page and returns; no URL has a token, and none keeps the code")
    func whole() throws {
        let number = "+16505551240"
        let page = try visitApp(
            leave + [Self.shows("number"), .axe] + Self.signIn(as: number, endingWith: returns) + [
                .wait("location.search.includes('code=')"),
                // A component in the app, which gets the user as soon as the app does.
                .evaluate(
                    """
                    void \(module).then(({ DialtoneSignIn }) => {
                      const element = new DialtoneSignIn();
                      element.setAttribute('api-key', '\(RunningServer.apiKey)');
                      document.body.replaceChildren(element);
                    })
                    """
                ),
                .wait("document.querySelector('dialtone-sign-in')?.dataset.step === 'number'"),
                .evaluate("location.href"), .evaluate("document.referrer"), result,
                .wait("document.querySelector('dialtone-sign-in').user?.phoneNumber === '\(number)'"),
                .evaluate("location.href"),
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)"),
                .evaluate("Object.keys(sessionStorage).join()"),
                .evaluate("'\(Self.userKey)' in localStorage"),
                .evaluate("document.cookie"),
                // The page has stored nothing at its own origin.
                .evaluate("void (location.href = 'http://127.0.0.1:\(server.port)/healthz')"),
                .wait("location.port === '\(server.port)'"), .evaluate("localStorage.length"),
            ]
        )
        guard case .string(let url)? = page.values.suffix(10).first else {
            Issue.record("\(page.values)")
            return
        }
        let names = try #require(FormFields(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())).fields.map(\.name)
        #expect(names == ["page", "code", "state", "iss"] && !url.contains("eyJ"))
        #expect(
            page.values.suffix(9) == [
                .string(""), .string(number), .string("http://127.0.0.1:\(app.port)/healthz?page=1"), .bool(true),
                .string(""), .bool(true), .string(""), .null, .number("0"),
            ]
        )
        for url in page.requests where url.contains("eyJ") { Issue.record("a URL has a token: \(url)") }
    }

    @Test("after the return, neither a reload nor the back button uses the code again")
    func reloadAndBack() throws {
        let number = "+16505551241"
        let page = try visitApp(
            leave + Self.signIn(as: number, endingWith: returns) + [
                result, .reload, result, .evaluate("location.search"),
                .back, .evaluate("location.href"), result,
                // The session is still valid.
                .evaluate(
                    """
                    \(module).then(async ({ DialtoneSignIn }) => {
                      const element = new DialtoneSignIn();
                      element.setAttribute('api-key', '\(RunningServer.apiKey)');
                      document.body.replaceChildren(element);
                      while (!element.user) await new Promise((resolve) => setTimeout(resolve, 50));
                      return (await element.user.getIdToken(true)).length > 99;
                    })
                    """
                ),
            ]
        )
        #expect(
            page.values.suffix(6) == [
                .string(number), .string("none"), .string("?page=1"),
                .string("http://127.0.0.1:\(app.port)/healthz?page=1#top"), .string("none"), .bool(true),
            ]
        )
    }

    @Test("if an app exchanges the code on every load, a reload ends its session")
    func replay() throws {
        let exchange = """
            fetch('http://127.0.0.1:\(server.port)/v1/token', { method: 'POST', body: new URLSearchParams({
              grant_type: 'authorization_code', code: new URLSearchParams(location.search).get('code'),
              code_verifier: JSON.parse(sessionStorage.getItem('dialtone-redirect:\(RunningServer.apiKey)')).verifier,
              redirect_uri: location.origin + '/healthz?page=1', client_id: '\(RunningServer.apiKey)',
            }) }).then((response) => response.json()).then((answer) => {
              sessionStorage.setItem('refresh', sessionStorage.getItem('refresh') || answer.refresh_token);
              return answer.error || answer.token_type;
            })
            """
        let page = try visitApp(
            leave + Self.signIn(as: "+16505551242", endingWith: returns) + [
                .wait("location.search.includes('code=')"), .evaluate(exchange), .reload, .evaluate(exchange),
                .evaluate(
                    """
                    fetch('http://127.0.0.1:\(server.port)/v1/token?key=\(RunningServer.apiKey)', { method: 'POST',
                      body: new URLSearchParams({ grant_type: 'refresh_token',
                        refresh_token: sessionStorage.getItem('refresh') }) })
                      .then((response) => response.json()).then(({ error }) => error.message)
                    """
                ),
            ]
        )
        #expect(page.values.suffix(3) == [.string("Bearer"), .string("invalid_grant"), .string("TOKEN_EXPIRED")])
    }

    @Test("a user can cancel at any step, and the app gets the cancellation")
    func cancels() throws {
        for steps in [[Self.shows("number")], Self.send(to: "+16505551243")] {
            let page = try visitApp(
                leave + steps + [
                    .axe, .click(".cancel a"), returns, .wait("location.search.includes('error=')"),
                    .evaluate("new URLSearchParams(location.search).get('error')"), result,
                    .evaluate("location.search"), result,
                ]
            )
            #expect(
                page.values.suffix(4) == [
                    .string("access_denied"), .string("auth/user-cancelled"), .string("?page=1"), .string("none"),
                ]
            )
        }
    }

    @Test("a response with another state is not used (login CSRF), and one of another issuer ends the sign-in (mix-up)")
    func forged() throws {
        let forge = { (change: String) in
            Visit.Step.evaluate(
                """
                (() => {
                  const query = new URLSearchParams(location.search);
                  \(change);
                  history.replaceState(null, '', '?' + query);
                })()
                """
            )
        }
        let number = "+16505551244"
        let page = try visitApp(
            leave + Self.signIn(as: number, endingWith: returns) + [
                .wait("location.search.includes('code=')"),
                .evaluate("window.response = location.search, 0"),
                forge("query.set('state', 'of-an-attacker')"), result,
                forge("query.delete('state')"), result,
                // The user's own response is still accepted.
                .evaluate("history.replaceState(null, '', window.response)"), result,
            ]
        )
        #expect(page.values.filter { $0 == .string("none") }.count == 2 && page.values.last == .string(number))
        for change in [
            "query.set('iss', 'https://evil.example')", "query.delete('iss')", "query.append('code', 'x')",
            "query.append('iss', 'https://evil.example')",
        ] {
            let page = try visitApp(
                leave + [.click(".cancel a"), returns, .wait("location.search.includes('error=')")] + [
                    forge("query.delete('error'); query.set('code', 'AQAB'); \(change)"), result,
                    .evaluate("location.search"), result,
                ]
            )
            #expect(
                page.values.suffix(3) == [
                    .string("auth/invalid-oauth-response"), .string("?page=1"), .string("none"),
                ],
                "\(change)"
            )
            #expect(!page.requests.contains { $0.hasSuffix("/v1/token?key=\(RunningServer.apiKey)") })
        }
    }

    @Test("an attacker's code is refused without the tab's own secret (code injection)")
    func injected() throws {
        let attacker = AuthorizingApp(server: server, redirectURI: "http://127.0.0.1:\(app.port)/healthz?page=1")
        let idToken = try #require(try server.signInFresh(SecondFactorUser.freshNumber())["idToken"])
        let location = try #require(try attacker.issue(idToken)["location"])
        let code = try #require(
            FormFields(location.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())?["code"]
        )
        let page = try visitApp(
            leave + [.click(".cancel a"), returns, .wait("location.search.includes('error=')")] + [
                .evaluate(
                    """
                    (() => {
                      const query = new URLSearchParams(location.search);
                      query.delete('error');
                      query.set('code', '\(code)');
                      history.replaceState(null, '', '?' + query);
                    })()
                    """
                ), result, .evaluate("localStorage.length"),
            ]
        )
        #expect(page.values.suffix(2) == [.string("auth/code-expired"), .number("0")])
    }

    @Test("the page waits for an unreachable server, and starts again if the sign-in has become too old")
    func serverDown() throws {
        let number = "+16505551245"
        let page = try visitApp(
            leave + Self.send(to: number) + [
                .evaluate("sessionStorage.setItem('down', 'authorizationCodes')"),
                Self.paste(Self.code(to: number), into: "#code"), .wait("window.failures > 0"), Self.shows("done"),
                .evaluate("sessionStorage.removeItem('down')"), returns, result,
            ]
        ) { $0.prepare = Self.failingNetwork }
        #expect(page.values.last == .string(number))
    }

    @Test("neither a rate limit on codes nor a broken connection loses the sign-in")
    func retries() throws {
        let number = "+16505551247"
        let failures = """
            const { fetch } = window, failed = new Set();
            window.fetch = (target, options) => {
              const path = new URL(target, location.href).pathname;
              if (failed.has(path)) return fetch(target, options);
              failed.add(path);
              if (path.endsWith('authorizationCodes:issue')) {
                const error = { code: 429, message: 'TOO_MANY_ATTEMPTS_TRY_LATER' };
                return Promise.resolve(new Response(JSON.stringify({ error }), { status: 429 }));
              }
              return path === '/v1/token' ? Promise.reject(new TypeError('broken')) : fetch(target, options);
            };
            """
        let page = try visitApp(leave + Self.signIn(as: number, endingWith: returns) + [result]) {
            $0.prepare += failures
        }
        #expect(page.values.last == .string(number))
    }

    @Test("an app is opened by its own scheme")
    func ownScheme() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_REDIRECT_URIS": "com.example.app:/signed-in"]
        )
        let query =
            "client_id=\(RunningServer.apiKey)&hl=en&redirect_uri=com.example.app%3A%2Fsigned-in&state=xyz"
            + "&code_challenge=\(AuthorizingApp.challenge)&code_challenge_method=S256"
        let page = try visit(
            // Browsers and users may refuse to open the app without a click.
            Self.signIn(as: "+16505551246", endingWith: .navigation(1)) + [
                .wait("document.querySelector('.cancel a').href.includes('code=')"),
                .wait("document.querySelector('.cancel a').textContent === 'Back to the app'"),
            ],
            path: "/__/auth/sign-in?\(query)",
            on: server
        ) { $0.linkScheme = "com.example.app" }
        let link = try #require(page.links.first)
        let fields = try #require(FormFields(link.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        #expect(link.hasPrefix("com.example.app:/signed-in?") && fields.fields.map(\.name) == ["code", "state", "iss"])
        let app = AuthorizingApp(server: server, redirectURI: "com.example.app:/signed-in")
        #expect(try app.exchange(try #require(fields["code"])).status == 200)
    }
}
