import Encodings
import GatewayStandIn
import Processes
import TestBrowser
import TestServers
import Testing

/// The operator's page in a browser.
@Suite(.sharedBrowser, .timeLimit(.minutes(20))) struct OperatorPageTests {
    private static let tasks = ["why", "users", "outbox", "spend", "limits", "audit"]
    private static let number = "+16505551901"

    private func visit(
        _ server: RunningServer,
        _ steps: [Visit.Step],
        set: (inout Visit) -> Void = { _ in }
    ) throws -> VisitedPage {
        let browser = try #require(SharedBrowser.current)
        var visit = Visit(url: "http://127.0.0.1:\(server.port)/operator", linkScheme: "", steps: steps)
        visit.width = 1200
        set(&visit)
        return try browser.visit(visit)
    }

    private static func signIn(_ token: String = "owner") -> [Visit.Step] {
        [hasFocus("#token"), .type(token), .press("Enter"), .wait("!find('#task').hidden"), isIdle]
    }

    private static let isIdle = Visit.Step.wait("!find('[aria-busy]')")

    private static func hasFocus(_ selector: String) -> Visit.Step {
        .wait("document.activeElement.matches('\(selector)')")
    }

    private static func shows(_ text: String) -> Visit.Step {
        .wait("find('#task').textContent.includes('\(text)')")
    }

    /// Opens a task by the keyboard.
    private static func open(_ task: String) -> [Visit.Step] {
        [
            .evaluate("void find('nav [href=\"#\(task)\"]').focus()"), .press("Enter"),
            .wait("find('[aria-current]').hash === '#\(task)' && location.hash === '#\(task)'"), isIdle,
        ]
    }

    /// Types into the first field of a task's form and submits it.
    private static func ask(_ text: String) -> [Visit.Step] {
        [hasFocus("#ask-asked, #ask-text"), .type(text), .press("Enter")]
    }

    /// Presses the visible button with this text by the keyboard.
    private static func press(_ text: String) -> [Visit.Step] {
        let button =
            "[...document.querySelectorAll('button')].find((each) => each.textContent === '\(text)'"
            + " && each.checkVisibility())"
        return [.wait(button), .evaluate("void \(button).focus()"), .press("Enter")]
    }

    @Test("two forms lead from a message that did not arrive to the reason: the token, and the number or a reference")
    func reason() async throws {
        let deployment = try await MessageDeployment.start()
        let server = deployment.server
        try server.startDispatcher()
        for gateway in [deployment.first, deployment.second] { gateway.always(.answer(422)) }
        let sent = try server.sendVerificationCode(Self.number)
        let reference = try #require(sent.headers["dialtone-reference"])
        #expect(deployment.isShownInOutbox("1 undeliverable"))
        for asked in [Self.number, reference] {
            let page = try visit(
                server,
                Self.signIn() + Self.ask(asked) + [
                    .wait("find('.verdict')"), .evaluate("find('.verdict').innerText"),
                    .evaluate("find('.way').innerText"), .evaluate("document.activeElement.textContent"),
                ]
            )
            #expect(page.words[0].contains("given up"), "\(page.words)")
            #expect(page.words[1].contains("first") && page.words[1].contains("second"), "\(page.words)")
            #expect(page.words[2] == "What happened" && page.faults == [])
            #expect(
                page.requests.allSatisfy { !$0.contains("6505551901") && !$0.contains("owner") },
                "\(page.requests)"
            )
        }
        // A refusal does not hide what happened to the message.
        let session = try #require(sent["sessionInfo"])
        #expect(try server.signIn(session, wrongCode(besides: server.code(of: session))).status == 400)
        let page = try visit(
            server,
            Self.signIn() + Self.ask(Self.number) + [
                .wait("find('.verdict')"),
                .evaluate("[...document.querySelectorAll('.verdict, h2')].map((each) => each.innerText).join('; ')"),
            ]
        )
        let told = page.words[0]
        #expect(
            told.contains("INVALID_CODE") && told.contains("What happened to the last message; given up"),
            "\(told)"
        )
        #expect(server.loggedSecrets(of: ["6505551901"]) == [])
    }

    @Test("all tasks are accessible and fit, on a desk and on a phone, in light and in dark mode")
    func looks() async throws {
        let deployment = try await MessageDeployment.start(
            settings: ["GATEWAY_FIRST_PRICES": "*=0.05", "GATEWAY_SECOND_PRICES": "*=0.05", "SMS_SPEND_CAPS": "*=5"]
        )
        let server = deployment.server
        try server.startDispatcher()
        deployment.first.queue(.answer(422))
        let session = try server.openVerification(Self.number)
        #expect(deployment.isShownInOutbox("1 accepted"))
        #expect(try server.signIn(session, try server.code(of: session)).status == 200)
        for gateway in [deployment.first, deployment.second] { gateway.always(.answer(422)) }
        _ = try server.sendVerificationCode("+16505551902")
        #expect(deployment.isShownInOutbox("1 undeliverable"))
        #expect(try server.dialtone("test-numbers", "set", "+16505550172", "314159").isFine)
        let fits = Visit.Step.evaluate(
            """
            (() => {
              const width = document.documentElement.clientWidth;
              if (/>(false|undefined|null)</.test(find('#task').innerHTML)) return `${location.hash} shows no value`;
              return [...document.body.querySelectorAll('*')].filter((each) => each.checkVisibility()
                && !each.closest('.unseen, thead, nav') && each.getBoundingClientRect().right > width + 1)
                .map((each) => `${location.hash} ${each.outerHTML.slice(0, 90)}`).join();
            })()
            """
        )
        for (width, isDark) in [(1200, false), (390, true), (390, false), (1200, true)] as [(Int64, Bool)] {
            var steps: [Visit.Step] = [Self.hasFocus("#token"), .axe, fits]
            steps += Self.signIn()
            for task in Self.tasks {
                steps += Self.open(task)
                if ["why", "users", "limits"].contains(task) { steps += Self.ask(Self.number) }
                steps += [.wait("find('#task h2')"), Self.isIdle, .axe, fits]
                if task == "outbox" {
                    // The worker makes one report at a time, and the page asks again.
                    let refresh = "[1, 2, 3].forEach(() => find('.actions button').click())"
                    steps += [.evaluate("void \(refresh)"), Self.isIdle, .evaluate("find('.error').textContent")]
                }
                if task == "spend" { steps.append(.evaluate("find('.chart rect') ? '' : 'no chart'")) }
            }
            let page = try visit(server, steps) {
                ($0.width, $0.isDark) = (width, isDark)
                // axe-core needs more than the policy permits.
                $0.ignoresPolicy = true
            }
            #expect(page.words.joined() == "", "\(width): \(page.words)")
        }
    }

    @Test("texts that users or apps choose are shown as texts, wherever they appear")
    func hostileTexts() throws {
        let server = try RunningServer(workers: 1)
        let markup = "<img src=x onerror=alert(1)>"
        let user = JSONWriter.object { json in
            json.member("localId", markup)
            json.member("displayName", markup + "\u{202E}")
            json.member("phoneNumber", Self.number)
        }
        let created = try server.post(
            "/v1/projects/demo-dialtone/accounts",
            String(decoding: user, as: UTF8.self),
            headers: [("Authorization", "Bearer owner")]
        )
        #expect(created.status == 200)
        let page = try visit(
            server,
            Self.signIn() + Self.open("users") + Self.ask(Self.number) + [Self.shows(markup)] + Self.open("audit")
                + [Self.shows(markup)] + Self.press(markup)
                + [.wait("location.hash === '#users'"), Self.shows(markup), .evaluate("find('#task').innerHTML")]
        )
        #expect(page.words.last?.contains("<img") == false && page.faults == [])
        #expect(page.requests.allSatisfy { !$0.hasSuffix("/x") })
    }

    @Test("nothing changes without the switch and a confirmation, and the audit log names the token that permitted it")
    func changes() throws {
        let server = try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"])
        let (reading, writing) = (try server.adminToken(access: "read"), try server.adminToken("ann"))
        let created = try server.post(
            "/v1/projects/demo-dialtone/accounts",
            #"{"localId":"ada","phoneNumber":"\#(Self.number)"}"#,
            headers: [("Authorization", "Bearer \(writing)")]
        )
        #expect(created.status == 200)
        func changes() throws -> String { try server.dialtone("audit", "--kind", "account-disabled").output }
        let find = Self.open("users") + Self.ask("ada") + [Self.shows("enabled")]
        let visible = Visit.Step.evaluate(
            "String([...document.querySelectorAll('.change, .switch')].filter((each) => each.checkVisibility()).length)"
        )
        let reader = try visit(server, Self.signIn(reading) + find + [visible])
        #expect(reader.words == ["0"] && reader.text.contains("read-only"))
        let writer = try visit(
            server,
            Self.signIn(writing) + find + [
                visible, .evaluate("void [...document.querySelectorAll('.change')][0].click()"),
                .evaluate("String(find('dialog').open)"), .evaluate("void find('#changes').focus()"), .press(" "),
            ] + Self.press("Disable") + [Self.hasFocus("dialog button"), .press("Escape"), Self.shows("enabled")]
        )
        #expect(writer.words == ["1", "false"] && writer.faults == [])
        #expect(try changes() == "")
        let confirmed = try visit(
            server,
            Self.signIn(writing) + find + [.evaluate("void find('#changes').focus()"), .press(" ")]
                + Self.press("Disable")
                + [Self.hasFocus("dialog button"), .press("Tab"), .press("Enter"), .wait("find('.badge.bad')")]
        )
        #expect(confirmed.faults == [])
        let list = try server.dialtone("admin-tokens", "list", "--project", "demo-dialtone").output
        let id = try #require(list.split(separator: "\n").first { $0.contains("ann") }?.prefix { $0 != " " })
        #expect(try changes().contains("by administrator \(id)"), "\(list)")
    }

    @Test("the page shows what fails, and forgets everything once its token is no longer valid")
    func failures() throws {
        let server = try RunningServer(.production, workers: 1, settings: ["ADMIN_ROUTES": "enabled"])
        let token = try server.adminToken()
        let error = "find('#task .error:not(:empty)')"
        var steps: [Visit.Step] = [
            Self.hasFocus("#token"), .type("nonsense"), .press("Enter"), .wait("find('#door-error').textContent"),
            .evaluate("find('#door-error').textContent"), .evaluate("void find('#token').select()"),
        ]
        steps += Self.signIn(token)
        steps += Self.ask(Self.number)
        steps += [Self.shows("No request")]
        steps += Self.open("limits")
        steps += Self.ask("12")
        steps += [.wait(error), .evaluate("\(error).textContent"), .evaluate("void find('#ask-text').select()")]
        steps += Self.ask(Self.number)
        steps += [
            Self.shows("wrong codes"), .evaluate("void find('#changes').click()"),
            .evaluate("void ([window.answer, window.failing] = [503, 'limits:reset'])"),
        ]
        // The error of a failed change stays.
        steps += Self.press("Reset") + [Self.hasFocus("dialog button"), .press("Tab"), .press("Enter")]
        steps += [
            .wait(error), Self.isIdle, .evaluate("\(error).textContent"), .evaluate("void (window.failing = '')"),
        ]
        steps += Self.open("why")
        steps += Self.ask(Self.number)
        steps += [.wait(error), .evaluate("\(error).textContent"), .evaluate("void (window.answer = 401)")]
        steps += [
            .evaluate("void (location.hash = 'outbox')"), Self.hasFocus("#token"),
            .evaluate("find('#task').textContent + find('#token').value"),
        ]
        let page = try visit(server, steps) { visit in
            visit.prepare = """
                const call = window.fetch;
                window.fetch = (url, options) => {
                  if (!window.answer || !String(url).includes(window.failing)) return call(url, options);
                  const error = { message: 'X : The credential has expired.' };
                  return Promise.resolve(new Response(JSON.stringify({ error }), { status: window.answer }));
                };
                """
        }
        #expect(
            page.words == [
                "The credential is invalid or has expired.", "Not a phone number in E.164 form, such as +16505550101.",
                "A worker or Redis does not answer. “dialtone doctor” says why.",
                "A worker or Redis does not answer. “dialtone doctor” says why.", "",
            ]
        )
        #expect(page.faults == [] && page.cookies == "")
        #expect(server.loggedSecrets(of: [token, "6505551901"]) == [])
    }

    @Test("the page's files run no code of others and leave nothing in the browser")
    func files() throws {
        let server = try RunningServer(workers: 1)
        var paths = ["/operator"]
        var index = 0
        while index < paths.count {
            let answer = try server.get(paths[index])
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store", "\(paths[index])")
            let policy = try #require(answer.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"))
            for word in [
                "innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Storage", "cookie", "//cdn",
            ] {
                #expect(!answer.text.contains(word), "\(paths[index]): \(word)")
            }
            for match in answer.text.matches(of: /(?:from '\.|"\/operator)(\/[a-z.]+)['"]/) {
                let path = "/operator\(match.1)"
                if !paths.contains(path) { paths.append(path) }
            }
            index += 1
        }
        #expect(paths.count == 13)
    }
}
