import Encodings
import TestBrowser
import TestServers
import Testing

/// What a hosted page shows if its module cannot be loaded or does not work in the browser.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct UnloadedPageTests: SignInVisitor {
    private static let isShown = "find('#not-loaded')?.checkVisibility()"
    private static let modules = "*/__/auth/*-*.js"

    private func path(_ component: String, _ language: String = "en", _ query: String = "") -> String {
        "/__/auth/\(component)?apiKey=\(RunningServer.apiKey)&hl=\(language)\(query)"
    }

    private static func shows(_ component: String, _ step: String) -> Visit.Step {
        .wait("find('dialtone-\(component)')?.dataset.step === '\(step)'")
    }

    @Test(
        "a page whose module is not loaded says so, and can be loaded again without scripts",
        arguments: [
            ("sign-in", "number", "en", "could not be loaded"), ("account", "sign-in", "de", "nicht geladen werden"),
            ("sign-in", "number", "ar", "تعذر تحميل هذه الصفحة"),
        ]
    )
    func notLoaded(component: String, step: String, language: String, text: String) throws {
        let page = try visit(
            [
                Self.shows(component, step), .evaluate(Self.isShown), .block([Self.modules]), .reload,
                .wait(Self.isShown), .wait("document.body.innerText.includes('\(text)')"), .axe, .press("Tab"),
                .wait("document.activeElement.matches('#not-loaded a')"), .block([]), .press("Enter"),
                Self.shows(component, step), .evaluate(Self.isShown), .evaluate("location.pathname + location.search"),
            ],
            path: path(component, language)
        )
        #expect(page.values == [.bool(false), .bool(false), .string(path(component, language))])
        #expect(page.faults == [])
    }

    @Test(
        "a module that the browser does not understand, or that fails, is reported",
        arguments: ["class { #too new }", "throw new Error();", "export const other = 1;"]
    )
    func broken(module: String) throws {
        _ = try visit([.wait(Self.isShown), .axe]) {
            $0.respond = ["http://127.0.0.1:\(server.port)/__/auth/sign-in-": module]
        }
    }

    @Test("a module that is only slow is not reported")
    func slow() throws {
        let watch = """
            ;setInterval(() => {
              const element = document.getElementById('not-loaded');
              if (element) window.seen = (window.seen ?? '') + Number(element.checkVisibility());
            });
            """
        let page = try visit(
            [
                .latency(400), .reload, Self.shows("number"), .evaluate("window.seen.includes('0')"),
                .evaluate("window.seen.includes('1')"),
            ]
        ) { $0.prepare = watch }
        #expect(page.values == [.bool(true), .bool(false)])
    }

    @Test("a browser that knows no modules says so at once")
    func old() throws {
        // Such a browser also skips the rule that hides the message from others.
        let asOld = """
            (async () => {
              const text = await (await fetch(location.href)).text();
              document.open();
              document.write(text.replaceAll('type="module"', 'type="unknown"').replace(':defined', ':unknown'));
              document.close();
            })()
            """
        _ = try visit([Self.shows("number"), .evaluate(asOld), .wait(Self.isShown), .axe]) { $0.ignoresPolicy = true }
    }

    @Test("without scripts, the page says what it needs, and nothing else")
    func withoutScripts() throws {
        let page = try visit([]) { $0.hasJavaScript = false }
        #expect(page.text.contains("This page needs JavaScript") && !page.text.contains("could not be loaded"))
    }

    @Test("the way back to the app works without the module")
    func back() throws {
        let target = "http://127.0.0.1:\(server.port)/healthz"
        _ = try visit(
            [
                .block([Self.modules]), .reload, .wait(Self.isShown), .click("#back"),
                .wait("location.pathname === '/healthz'"),
            ],
            path: path("account", "en", "&continueUrl=\(target)")
        )
    }
}
