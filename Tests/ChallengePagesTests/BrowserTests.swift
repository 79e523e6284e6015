import DialtoneTexts
import Encodings
import TestBrowser
import Testing

@testable import ChallengePages

/// The challenge page in a real Chromium.
@Suite(.sharedBrowser) struct BrowserTests {
    let server: PageServer

    init() throws { server = try PageServer() }

    static let solved: [Visit.Step] = [.state("done"), .navigation(1)]

    @Test(
        "the page solves the challenge, opens the app, and keeps a button",
        arguments: [Language.english, .hebrew, .simplifiedChinese]
    )
    func solves(language: Language) throws {
        let page = try server.visit(language.tag.filter { $0 != "-" }, steps: Self.solved)
        #expect(page.links == [server.link])
        #expect(page.language == language.tag && page.direction == language.direction)
        #expect(page.text.contains(language.text(.doneHeading)) && page.text.contains(language.text(.returnToApp)))
        #expect(page.focus == language.text(.doneHeading))
        #expect(page.faults == [] && page.cookies.isEmpty)
        #expect(server.posts.count == 1 && server.posts[0].contains("/__/auth/verify"))
    }

    @Test("the button opens the app again, by mouse and by keyboard")
    func button() throws {
        let page = try server.visit(
            "en",
            steps: Self.solved + [.click("#return"), .navigation(2), .press("Tab"), .press("Enter"), .navigation(3)]
        )
        #expect(page.links == [server.link, server.link, server.link])
    }

    @Test("the page solves the challenge without WebCrypto, with and without a worker")
    func withoutWebCrypto() throws {
        let steps = [.evaluate("typeof crypto.subtle")] + Self.solved
        for prepare in ["", "delete window.Worker"] {
            let page = try server.visit("en", host: Browser.insecureHost, steps: steps) { $0.prepare = prepare }
            #expect(page.values == [.string("undefined")])
            #expect(page.links == [server.link] && page.faults == [])
        }
    }

    @Test("the page solves the challenge without a worker and stays responsive")
    func withoutWorker() throws {
        // Counts how often another task has run.
        let prepare = "delete window.Worker; window.turns = 0; setInterval(() => window.turns++, 10)"
        let steps = Self.solved + [.evaluate("window.turns > 2")]
        let page = try server.visit("en", steps: steps) {
            $0.prepare = prepare
            $0.slowdown = 4
        }
        #expect(page.links == [server.link] && page.values == [.bool(true)])
    }

    @Test("the page uses WebCrypto if it is faster than plain JavaScript")
    func quickerWebCrypto() throws {
        // A fake clock: the trial of JavaScript takes 100 ms, that of WebCrypto 1 ms.
        let prepare = """
            delete window.Worker; window.digests = 0;
            const digest = crypto.subtle.digest, times = [0, 100, 100, 101], now = performance.now.bind(performance);
            performance.now = () => (times.length ? times.shift() : now());
            crypto.subtle.digest = function (...rest) { window.digests++; return digest.apply(this, rest) };
            """
        let steps = Self.solved + [.evaluate("window.digests > 50000")]
        let page = try server.visit("en", steps: steps) { $0.prepare = prepare }
        #expect(page.links == [server.link] && page.values == [.bool(true)])
    }

    @Test("the page solves the challenge if a worker cannot be started")
    func brokenWorker() throws {
        let page = try server.visit("en", steps: Self.solved) {
            $0.prepare = "window.Worker = class { constructor() { throw new Error('forbidden') } }"
        }
        #expect(page.links == [server.link])
    }

    @Test("without JavaScript, the page shows a message and a link back")
    func withoutJavaScript() throws {
        let page = try server.visit("he", steps: [.click("noscript a"), .navigation(1)]) { $0.hasJavaScript = false }
        let language = Language.hebrew
        #expect(page.text.contains(language.text(.noScript)) && page.text.contains(language.text(.backToApp)))
        #expect(!page.text.contains(language.text(.workingHeading)))
        #expect(page.links == [try Sample.callback().link(error: .cancelled).url])
        #expect(server.posts.isEmpty)
    }

    @Test("Chromium reports no policy issues, and the page makes no other requests")
    func requests() throws {
        let page = try server.visit("en", steps: Self.solved)
        let own = "http://127.0.0.1:\(server.server.port)/"
        #expect(
            page.requests.allSatisfy { $0.hasPrefix(own) || $0.hasPrefix("blob:") || $0 == server.link },
            "\(page.requests)"
        )
    }
}
