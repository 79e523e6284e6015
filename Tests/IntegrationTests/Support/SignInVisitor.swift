import Encodings
import TestBrowser
import Testing

/// A suite that visits the hosted sign-in page, with the steps that such suites share. It must have the traits
/// `.sharedServer` and `.sharedBrowser`.
protocol SignInVisitor: SignInSteps {}

extension VisitedPage {
    /// The values that are texts.
    var words: [String] { values.compactMap { if case .string(let text) = $0 { text } else { nil } } }
}

extension SignInVisitor {
    var server: RunningServer {
        guard let server = SharedServer.current else { preconditionFailure("the suite lacks .sharedServer") }
        return server
    }

    func visit(
        _ steps: [Visit.Step],
        language: String = "en",
        query: String = "",
        path: String? = nil,
        on other: RunningServer? = nil,
        in otherBrowser: Browser? = nil,
        set: (inout Visit) -> Void = { _ in }
    ) throws -> VisitedPage {
        let page = path ?? "/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=\(language)\(query)"
        var visit = Visit(url: "http://127.0.0.1:\((other ?? server).port)\(page)", linkScheme: "", steps: steps)
        set(&visit)
        return try (otherBrowser ?? browser).visit(visit)
    }
}

/// A suite with the trait `.sharedBrowser`, with steps for `<dialtone-sign-in>` on any page.
protocol SignInSteps {}

extension SignInSteps {
    var browser: Browser {
        guard let browser = SharedBrowser.current else { preconditionFailure("the suite lacks .sharedBrowser") }
        return browser
    }

    /// Returns a selector for an element inside the component.
    static func part(_ selector: String) -> String { "dialtone-sign-in >>> \(selector)" }

    static func shows(_ step: String) -> Visit.Step {
        .wait("find('dialtone-sign-in')?.dataset.step === '\(step)'")
    }

    static func shows(text: String) -> Visit.Step {
        .wait("find('\(part(".stage"))')?.textContent.includes('\(text)')")
    }

    static func hasFocus(_ selector: String) -> Visit.Step {
        .wait("find('dialtone-sign-in').shadowRoot.activeElement?.matches('\(selector)')")
    }

    /// Types a number and waits until the server has read it.
    static func typeNumber(_ number: String) -> [Visit.Step] {
        [shows("number"), .evaluate("find('\(part("#number"))').focus()"), .type(number)]
    }

    static func send(to number: String) -> [Visit.Step] {
        typeNumber(number) + [.press("Enter"), shows("code")]
    }

    /// Pastes text into a field, as a user would.
    static func paste(_ expression: String, into field: String) -> Visit.Step {
        .evaluate(
            """
            (async () => {
              const clipboardData = new DataTransfer();
              clipboardData.setData('text', \(expression));
              const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
              find('\(part(field))').dispatchEvent(event);
            })()
            """
        )
    }

    /// Returns a JavaScript expression for the code in the last message to a number, from the page's own server or from
    /// an origin.
    static func code(to number: String, from origin: String = "") -> String {
        """
        (await (await fetch('\(origin)/emulator/v1/projects/demo-dialtone/verificationCodes')).json())
          .verificationCodes.filter((each) => each.phoneNumber === '\(number)').at(-1).code
        """
    }

    /// Returns the parts of a component that are cut off, are wider than the window, or make it scroll sideways.
    static func fits(in component: String) -> Visit.Step {
        .evaluate(
            """
            (() => {
              const width = document.documentElement.clientWidth;
              const elements = [...find('\(component)').shadowRoot.querySelectorAll('.card *')];
              const wide = elements.filter((element) => element.checkVisibility() && !element.closest('.unseen')
                && (element.getBoundingClientRect().right > width + 1 || element.getBoundingClientRect().left < -1));
              const cut = elements.filter((element) => element.checkVisibility() && element.localName === 'button'
                && element.scrollWidth > element.clientWidth + 1);
              return document.documentElement.scrollWidth > width ? 'scrolls'
                : [...wide, ...cut].map((element) => element.outerHTML.slice(0, 80)).join();
            })()
            """
        )
    }

    /// Functions with which a test holds responses: `hold` holds those whose URL contains a text until `release`.
    /// `isHeld` is true when a response is held, and `wasRead` once the page has read it.
    static var heldResponses: String {
        """
        ;(() => {
          const call = window.fetch;
          let held = null, gate, open;
          window.hold = (text) => {
            held = text;
            gate = new Promise((resolve) => { open = resolve; });
            window.isHeld = window.wasRead = false;
          };
          window.release = () => { held = null; open(); };
          window.fetch = async (url, options) => {
            const isHeld = held && String(url).includes(held);
            const response = await call(url, options);
            if (!isHeld) return response;
            window.isHeld = true;
            await gate;
            const { status, headers } = response;
            const copy = new Response(await response.text(), { status, headers });
            for (const name of ['text', 'json']) {
              const read = copy[name].bind(copy);
              copy[name] = async () => {
                const value = await read();
                setTimeout(() => { window.wasRead = true; });
                return value;
              };
            }
            return copy;
          };
        })();
        """
    }

    /// Makes URLs unreachable that contain `down` of the session storage, if it is set.
    static var failingNetwork: String {
        """
        ;(() => {
          const call = window.fetch;
          window.failures = 0;
          window.fetch = (url, options) => {
            if (!String(url).includes(sessionStorage.getItem('down') ?? ' ')) return call(url, options);
            window.failures += 1;
            return Promise.reject(new TypeError('down'));
          };
        })();
        """
    }

    /// Removes the configuration from a hosted page, so that its component requests it like a component in an app.
    static var asInApp: String {
        """
        ;(() => {
          const parse = JSON.parse;
          JSON.parse = (text) => {
            const value = parse(text);
            if (value?.configuration) delete value.configuration;
            return value;
          };
        })();
        """
    }

    /// Shifts the browser's clock by the milliseconds in `shift` of the session storage.
    static var shiftedClock: String {
        """
        ;(() => {
          const now = Date.now;
          Date.now = () => now() + Number(sessionStorage.getItem('shift') ?? 0);
        })();
        """
    }

    /// The key in the browser's storage under which the component stores its user.
    static var userKey: String { "dialtone-user:\(RunningServer.apiKey)" }

    static func signIn(as number: String, endingWith end: Visit.Step = shows("done")) -> [Visit.Step] {
        send(to: number) + [paste(code(to: number), into: "#code"), end]
    }

    /// Presses a button by keyboard.
    static func pressButton(_ selector: String) -> [Visit.Step] {
        [.evaluate("find('\(part(selector))').focus()"), .press("Enter")]
    }

    static var heardEvents: String {
        """
        window.heard = [];
        for (const name of ['dialtone-signed-in', 'dialtone-signed-out']) {
          document.addEventListener(name, (event) => {
            window.heard.push(name + (event.detail.isRestored ? ' again' : ''));
            window.user = event.detail.user;
          });
        }
        """
    }

    /// Sets the language and the time zone of a user in the US.
    static var inUSA: String {
        """
        ;Object.defineProperty(navigator, 'languages', { value: ['en-US'] });
        const options = Intl.DateTimeFormat.prototype.resolvedOptions;
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return { ...options.call(this), timeZone: 'America/New_York' };
        };
        """
    }

    static func password(_ email: String) -> [Visit.Step] {
        [
            shows("number"), .click(part(".link")), shows("password"), hasFocus("#email"), .axe, .type(email),
            .press("Tab"), .type(SecondFactorUser.password), .press("Enter"),
        ]
    }
}
