import Encodings
import TestBrowser
import TestServers
import Testing

/// Further parts of `<dialtone-sign-in>`: passwords and second factors, CAPTCHA providers, the official SDK, and the
/// hosted page.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInPageTests: SignInVisitor {
    // MARK: Passwords and second factors

    @Test("a user with a password and a phone as the second factor signs in")
    func phoneFactor() throws {
        var user = try SecondFactorUser(server)
        let number = SecondFactorUser.freshNumber()
        try user.enroll(number)
        let page = try visit(
            Self.password(user.email) + [
                Self.shows("factors"), .axe, .click(Self.part(".choice")), Self.shows("code"),
                Self.shows(text: "•••• \(number.suffix(4))"), .reload, Self.shows("code"),
                Self.shows(text: "Send again in"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"), .evaluate("window.user.uid"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.last == .string(user.uid))
    }

    @Test("an error for a wrong password does not say what is wrong")
    func wrongPassword() throws {
        let user = try SecondFactorUser(server)
        _ = try visit(
            Self.password(user.email + "x") + [Self.shows(text: "address or password is incorrect"), .axe]
        )
    }

    @Test("an authenticator app, or a recovery code in its place, is the second factor")
    func otherFactors() throws {
        var user = try SecondFactorUser(server)
        let app = try user.enrollApp(stepsAgo: 1).app
        let recoveryCode = try #require(try user.makeRecoveryCodes().first)
        let links = "find('dialtone-sign-in').shadowRoot.querySelectorAll"
        let page = try visit(
            Self.password(user.email) + [
                Self.shows("app"), Self.hasFocus("#code"), .axe, .evaluate("\(links)('.link')[0].click()"),
                Self.shows("factors"), .evaluate("\(links)('.choice')[1].click()"), Self.shows("recovery"), .axe,
                .type("AAAAA-AAAAA"), .press("Enter"), Self.shows(text: "is incorrect"), .axe,
                .evaluate("find('\(Self.part("#code"))').value = '\(recoveryCode)'"), .press("Enter"),
                Self.shows("done"), .click(Self.part(".secondary")),
            ] + Self.password(user.email) + [
                Self.shows("app"), Self.hasFocus("#code"), .type(app.code()), Self.shows("done"),
                .evaluate("window.user.uid"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.last == .string(user.uid))
    }

    // MARK: Providers and the SDK

    @Test(
        "a CAPTCHA provider's widget proves the client, and a blocked widget is reported",
        arguments: [
            ("recaptcha-checkbox", "grecaptcha", "https://www.google.com/recaptcha/"),
            ("recaptcha-invisible", "grecaptcha", "https://www.google.com/recaptcha/"),
            ("hcaptcha", "hcaptcha", "https://js.hcaptcha.com/1/"),
            ("turnstile", "turnstile", "https://challenges.cloudflare.com/turnstile/"),
        ]
    )
    func provider(kind: String, interface: String, script: String) throws {
        let provider = try ProviderServer.start()
        let challenge = "PROJECT_DEMO_DIALTONE_CHALLENGE"
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                challenge: kind, challenge + "_SITE_KEY": "site-key", challenge + "_SECRET": "secret",
                challenge + "_VERIFY_URL": "http://127.0.0.1:\(provider.port)/siteverify",
                "PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "localhost,auth.example.com",
            ]
        )
        let widget = """
            window.\(interface) = { render(place, { callback, sitekey }) {
              const button = document.createElement('button');
              button.id = 'person';
              button.textContent = sitekey;
              button.addEventListener('click', () => callback('good.0123456789-abcdefghij'));
              place.append(button);
            }, reset() {}, execute() { document.querySelector('#person').dataset.isAsked = 'true'; } };
            window.widgetLoaded();
            """
        let page = try visit(
            Self.typeNumber("+16505551217") + [
                .press("Enter"), .wait("find('#person')"), .axe, .evaluate("find('#person').dataset.isAsked ?? ''"),
                .click("#person"), Self.shows("code"),
            ],
            on: server
        ) { $0.respond = [script: widget] }
        // The page runs only an invisible widget by itself.
        #expect(page.values.last == .string(kind == "recaptcha-invisible" ? "true" : ""))
        #expect(page.faults == [])
        _ = try visit(
            Self.typeNumber("+16505551218") + [.press("Enter"), Self.shows(text: "cannot be reached"), .axe],
            on: server
        ) { $0.respond = [:] }
    }

    @Test("a page from before a change of the project's kind of challenge is reloaded, and keeps the number")
    func otherChallenge() throws {
        let challenge = "PROJECT_DEMO_DIALTONE_CHALLENGE"
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                challenge: "turnstile", challenge + "_SITE_KEY": "site-key", challenge + "_SECRET": "secret",
                "PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "localhost,auth.example.com",
            ]
        )
        // Until it is reloaded, the page does not know the provider.
        let before = """
            const parse = JSON.parse, now = performance.now.bind(performance);
            JSON.parse = (text) => {
              const value = parse(text);
              if (value?.configuration && !sessionStorage.getItem('isChanged')) delete value.configuration.provider;
              return value;
            };
            performance.now = () => now() + (window.isOld ? 600000 : 0);
            """
        let widget = """
            window.turnstile = { render(place) { place.append('widget'); } };
            window.widgetLoaded();
            """
        let page = try visit(
            [Self.shows("number"), .evaluate("sessionStorage.setItem('isChanged', 'true')")]
                + Self.typeNumber("+16505551226") + [
                    .press("Enter"), Self.shows(text: "The check failed"),
                    .evaluate("void (window.isOld = true)"), .press("Enter"),
                    .wait("!window.isOld && find('\(Self.part("#number"))')?.value"), Self.hasFocus("#number"),
                    .evaluate("find('\(Self.part("#number"))').value"), .press("Enter"),
                    .wait("find('[slot=challenge]')?.textContent === 'widget'"),
                ],
            on: server
        ) {
            $0.prepare = before
            $0.respond = ["https://challenges.cloudflare.com/turnstile/": widget]
        }
        #expect(page.values.last == .string("+1 650-555-1226"))
    }

    @Test("with the SDK's Auth, the user is signed in there")
    func sdk() throws {
        // The parts of the SDK that the component needs, with the same REST calls. The SDK itself is not a package of
        // the tests.
        let stub = """
            (async () => {
              const element = document.createElement('dialtone-sign-in');
              element.setAttribute('api-key', '\(RunningServer.apiKey)');
              const listeners = [];
              const auth = { currentUser: null,
                onAuthStateChanged(listener) {
                  listeners.push(listener);
                  Promise.resolve().then(() => listener(auth.currentUser));
                  return () => {};
                },
                async signOut() { auth.currentUser = null; listeners.forEach((listener) => listener(null)) } };
              element.auth = auth;
              element.sdk = {
                PhoneAuthProvider: class { static credential(id, code) { return { sessionInfo: id, code } } },
                async signInWithCredential(auth, credential) {
                  const url = '/v1/accounts:signInWithPhoneNumber?key=\(RunningServer.apiKey)';
                  const headers = { 'Content-Type': 'application/json' };
                  const response = await fetch(url, { method: 'POST', body: JSON.stringify(credential), headers });
                  const answer = await response.json();
                  if (!response.ok) throw Object.assign(new Error(), { code: 'auth/invalid-verification-code' });
                  auth.currentUser = { uid: answer.localId, phoneNumber: answer.phoneNumber, metadata: {} };
                  listeners.forEach((listener) => listener(auth.currentUser));
                  return { user: auth.currentUser };
                } };
              document.querySelector('dialtone-sign-in').replaceWith(element);
              window.sdkAuth = auth;
            })()
            """
        let number = "+16505551216"
        let page = try visit(
            [Self.shows("number"), .evaluate(stub)] + Self.send(to: number) + [
                Self.paste("'000000'", into: "#code"), Self.shows(text: "is incorrect"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"),
                .evaluate("window.sdkAuth.currentUser.phoneNumber"), .evaluate("window.heard.join()"),
                .evaluate("localStorage.length"), .click(Self.part(".secondary")), Self.shows("number"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.suffix(3) == [.string(number), .string("dialtone-signed-in"), .number("0")])
        #expect(page.faults == [])
    }

    // MARK: The page

    @Test("the page continues to the app once the server is reachable, and stays until then")
    func continuesLater() throws {
        let page = try visit(
            Self.signIn(as: "+16505551225") + [
                .evaluate(
                    """
                    (() => {
                      const user = JSON.parse(localStorage.getItem('\(Self.userKey)'));
                      localStorage.setItem('\(Self.userKey)', JSON.stringify({ ...user, end: 0 }));
                      sessionStorage.setItem('down', '/v1/token');
                      location.search += '&continueUrl=' + encodeURIComponent(location.origin + '/healthz');
                    })()
                    """
                ),
                .wait("window.failures > 0"), .evaluate("location.pathname"),
                .evaluate("sessionStorage.removeItem('down')"), .wait("location.pathname === '/healthz'"),
            ]
        ) { $0.prepare = Self.failingNetwork }
        #expect(page.values.dropLast().last == .string("/__/auth/sign-in"))
    }

    @Test("markup in parameters, texts, names of factors and error messages stays text (XSS)")
    func markup() throws {
        let image = #"<img src=x onerror="window.isHacked=1">"#
        // Every text in every response contains markup.
        let rewrites = """
            const parse = JSON.parse;
            const marked = (value, name) => typeof value === 'string'
              ? (/^(title|number|send|.*Title|factor.*|recovery|displayName|message|name)$/.test(name)
                ? value + '\(image)' : value)
              : Array.isArray(value) ? value.map((each) => marked(each, ''))
              : value && typeof value === 'object'
                ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each, name)])) : value;
            JSON.parse = (text) => marked(parse(text), '');
            """
        var user = try SecondFactorUser(server)
        try user.enroll(SecondFactorUser.freshNumber())
        let images = "find('dialtone-sign-in').shadowRoot.querySelectorAll('img').length + document.images.length"
        let query = "apiKey=%3C%2Fscript%3E%3Cscript%3Ewindow.isHacked%3D1%3C%2Fscript%3E&hl=%22%3E%3Cimg%20src%3Dx%3E"
        let page = try visit(
            [
                Self.shows("number"), Self.shows(text: "<img"), .evaluate(images),
            ] + Self.password(user.email) + [
                Self.shows("factors"), Self.shows(text: "Mine<img"), .evaluate(images),
                .evaluate("typeof window.isHacked"),
            ],
            path: "/__/auth/sign-in?\(query)"
        ) { $0.prepare = rewrites }
        #expect(page.values == [.number("0"), .number("0"), .string("undefined")])
        #expect(page.faults == [])
    }

    @Test("the hosted page continues to the app once the user is signed in")
    func continues() throws {
        let page = try visit(
            Self.signIn(as: "+16505551215", endingWith: .wait("location.pathname === '/healthz'")) + [
                .evaluate("location.href.includes('ey')"),
                .evaluate(
                    "JSON.parse(localStorage.getItem('dialtone-user:\(RunningServer.apiKey)')).idToken.length > 99"
                ),
            ],
            query: "&continueUrl=http%3A%2F%2F127.0.0.1%3A\(server.port)%2Fhealthz"
        )
        #expect(page.values.suffix(2) == [.bool(false), .bool(true)])
    }

    @Test("a page in a window passes its tokens only to the continue URL's origin, and keeps none")
    func windowOfAnotherOrigin() throws {
        let number = "+16505551219"
        let app = "http://127.0.0.1:\(FreePort.next())"
        let page = try visit(
            Self.send(to: number) + [
                .evaluate("window.opener = { postMessage: (data, origin) => { window.sent = [data, origin] } }, 0"),
                .evaluate("window.close = () => {}, 0"),
                Self.paste(Self.code(to: number), into: "#code"), .wait("window.sent"),
                .evaluate("window.sent[1]"), .evaluate("typeof window.sent[0].dialtone.refreshToken"),
                .evaluate("window.sent[0].apiKey"), .evaluate("localStorage.length"),
            ],
            query: "&continueUrl=\(app)/welcome"
        )
        #expect(
            page.values.suffix(4) == [.string(app), .string("string"), .string(RunningServer.apiKey), .number("0")]
        )
    }

    @Test("tokens are accepted only from the opened window at the server's origin, and sign the user in")
    func window() throws {
        let opens = """
            window.looks = [];
            window.setInterval = (look) => window.looks.push(look);
            window.open = (url) => (window.opened = url, window.page = { closed: false });
            import('/__/auth/sign-in.js').then(({ signInWithPage }) => {
              signInWithPage({ apiKey: '\(RunningServer.apiKey)' }).then((user) => { window.windowUser = user });
            });
            0
            """
        let number = "+16505551220"
        let tells = { (source: String, origin: String, apiKey: String) in
            Visit.Step.evaluate(
                """
                (async () => {
                  const data = { dialtone: { ...window.tokens }, apiKey: '\(apiKey)' };
                  const event = new MessageEvent('message', { data, origin: \(origin) });
                  Object.defineProperty(event, 'source', { value: \(source) });
                  window.dispatchEvent(event);
                  await null;
                  return typeof window.windowUser;
                })()
                """
            )
        }
        let page = try visit(
            Self.send(to: number) + [
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"),
                .evaluate(
                    "window.tokens = JSON.parse(localStorage.getItem('dialtone-user:\(RunningServer.apiKey)')), 0"
                ),
                .evaluate(opens), .wait("window.opened"),
                // The page has already closed itself while its message is still on the way.
                .evaluate("void (window.page.closed = true, window.looks.forEach((look) => look()))"),
                tells("window.page", "'https://evil.example'", RunningServer.apiKey),
                tells("window", "location.origin", RunningServer.apiKey),
                // The window is now another project's.
                tells("window.page", "location.origin", "other-key"),
                tells("window.page", "location.origin", RunningServer.apiKey), .wait("window.windowUser"),
                .evaluate("window.windowUser.phoneNumber"),
                .evaluate("new URL(window.opened).searchParams.get('continueUrl') === location.origin + '/'"),
            ]
        ) { $0.ignoresPolicy = true }
        #expect(
            page.values.suffix(6).prefix(3) == [.string("undefined"), .string("undefined"), .string("undefined")]
        )
        #expect(page.values.suffix(2) == [.string(number), .bool(true)])
    }

    @Test(
        "an open redirect is refused",
        arguments: [
            "https://evil.example/", "//evil.example", "javascript:alert(1)", "https://localhost@evil.example/",
            "https://localhost.evil.example/", "https://evil.example#localhost", "http://evil.example/",
            "https://localhost\\@evil.example/", "https:/evil.example", "data:text/html,x",
            // Authorized by default, so no operator has confirmed the domain's owner.
            "https://demo-dialtone.firebaseapp.com/",
        ]
    )
    func openRedirects(url: String) throws {
        let escaped = url.utf8.map { "%" + (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
        let answer = try HTTPClient(port: server.port).request(
            "GET",
            "/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&continueUrl=\(escaped)"
        )
        #expect(answer.status == 400 && !answer.text.contains("evil"))
        #expect(answer.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
    }

    @Test("a domain that the operator has named receives users, and others do not")
    func namedDomains() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "demo-dialtone.firebaseapp.com"]
        )
        for (host, status) in [("demo-dialtone.firebaseapp.com", 200), ("app.example.com", 400)] {
            let query = "apiKey=\(RunningServer.apiKey)&continueUrl=https%3A%2F%2F\(host)%2F"
            #expect(try server.get("/__/auth/sign-in?\(query)").status == status)
        }
        // The request's own host is not authorized either, because a client can forge it.
        for host in ["evil.example", "127.0.0.1:\(server.port)"] {
            let client = HTTPClient(port: server.port, host: host)
            for page in ["sign-in", "account"] {
                let query = "apiKey=\(RunningServer.apiKey)&continueUrl=https%3A%2F%2F\(host)%2F"
                #expect(try client.request("GET", "/__/auth/\(page)?\(query)").status == 400)
            }
        }
    }

    @Test("the component works on a page of another origin, and calls its module's server")
    func otherOrigin() throws {
        let app = try RunningServer(workers: 1)
        let number = "+16505551222"
        let page = try visit(
            [
                .evaluate(
                    """
                    (async () => {
                      const { DialtoneSignIn } = await import('http://127.0.0.1:\(server.port)/__/auth/sign-in.js');
                      const element = new DialtoneSignIn();
                      element.setAttribute('api-key', '\(RunningServer.apiKey)');
                      element.lang = 'fr';
                      document.body.replaceChildren(element);
                    })()
                    """
                )
            ] + Self.send(to: number),
            path: "/healthz",
            on: app
        ) { $0.ignoresPolicy = true }
        #expect(try server.messages(to: number).count == 1)
        #expect(page.requests.count { $0.hasPrefix("http://127.0.0.1:\(app.port)/v") } == 0)
        #expect(page.faults == [])
    }

    @Test("the try-it page shows the component beside the inbox, whose codes it uses, and requests in a second tab")
    func tryIt() throws {
        // As `dialtone dev` sets it.
        let server = try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_NUMBER": "12345"])
        let page = try visit(
            [Self.shows("number"), .axe] + Self.send(to: "+16505551221") + [
                .wait("find('#project').textContent === 'demo-dialtone at'"),
                .wait("find('.messages .fill')"), .click(".messages .fill"), Self.shows("done"), .axe,
                Self.shows(text: "+1 650-555-1221"),
                .wait("find('#wire-last').textContent === 'accounts:signInWithPhoneNumber 200'"),
                .evaluate("[...document.querySelectorAll('#wire-rows .path')].map((path) => path.textContent)"),
                .evaluate("['swift', 'android'].map((name) => find('#snippet-' + name).textContent)"),
                .evaluate("find('#on-phone').textContent.includes('dialtone dev --listen')"),
                .evaluate("find('#on-phone').append(qrDrawing('http://192.168.1.20:9099'))"),
                .wait("find('#on-phone .qr path').getAttribute('d').length > 1000"), .axe,
                .click("#tab-wire"), .wait("!find('#panel-wire').hidden && find('#panel-component').hidden"), .axe,
                .press("ArrowRight"), .wait("find('#panel-wire').hidden"),
            ],
            path: "/",
            on: server
        )
        #expect(page.faults == [])
        let values = page.values.filter { $0 != .null }
        let paths = values.first?.elements?.compactMap(\.text) ?? []
        for operation in ["signInConfig", "accounts:sendVerificationCode", "accounts:signInWithPhoneNumber"] {
            #expect(paths.count { $0.contains(operation) } == 1, "\(paths)")
        }
        #expect(paths.count { $0.contains("parsePhoneNumber") } < paths.count / 2)
        let snippets = [
            #"Auth.auth().useEmulator(withHost: "127.0.0.1", port: \#(server.port))"#,
            #"Firebase.auth.useEmulator("10.0.2.2", \#(server.port))"#,
        ]
        #expect(values.dropFirst() == [.array(snippets.map { .string($0) }), .bool(true)])
    }
}
