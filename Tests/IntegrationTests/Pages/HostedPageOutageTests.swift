import Encodings
import Glibc
import Processes
import TestBrowser
import TestServers
import Testing

/// A hosted page that is opened while Redis or the workers are down.
@Suite(.sharedBrowser, .timeLimit(.minutes(20))) struct HostedPageOutageTests: SignInSteps {
    @Test(
        "a page that is opened while Redis does not respond says so, and works again afterwards",
        arguments: [("sign-in", "de", "Der Server hat ein Problem."), ("account", "ar", "حدثت مشكلة في الخادم")]
    )
    func outage(component: String, language: String, text: String) throws {
        let server = try RunningServer(workers: 1, settings: ["REDIS_COMMAND_TIMEOUT_MILLISECONDS": "1000"])
        let path = "/__/auth/\(component)?apiKey=\(RunningServer.apiKey)&hl=\(language)"
        server.redis.pause()
        defer { server.redis.resume() }
        #expect(eventually { (try? server.get(path).status) == 503 })
        let browser = browser
        let visit = Visit(
            url: "http://127.0.0.1:\(server.port)\(path)",
            linkScheme: "",
            steps: [
                .wait("document.body.innerText.includes('\(text)')"), .axe,
                .evaluate("[document.documentElement.dir, find('#page').dataset.state].join()"),
                .evaluate("fetch('/healthz').then(({ status }) => status)"),
                .evaluate("(async () => { while ((await fetch(location.href)).status !== 200); })()"),
                // No script is needed for it.
                .click(".actions a"), .wait("find('dialtone-\(component)')?.dataset.step"),
            ]
        )
        let pages = try inParallel(2) { number -> VisitedPage? in
            if number == 0 { return try browser.visit(visit) }
            // The browser has shown the page.
            #expect(eventually { server.log.contains(#""route":"healthz""#) })
            server.redis.resume()
            return nil
        }
        let page = try #require(pages[0])
        #expect(page.values.prefix(2) == [.string(language == "ar" ? "rtl,failed" : "ltr,failed"), .number("200")])
        #expect(page.language == language && page.faults == [])
    }

    @Test("nginx's own page, for workers that do not respond, is accessible and has the language's direction")
    func noWorker() throws {
        let server = try RunningServer(workers: 1)
        let worker = try #require(server.runningWorkers.first)
        worker.send(SIGSTOP)
        defer { worker.send(SIGCONT) }
        let page = try browser.visit(
            Visit(
                url: "http://127.0.0.1:\(server.port)/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=he",
                linkScheme: "",
                steps: [.axe, .evaluate("getComputedStyle(document.body).direction")]
            )
        )
        #expect(page.text.contains("יש תקלה בשרת") && page.language == "he" && page.values == [.string("rtl")])
    }
}
