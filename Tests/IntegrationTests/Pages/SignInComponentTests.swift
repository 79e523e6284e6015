import Encodings
import TestBrowser
import TestServers
import Testing

/// `<dialtone-sign-in>` on the hosted page, through nginx, worker and Redis, in a real Chromium.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInComponentTests: SignInVisitor {
    // MARK: Sign-in

    @Test("a user signs in with the keyboard alone and pastes the whole message, and axe finds no fault in any step")
    func signsIn() throws {
        let number = "+16505551201"
        let page = try visit(
            [Self.shows("number"), .axe] + Self.typeNumber("6505551201") + [
                .wait("find('\(Self.part("#number"))').value === '(650) 555-1201'"), .axe, .press("Enter"),
                Self.shows("code"), Self.hasFocus("#code"), Self.shows(text: "+1 650-555-1201"), .axe,
                // A screen reader that follows the focus reads where the message was sent.
                .wait(
                    "find('\(Self.part("#code"))').getAttribute('aria-describedby').split(' ')"
                        + ".map((id) => find('dialtone-sign-in').shadowRoot.getElementById(id).textContent)"
                        + ".join().includes('+1 650')"
                ),
                Self.paste("'Your code is ' + \(Self.code(to: number)) + '. Do not share it.'", into: "#code"),
                Self.shows("done"), .axe, .evaluate("window.heard.join()"),
                .evaluate("window.user.phoneNumber"),
                .evaluate("window.user.getIdToken(true).then((token) => token.split('.').length)"),
            ]
        ) { $0.prepare = Self.heardEvents + Self.inUSA }
        #expect(
            page.values.suffix(3) == [.string("dialtone-signed-in"), .string(number), .number("3")]
        )
        #expect(page.faults == [])
    }

    @Test("the page is usable after two requests, for itself and for its module, which is small")
    func requests() throws {
        let page = try visit([Self.shows("number")])
        #expect(page.requests.count == 2, "\(page.requests)")
        let path = try #require(page.requests.first { $0.contains("/__/auth/sign-in-") })
        let module = try HTTPClient(port: server.port).request(
            "GET",
            String(path.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }),
            headers: [("Accept-Encoding", "gzip")]
        )
        #expect(module.headers["content-encoding"] == "gzip" && module.body.count < 40_000)
    }

    @Test("a component whose language is changed, or which is in an app, requests its configuration")
    func otherConfiguration() throws {
        let page = try visit(
            [
                Self.shows("number"), Self.shows(text: "Phone number"),
                .evaluate("find('dialtone-sign-in').lang = 'de'"), Self.shows(text: "Telefonnummer"),
            ]
        )
        #expect(page.requests.count { $0.contains("/v2/signInConfig?hl=de") } == 1)
        let component = try visit([Self.shows("number")]) { $0.prepare = Self.asInApp }
        #expect(component.requests.count { $0.contains("/v2/signInConfig?hl=en") } == 1)
    }

    @Test(
        "the country is that of the language tag, or else the one where most of its speakers live",
        arguments: [
            (["de-AT", "en-US"], "AT"), (["fr-ca"], "CA"), (["zh-Hant-TW"], "TW"), (["pt", "en-US"], "BR"),
            // A former code of a country.
            (["en-UK"], "GB"),
        ]
    )
    func languageRegions(languages: [String], region: String) throws {
        let clock = """
            ;Object.defineProperty(navigator, 'languages', { value: \(languages) });
            const options = Intl.DateTimeFormat.prototype.resolvedOptions;
            Intl.DateTimeFormat.prototype.resolvedOptions = function () {
              return { ...options.call(this), timeZone: 'Etc/Unknown' };
            };
            """
        let shown = "find('\(Self.part(".country .region"))').textContent"
        let page = try visit(
            [
                Self.shows("number"), .evaluate(shown),
                .evaluate("find('dialtone-sign-in').guess.then(() => \(shown))"),
            ]
        ) { $0.prepare = clock }
        #expect(page.values == [.string(region), .string(region)])
    }

    @Test(
        "a number is accepted in every format, and corrects the country",
        arguments: [
            ("0650 555-01 01", "AT"), ("Tel. +43 (0)650 / 555 01 01, abends", "AT"), ("0043 650 5550101", "AT"),
            ("+1 (650) 555-1202", "US"), ("+1 416 555 0123", "CA"), ("011 44 7400 123456", "GB"),
        ]
    )
    func forms(text: String, region: String) throws {
        let zone = text.hasPrefix("0") && region == "AT" ? "Europe/Vienna" : "America/New_York"
        _ = try visit(
            [
                Self.shows("number"), Self.paste("'\(text)'", into: "#number"),
                .wait("find('\(Self.part(".country .region"))').textContent === '\(region)'"),
                .press("Enter"), .evaluate("find('\(Self.part("form"))').requestSubmit()"), Self.shows("code"),
            ]
        ) { $0.prepare = Self.inUSA.replacing("America/New_York", with: zone) }
    }

    @Test("the country follows the time zone, unless the user has already selected one or typed a calling code")
    func guess() throws {
        let guessed = Visit.Step.evaluate(
            "find('dialtone-sign-in').guess.then(() => find('\(Self.part(".country .region"))').textContent)"
        )
        let chooses: [Visit.Step] = [
            .click(Self.part(".country")), .wait("find('\(Self.part("#country-CH"))')"),
            .evaluate("find('\(Self.part("#country-CH"))').click()"),
        ]
        for (steps, region) in [([], "AT"), (chooses, "CH"), ([Self.paste("'+1 650'", into: "#number")], "US")] {
            let page = try visit([Self.shows("number")] + steps + [guessed]) {
                $0.prepare = Self.inUSA.replacing("America/New_York", with: "Europe/Vienna")
            }
            #expect(page.values.last == .string(region))
        }
    }

    @Test("the country list can be searched and operated by keyboard, and is accessible to screen readers")
    func countries() throws {
        let search = Self.part(".search")
        let page = try visit(
            [
                Self.shows("number"), .evaluate("find('\(Self.part(".country"))').focus()"), .press("Enter"),
                Self.hasFocus("[role=combobox]"), .axe, .type("osterr"),
                .evaluate("find('\(Self.part("#" + "country-AT"))').textContent"),
                .evaluate("find('\(search)').getAttribute('aria-activedescendant')"),
                .press("Enter"), Self.hasFocus("#number"),
                .evaluate("find('\(Self.part(".country"))').getAttribute('aria-label')"),
                .press("Shift+Tab"), Self.hasFocus(".country"), .press("ArrowDown"), .press("ArrowDown"),
                .evaluate("find('\(search)').getAttribute('aria-activedescendant')"),
                .wait("find('\(search)').ariaExpanded === 'true'"),
                .press("Escape"), Self.hasFocus(".country"), .press("ArrowDown"), .type("qqq"), .axe,
                .wait("find('\(search)').ariaExpanded === 'false'"),
                Self.shows(text: "Nichts gefunden"), .press("Escape"), Self.hasFocus(".country"),
            ],
            language: "de"
        )
        #expect(page.values[1] == .string("Österreich+43") && page.values[2] == .string("country-AT"))
        #expect(page.values[3] == .string("Land oder Region: Österreich +43"))
        #expect(page.values[4] == .string("country-PK"))
        #expect(page.faults == [])
    }

    @Test("nothing on the page moves by itself, even if responses are slow")
    func layoutShift() throws {
        let observes = """
            window.shift = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
            }).observe({ type: 'layout-shift', buffered: true });
            """
        let page = try visit(
            [.latency(700)] + Self.typeNumber("65") + [.press("Enter"), Self.shows(text: "too short")]
                + [.type("05551223")] + [.press("Enter"), Self.shows("code")] + [
                    Self.paste("'000000'", into: "#code"), Self.shows(text: "Attempts left"),
                    .evaluate("new Promise((resolve) => setTimeout(() => resolve(window.shift < 0.02), 100))"),
                ]
        ) { $0.prepare = observes + Self.inUSA }
        #expect(page.values.last == .bool(true))
    }

    // MARK: Refusals

    @Test(
        "an invalid number is refused in plain words, without a request to send",
        arguments: [("65", "too short"), ("65055501010101", "too long"), ("", "fill in")]
    )
    func invalidNumbers(number: String, words: String) throws {
        let page = try visit(
            Self.typeNumber(number) + [.press("Enter"), Self.shows(text: words), Self.hasFocus("#number"), .axe]
        ) { $0.prepare = Self.inUSA }
        #expect(!page.requests.contains { $0.contains("sendVerificationCode") })
    }

    @Test("a wrong code shows how many attempts are left, and after the last one the user needs a new code")
    func wrongCodes() throws {
        let number = "+16505551203"
        func wrong(_ last: Int) -> Visit.Step {
            Self.paste("String((Number(\(Self.code(to: number))) + \(last)) % 1000000).padStart(6, '0')", into: "#code")
        }
        let steps = [4, 3, 2, 1].flatMap { left in [wrong(left), Self.shows(text: "Attempts left: \(left)")] }
        _ = try visit(
            Self.send(to: number) + steps + [
                .axe, wrong(5), Self.shows(text: "Too many wrong codes"), .axe,
            ]
        )
    }

    @Test("after a session has expired, the user is asked to request a new code")
    func expired() throws {
        let number = "+16505551204"
        let used = """
            (async () => {
              const { session } = JSON.parse(sessionStorage.getItem('dialtone-sign-in:\(RunningServer.apiKey)'));
              window.code = \(Self.code(to: number));
              const body = JSON.stringify({ sessionInfo: session.info, code: window.code });
              const url = '/v1/accounts:signInWithPhoneNumber?key=\(RunningServer.apiKey)';
              await fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
            })()
            """
        _ = try visit(
            Self.send(to: number) + [
                .evaluate(used), Self.paste("window.code", into: "#code"), Self.shows(text: "no longer valid"), .axe,
            ]
        )
    }

    @Test("a region that the project does not send to is not listed, and its numbers are refused")
    func regions() throws {
        let server = try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "AT,DE"])
        let page = try visit(
            Self.typeNumber("+16505551205") + [
                .press("Enter"), Self.shows(text: "cannot send messages to this country"),
                .click(Self.part(".country")), .evaluate("find('\(Self.part("ul"))').children.length"),
            ],
            on: server
        )
        #expect(page.values.last == .number("2"))
    }

    @Test("a rate limit error shows how long to wait, and the reference")
    func limited() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "1", "LOCK_SECONDS": "1"]
        )
        let again = Self.part("[part=resend]")
        let page = try visit(
            Self.send(to: "+16505551206") + [
                .wait("find('\(again)').textContent === 'Send again'"), .click(again),
                Self.shows(text: "Try again in"), Self.shows(text: "Reference"), .axe,
                .evaluate("find('\(Self.part(".error"))').textContent"), .evaluate("find('\(again)').textContent"),
                .reload, Self.shows("code"), .evaluate("find('\(again)').textContent"),
            ],
            on: server
        )
        let waits = page.values.suffix(2)
        #expect(!waits.contains(.string("Send again")), "the wait is the server's, after a reload, too")
        guard case .string(let text)? = page.values.dropLast(2).last else {
            throw ServerFailure(description: "no text")
        }
        #expect(text.contains("minutes"))
    }

    // MARK: Interruptions

    @Test("a reload keeps the step, the number and the wait")
    func reload() throws {
        let number = "+16505551207"
        let page = try visit(
            Self.send(to: number) + [
                .reload, Self.shows("code"), Self.shows(text: "+1 650-555-1207"), Self.shows(text: "Send again in"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"), .reload, Self.shows("done"),
                .evaluate("window.heard.join()"),
            ] + Self.pressButton(".secondary") + [
                Self.shows("number"), Self.hasFocus("#number"),
                .evaluate("window.heard.join()"), .evaluate("localStorage.length + sessionStorage.length"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(
            page.values.filter { $0 != .null } == [
                .string("dialtone-signed-in again"), .string("dialtone-signed-in again,dialtone-signed-out"),
                .number("0"),
            ]
        )
    }

    @Test("going back and returning to the page keeps the step")
    func back() throws {
        _ = try visit(
            Self.send(to: "+16505551208") + [
                .evaluate("void (location.href = '/healthz')"), .wait("location.pathname === '/healthz'"), .back,
                Self.shows("code"), Self.shows(text: "+1 650-555-1208"),
            ]
        )
    }

    @Test("another number can be entered, and the field contains the former one")
    func changeNumber() throws {
        let page = try visit(
            Self.send(to: "+16505551209") + [
                .click(Self.part(".link")), Self.shows("number"), Self.hasFocus("#number"),
                .evaluate("find('\(Self.part("#number"))').value"),
            ]
        )
        #expect(page.values.last == .string("+1 650-555-1209"))
    }

    @Test("a code entered offline is verified once the connection is back")
    func offline() throws {
        let number = "+16505551210"
        _ = try visit(
            Self.send(to: number) + [
                .evaluate("(async () => { window.code = \(Self.code(to: number)) })()"), .network(isOnline: false),
                .wait("!navigator.onLine"), Self.paste("window.code", into: "#code"),
                Self.shows(text: "You are offline"), .axe, .network(isOnline: true), Self.shows("done"),
            ]
        )
    }

    @Test("on a slow network, a second click does not send a second message")
    func doubleClick() throws {
        let number = "+16505551211"
        let page = try visit(
            Self.typeNumber(number) + [
                .latency(400), .click(Self.part(".primary")), .click(Self.part(".primary")), .press("Enter"),
                Self.shows("code"),
            ]
        )
        #expect(page.requests.count { $0.contains("sendVerificationCode") } == 1)
        #expect(try server.messages(to: number).count == 1)
    }

    @Test("the code is sent again after the server's wait, and not before")
    func resend() throws {
        let early = try visit(
            Self.send(to: "+16505551224") + [
                Self.shows(text: "Send again in"), .click(Self.part("[part=resend]")),
            ]
        )
        // Each send starts with a challenge.
        #expect(early.requests.count { $0.contains("/__/auth/challenge") } == 1)
        let server = try RunningServer(workers: 1, settings: ["LOCK_SECONDS": "1"])
        let number = "+16505551212"
        _ = try visit(
            Self.send(to: number) + [
                .wait("find('\(Self.part("[part=resend]"))').textContent === 'Send again'"),
                .click(Self.part("[part=resend]")),
                .wait("find('\(Self.part("[role=status].unseen"))').textContent === 'We sent the code again.'"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"),
            ],
            on: server
        )
        #expect(try server.messages(to: number).count == 2)
    }

    @Test("after the wait, a user may get the code by another channel of the number's route")
    func channels() throws {
        let sid = "AC" + String(repeating: "0a", count: 16)
        let server = try RunningServer(
            workers: 1,
            settings: [
                "LOCK_SECONDS": "1", "GATEWAYS": "text,chat,call", "GATEWAY_TEXT_KIND": "file",
                "GATEWAY_TEXT_FILE": "/dev/null", "GATEWAY_CHAT_KIND": "whatsapp", "GATEWAY_CHAT_ACCOUNT": "1",
                "GATEWAY_CHAT_SECRET": "token", "GATEWAY_CHAT_TEMPLATE": "code", "GATEWAY_CALL_KIND": "twilio-voice",
                "GATEWAY_CALL_ACCOUNT": sid, "GATEWAY_CALL_SECRET": "token", "GATEWAY_CALL_SENDER": "+16505550100",
            ]
        )
        let number = "+16505551240"
        let all = "find('dialtone-sign-in').shadowRoot.querySelectorAll('[part=link]')"
        let links = "[...\(all)].filter((link) => !link.hidden)"
        func show(_ texts: String) -> Visit.Step {
            .wait("\(links).map((link) => link.textContent).join() === '\(texts)'")
        }
        _ = try visit(
            Self.send(to: number) + [
                show("Change number"), show("Send by WhatsApp,Call me instead,Change number"), .axe,
                .evaluate("\(links)[1].click()"),
                .wait("find('\(Self.part("[role=status].unseen"))').textContent === 'We sent the code again.'"),
                show("Send by SMS,Send by WhatsApp,Change number"), .reload, Self.shows("code"),
                show("Send by SMS,Send by WhatsApp,Change number"),
                Self.paste(Self.code(to: number), into: "#code"), Self.shows("done"),
            ],
            on: server
        )
        let outbox = server.redis.cli("XRANGE", "dt:{demo-dialtone}:outbox", "-", "+")
        #expect(outbox.split(separator: "\n").count { $0.contains("requested call") } == 1, "\(outbox)")
    }

    @Test("an unreachable server is reported in the page's language, and the request can be retried")
    func serverDown() throws {
        let breaks = """
            const call = window.fetch; window.isDown = true;
            window.fetch = (...all) => (window.isDown ? Promise.reject(new TypeError('down')) : call(...all));
            """
        _ = try visit(
            [
                Self.shows("unreachable"), Self.shows(text: "Der Server ist nicht erreichbar"), .axe,
                .evaluate("void (window.isDown = false)"), .click(Self.part("button")), Self.shows("number"),
            ],
            language: "de"
        ) { $0.prepare = breaks + Self.asInApp }
    }

    @Test("users can sign in if the browser blocks storage")
    func blockedStorage() throws {
        let blocks = """
            for (const name of ['localStorage', 'sessionStorage']) {
              Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } });
            }
            """
        let page = try visit(Self.signIn(as: "+16505551213")) { $0.prepare = blocks }
        #expect(page.faults == [])
    }

    @Test("a proof of work that the server requires is solved on a slow machine")
    func proof() throws {
        let server = try RunningServer(.production, workers: 1)
        _ = try visit(Self.typeNumber("+16505551214") + [.press("Enter"), Self.shows("code")], on: server) {
            $0.slowdown = 4
        }
    }

    @Test(
        "every language fits into 320 pixels, and axe finds no fault, in light and dark mode",
        arguments: ["en", "de", "ar", "ja", "ru"]
    )
    func languages(language: String) throws {
        for isDark in [false, true] {
            let page = try visit([Self.shows("number"), .axe], language: language) {
                $0.width = 320
                $0.isDark = isDark
                $0.prefersReducedMotion = isDark
            }
            #expect(page.width == 320)
            #expect(page.direction == (language == "ar" ? "rtl" : "ltr") && page.language == language)
        }
    }
}
