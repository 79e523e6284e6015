import Encodings
import TestBrowser
import TestServers
import Testing

/// `<dialtone-sign-in>` under real conditions: keyboards, slow and broken networks, blocked cookies, large text, forced
/// colors, and codes that the browser reads from the message (WebOTP).
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInConditionTests: SignInVisitor {
    // MARK: Keyboard and pointer

    @Test("with the keyboard alone, a password and a second factor can be entered, and every control can be reached")
    func keyboard() throws {
        var user = try SecondFactorUser(server)
        let app = try user.enrollApp(stepsAgo: 1).app
        let page = try visit(
            [
                // The number has the focus, followed by the button, the other way to sign in, and its fields.
                Self.shows("number"), Self.hasFocus("#number"), .press("Shift+Tab"), Self.hasFocus(".country"),
                .press("Tab"), .press("Tab"), Self.hasFocus(".primary"), .press("Tab"), Self.hasFocus(".link"),
                .press("Enter"), Self.shows("password"), Self.hasFocus("#email"), .type(user.email), .press("Tab"),
                Self.hasFocus("#password"), .type(SecondFactorUser.password), .press("Tab"),
                Self.hasFocus(".primary"), .press("Enter"), Self.shows("app"), Self.hasFocus("#code"),
                .press("Tab"), .press("Tab"), Self.hasFocus(".link"), .press("Enter"), Self.shows("factors"),
                Self.hasFocus(".title"), .press("Tab"), Self.hasFocus(".choice"), .press("Enter"),
                Self.shows("app"), Self.hasFocus("#code"), .type(app.code()), Self.shows("done"),
                Self.hasFocus(".title"), .press("Tab"), Self.hasFocus(".secondary"), .press(" "),
                Self.shows("number"), Self.hasFocus("#number"),
            ]
        )
        #expect(page.faults == [])
    }

    @Test("a code that is pasted, confirmed and clicked at the same time is sent once")
    func doubleConfirmation() throws {
        let number = "+16505551401"
        let page = try visit(
            Self.send(to: number) + [
                .latency(400), Self.paste(Self.code(to: number), into: "#code"), .press("Enter"),
                .click(Self.part(".primary")), .click(Self.part(".primary")), Self.shows("done"),
            ]
        )
        // A request with a preflight would be counted twice, but same-origin requests have none.
        #expect(page.requests.count { $0.contains("signInWithPhoneNumber") } == 1)
    }

    @Test("the back button leads from the app to the page before the sign-in")
    func backAfterSignIn() throws {
        let number = "+16505551402"
        let target = "http%3A%2F%2F127.0.0.1%3A\(server.port)%2Freadyz"
        let page = "/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&continueUrl=\(target)"
        _ = try visit(
            [.evaluate("void (location.href = '\(page)')"), .wait("location.pathname === '/__/auth/sign-in'")]
                + Self.signIn(as: number, endingWith: .wait("location.pathname === '/readyz'")) + [
                    .evaluate("history.back()"), .wait("location.pathname === '/healthz'"),
                ],
            path: "/healthz"
        )
    }

    // MARK: Networks

    @Test("a user can sign in on a network with a second of latency and little bandwidth")
    func slowNetwork() throws {
        let page = try visit(
            [.slowNetwork(latency: 1000, bytesPerSecond: 30_000), .reload] + Self.signIn(as: "+16505551403")
        )
        #expect(page.faults == [])
    }

    @Test("a server that fails between two steps is reported, and pressing again continues once it is back")
    func failsMidway() throws {
        let number = "+16505551404"
        _ = try visit(
            Self.send(to: number) + [
                .evaluate("sessionStorage.setItem('down', 'signInWithPhoneNumber')"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows(text: "server cannot be reached"), .axe,
                .evaluate("sessionStorage.removeItem('down')"),
            ] + Self.pressButton(".primary") + [Self.shows("done")]
        ) { $0.prepare = Self.failingNetwork }
    }

    @Test("a code whose answers are lost is sent again, by the component and then by the user, and signs in")
    func lostAnswers() throws {
        let number = "+16505551412"
        let loses = """
            ;(() => {
              const call = window.fetch;
              let lost = 0;
              window.fetch = async (url, options) => {
                const answer = await call(url, options);
                if (String(url).includes('signInWithPhoneNumber') && (lost += 1) < 3) throw new TypeError('lost');
                return answer;
              };
            })();
            """
        let page = try visit(
            Self.send(to: number) + [
                Self.paste(Self.code(to: number), into: "#code"), Self.shows(text: "server cannot be reached"),
            ] + Self.pressButton(".primary") + [Self.shows("done")]
        ) { $0.prepare = loses }
        #expect(page.requests.count { $0.contains("signInWithPhoneNumber") } == 3)
    }

    @Test("a proxy's error page is reported as a problem of the server, at the start and later")
    func proxyErrors() throws {
        let breaks = """
            ;(() => {
              const call = window.fetch;
              window.fetch = (url, options) => String(url).includes(window.broken)
                ? Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })) : call(url, options);
              window.broken = '/v2/signInConfig';
            })();
            """
        let problem = Self.shows(text: "The server has a problem")
        _ = try visit(
            [
                Self.shows("unreachable"), problem, .axe, .evaluate("void (window.broken = 'sendVerification')"),
                .click(Self.part("button")),
            ] + Self.typeNumber("+16505551409") + [
                .press("Enter"), problem, .evaluate("void (window.broken = '/none')"), .press("Enter"),
                Self.shows("code"),
            ]
        ) { $0.prepare = breaks + Self.asInApp }
    }

    @Test("a session that the server has ended is forgotten, and the user can sign in again")
    func endedSession() throws {
        let number = "+16505551405"
        let revokes = """
            (async () => {
              const validSince = String(Math.floor(Date.now() / 1000) + 1);
              const body = JSON.stringify({ localId: window.user.uid, validSince });
              const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer owner' };
              const url = '/v1/projects/demo-dialtone/accounts:update';
              return (await fetch(url, { method: 'POST', body, headers })).status;
            })()
            """
        let page = try visit(
            Self.signIn(as: number) + [
                .evaluate(revokes), .evaluate("window.user.getIdToken(true).catch(({ code }) => code)"),
                Self.shows("number"), .evaluate("window.heard.at(-1)"),
                .evaluate("localStorage.getItem('\(Self.userKey)')"),
            ] + Self.signIn(as: number)
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.contains(.number("200")) && page.values.contains(.string("TOKEN_EXPIRED")))
        #expect(page.values.contains(.string("dialtone-signed-out")))
    }

    // MARK: Blocked features

    @Test("users can sign in and stay signed in on the page if the browser blocks all cookies")
    func blockedCookies() throws {
        let browser = try Browser(.blockingCookies)
        let steps =
            [.evaluate("(() => { try { return typeof localStorage; } catch ({ name }) { return name; } })()")]
            + Self.signIn(as: "+16505551406") + [
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)"),
                .evaluate("find('dialtone-sign-in').lang = 'de'"), Self.shows(text: "Abmelden"),
                .evaluate("window.heard.join()"),
            ]
        var visit = Visit(
            url: "http://127.0.0.1:\(server.port)/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=en",
            linkScheme: "",
            steps: steps
        )
        visit.prepare = Self.heardEvents
        let page = try browser.visit(visit)
        #expect(page.values.first == .string("SecurityError"), "the browser of this test blocks storage")
        #expect(page.values.contains(.bool(true)) && page.values.last == .string("dialtone-signed-in"))
        #expect(page.faults == [])
    }

    @Test("the hosted page cannot be framed, by another site or its own (clickjacking)")
    func frames() throws {
        let other = try RunningServer(workers: 1)
        for framing in [server, other] {
            let url = "http://127.0.0.1:\(server.port)/__/auth/sign-in?apiKey=\(RunningServer.apiKey)"
            let page = try visit(
                [
                    .evaluate(
                        """
                        new Promise((resolve) => {
                          const frame = document.createElement('iframe');
                          frame.src = '\(url)';
                          frame.addEventListener('load', () => resolve(true));
                          document.body.append(frame);
                        })
                        """
                    )
                ],
                path: "/healthz",
                on: framing
            ) { $0.ignoresPolicy = framing === other }
            #expect(!page.requests.contains { $0.contains("/__/auth/sign-in-") }, "its module is not loaded")
        }
    }

    // MARK: Zoom and contrast

    @Test(
        "at twice the zoom and at twice the text size, nothing is cut off or scrolls sideways",
        arguments: [(640, "100%"), (390, "200%"), (320, "100%"), (320, "200%")]
    )
    func zoom(width: Int64, fontSize: String) throws {
        let fits = Self.fits(in: "dialtone-sign-in")
        for language in ["en", "de", "ru", "ar"] {
            let page = try visit(
                [
                    Self.shows("number"),
                    .evaluate("void (document.documentElement.style.fontSize = '\(fontSize)')"), fits,
                    .click(Self.part(".country")), .wait("!find('\(Self.part(".panel"))').hidden"), fits,
                    .press("Escape"),
                ] + Self.typeNumber("1") + [
                    .press("Enter"), .wait("find('\(Self.part(".error"))').textContent"), fits, .axe,
                ],
                language: language
            ) {
                $0.width = width
                $0.height = 512
                $0.prepare = Self.inUSA
            }
            let found = page.values.filter { $0 != .null }
            #expect(found == [.string(""), .string(""), .string("")], "\(language)")
        }
    }

    @Test(
        "country and number are two complete fields: side by side, or below each other with large text",
        arguments: [(390, "100%", "beside"), (320, "100%", "beside"), (390, "200%", "above"), (320, "200%", "above")]
    )
    func fields(width: Int64, fontSize: String, place: String) throws {
        let arrangement = Visit.Step.evaluate(
            """
            (() => {
              const [box, country, number] = ['.box', '.country', '#number'].map(
                (selector) => find('dialtone-sign-in').shadowRoot.querySelector(selector));
              const [around, first, second] = [box, country, number].map((element) => element.getBoundingClientRect());
              const isNear = (one, other) => Math.abs(one - other) < 1;
              const fills = ({ left, right }) => isNear(left, around.left) && isNear(right, around.right);
              const isWhole = [country, number].every((element) => {
                const style = getComputedStyle(element);
                return ['Top', 'Right', 'Bottom', 'Left'].every((side) => parseFloat(style[`border${side}Width`]) > 0)
                  && parseFloat(style.borderTopRightRadius) > 0 && parseFloat(style.borderBottomLeftRadius) > 0;
              });
              return !isWhole ? 'cut' : first.bottom < second.top && fills(first) && fills(second) ? 'above'
                : first.right < second.left && isNear(first.top, second.top) && isNear(first.bottom, second.bottom)
                  ? 'beside' : JSON.stringify([around, first, second]);
            })()
            """
        )
        let page = try visit(
            [
                Self.shows("number"), .evaluate("void (document.documentElement.style.fontSize = '\(fontSize)')"),
                arrangement, .evaluate("find('dialtone-sign-in').setAttribute('lang', 'ar')"),
                Self.shows(text: "رقم"), arrangement,
            ]
        ) {
            $0.width = width
            $0.prepare = Self.inUSA
        }
        #expect(page.values.filter { $0 != .null } == [.string(place), .string(place)])
    }

    @Test("with forced colors, focus, selection and errors are visible")
    func forcedColors() throws {
        let style = { (selector: String, expression: String) in
            Visit.Step.evaluate("((style) => \(expression))(getComputedStyle(find('\(Self.part(selector))')))")
        }
        let page = try visit(
            [
                Self.shows("number"), Self.hasFocus("#number"),
                style("#number", "style.outlineStyle !== 'none' && style.outlineWidth !== '0px'"),
                style(".primary", "style.borderStyle !== 'none' && style.borderWidth !== '0px'"),
                style(".chevron", "style.borderRightWidth !== '0px'"),
                style(".link", "style.textDecorationLine === 'underline'"),
                .click(Self.part(".country")), .wait("find('\(Self.part(".active"))')"),
                style(".active", "style.outlineStyle !== 'none'"), .axe, .press("Escape"),
            ] + Self.typeNumber("1") + [
                .press("Enter"), .wait("find('\(Self.part(".error.shown"))')"),
                style(".error", "style.borderStyle !== 'none' && style.borderWidth !== '0px'"), .axe,
            ]
        ) {
            $0.forcesColors = true
            $0.prepare = Self.inUSA
        }
        #expect(page.values.filter { $0 != .null } == Array(repeating: .bool(true), count: 6))
    }

    @Test("for users who want more contrast, borders and hints have the color of the text", arguments: [false, true])
    func contrast(isDark: Bool) throws {
        let colors = Visit.Step.evaluate(
            """
            ['.card', '.country'].every((selector) => {
              const style = getComputedStyle(find('dialtone-sign-in >>> ' + selector));
              return style.borderTopColor === style.color;
            }) && getComputedStyle(find('\(Self.part("#number"))'), '::placeholder').color
              === getComputedStyle(find('\(Self.part(".card"))')).color
            """
        )
        let page = try visit([Self.shows("number"), colors, .axe]) {
            $0.prefersContrast = true
            $0.isDark = isDark
        }
        #expect(page.values == [.bool(true)])
    }

    @Test("the list of countries is seen whole at four times the zoom")
    func listAtHighZoom() throws {
        let isSeen = """
            (({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
              find('\(Self.part(".panel"))').getBoundingClientRect())
            """
        let page = try visit(
            [
                Self.shows("number"), .click(Self.part(".country")), Self.hasFocus(".search"), .wait(isSeen),
                .press("ArrowDown"), .press("ArrowDown"), .wait(isSeen), Self.fits(in: "dialtone-sign-in"), .axe,
            ]
        ) {
            $0.width = 320
            $0.height = 256
        }
        #expect(page.values == [.string("")])
    }

    @Test("a number is sent where the browser does not know the system's time zone")
    func unknownTimeZone() throws {
        for zone in ["{ timeZone: undefined }", "{ timeZone: 'Etc/Unknown' }", "missing"] {
            let prepare = "Intl.DateTimeFormat.prototype.resolvedOptions = () => (\(zone));"
            let page = try visit(Self.send(to: "+16505551410")) { $0.prepare = prepare }
            #expect(page.faults == [])
        }
    }

    // MARK: WebOTP

    /// A mock of WebOTP, which Chromium offers only on phones. `window.receive` passes a message's code, `window.waits`
    /// lists the component's requests.
    private static let webOTP = """
        ;window.OTPCredential = class {};
        window.waits = [];
        Object.defineProperty(navigator, 'credentials', { value: { get({ otp, signal }) {
          return new Promise((resolve, reject) => {
            window.waits.push({ transport: otp.transport.join(), signal });
            signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
            window.receive = (code) => resolve({ code });
            window.decline = () => reject(new DOMException('declined', 'NotAllowedError'));
          });
        } } });
        """

    @Test("the browser reads the code from the message (WebOTP)")
    func takesCode() throws {
        let number = "+16505551407"
        let page = try visit(
            Self.send(to: number) + [
                .wait("window.waits.length === 1"), .evaluate("window.waits[0].transport"),
                .evaluate("(async () => window.receive(\(Self.code(to: number))))()"), Self.shows("done"),
                .evaluate("window.waits[0].signal.aborted"),
            ]
        ) { $0.prepare = Self.webOTP }
        #expect(page.values.contains(.string("sms")) && page.values.last == .bool(true))
    }

    @Test("a WebOTP request ends when declined or with its step, and a new message gets a new request")
    func awaitsAnew() throws {
        let server = try RunningServer(workers: 1, settings: ["LOCK_SECONDS": "1"])
        let number = "+16505551408"
        let again = Self.part("[part=resend]")
        let page = try visit(
            Self.send(to: number) + [
                .wait("window.waits.length === 1"), .evaluate("window.decline()"),
                .wait("find('\(again)').textContent === 'Send again'"), .click(again),
                .wait("window.waits.length === 2"), .click(Self.part(".link")), Self.shows("number"),
                .evaluate("window.waits[1].signal.aborted"),
                // A code that arrives after the step has no effect.
                .evaluate("window.receive('000000')"), Self.shows("number"),
            ],
            on: server
        ) { $0.prepare = Self.webOTP }
        #expect(page.values.contains(.bool(true)))
        #expect(page.faults == [])
    }
}
