import Encodings
import TestBrowser
import TestServers
import Testing

/// The page that the links of e-mails open.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct ActionPageTests: SignInVisitor {
    private static let modes = [
        "resetPassword", "verifyEmail", "verifyAndChangeEmail", "recoverEmail", "revertSecondFactorAddition",
    ]

    private static func path(_ mode: String, _ query: String = "") -> String {
        "/__/auth/action?mode=\(mode)&oobCode=c0de&apiKey=\(RunningServer.apiKey)\(query)"
    }

    // MARK: Requests

    @Test("the page has a strict policy, no referrer and no part of the code, and is never cached", arguments: modes)
    func headers(mode: String) throws {
        let answer = try server.get(Self.path(mode, "&lang=de"))
        #expect(answer.status == 200 && answer.headers["content-language"] == "de")
        #expect(answer.headers["cache-control"] == "no-store" && answer.headers["referrer-policy"] == "no-referrer")
        let policy = try #require(answer.headers["content-security-policy"])
        for directive in ["default-src 'none'", "connect-src 'self'", "form-action 'none'", "frame-ancestors 'none'"] {
            #expect(policy.contains(directive))
        }
        #expect(!answer.text.contains("c0de") && !answer.text.contains(RunningServer.apiKey))
    }

    @Test("the page links only to authorized domains, whatever the Host header is (open redirect)")
    func continueURL() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["PROJECT_DEMO_DIALTONE_AUTHORIZED_DOMAINS": "app.example.com"]
        )
        let client = HTTPClient(port: server.port, host: "evil.example")
        let own = try client.request("GET", Self.path("verifyEmail", "&continueUrl=https://app.example.com/a%3Fb"))
        #expect(own.text.contains(#"id="back" href="https://app.example.com/a?b""#))
        let path = Self.path("signIn", "&continueUrl=https://app.example.com:8443/%23/in")
        #expect(
            try client.request("GET", path).headers["location"]
                == "https://app.example.com:8443/?mode=signIn&oobCode=c0de&apiKey=\(RunningServer.apiKey)#/in"
        )
        for target in Self.foreign {
            for mode in Self.modes {
                let path = Self.path(mode, "&continueUrl=\(PercentEncoding.encode(target))")
                let answer = try client.request("GET", path)
                #expect(answer.status == 200 && !answer.text.contains(#"id="back""#), "\(target)")
            }
            let path = Self.path("signIn", "&continueUrl=\(PercentEncoding.encode(target))")
            let answer = try client.request("GET", path)
            #expect(answer.status == 400 && answer.headers["location"] == nil, "\(target)")
        }
    }

    private static let foreign = [
        "https://evil.example/", "//evil.example", "javascript:alert(1)", "http://app.example.com/",
        "https://app.example.com@evil.example/", "https://app.example.com.evil.example/", "http://127.0.0.1/", "",
    ]

    @Test("a link to sign in leads to the app with the parameters that SDKs read, in place of the app's own")
    func signIn() throws {
        let target = "http://127.0.0.1:4000/in?a=1&mode=x&oobCode=y#/b"
        let answer = try server.get(
            Self.path("signIn", "&lang=de&evil=1&continueUrl=\(PercentEncoding.encode(target))")
        )
        #expect(answer.status == 303 && answer.headers["cache-control"] == "no-store")
        #expect(
            answer.headers["location"]
                == "http://127.0.0.1:4000/in?mode=signIn&oobCode=c0de&apiKey=\(RunningServer.apiKey)&lang=de&a=1#/b"
        )
    }

    @Test("an incomplete link is refused with a page", arguments: ["", "&oobCode=", "&oobCode=x&mode=x", "&oobCode=x"])
    func incomplete(query: String) throws {
        let answer = try server.get("/__/auth/action?apiKey=\(RunningServer.apiKey)\(query)&hl=de")
        #expect(answer.status == 400 && answer.text.contains("Der Link ist unvollständig"))
    }

    // MARK: States

    @Test("a link that is no longer valid is reported, without anything to press", arguments: [false, true])
    func expired(isDark: Bool) throws {
        for mode in Self.modes {
            let page = try visit(
                [.state("failed"), .axe, .press("Tab"), .evaluate("document.activeElement.localName")],
                path: Self.path(mode)
            ) {
                $0.isDark = isDark
                $0.width = isDark ? 1200 : 390
            }
            #expect(page.text.contains("This link is no longer valid."), "\(mode)")
            #expect(page.words == ["body"] && page.faults == [])
            #expect(page.requests.allSatisfy { $0.hasPrefix("http://127.0.0.1:\(server.port)/") })
        }
    }

    @Test("if the server cannot be reached, the user tries again")
    func unreachable() throws {
        let page = try visit(
            [
                .evaluate("sessionStorage.setItem('down', 'accounts')"), .reload, .state("failed"), .axe,
                .wait("document.body.innerText.includes('cannot be reached')"),
                .evaluate("sessionStorage.removeItem('down')"), .press("Tab"), .press("Enter"),
                .wait("document.body.innerText.includes('no longer valid')"),
            ],
            path: Self.path("verifyEmail")
        ) { $0.prepare = Self.failingNetwork }
        #expect(page.faults == [])
    }

    @Test("without JavaScript, the page says that it needs it")
    func withoutJavaScript() throws {
        let page = try visit([], path: Self.path("verifyEmail")) { $0.hasJavaScript = false }
        #expect(page.text.contains("This page needs JavaScript") && !page.text.contains("One moment"))
    }
}
