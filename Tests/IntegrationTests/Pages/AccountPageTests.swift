import Encodings
import Processes
import TestBrowser
import TestServers
import Testing

/// `<dialtone-account>` on its hosted page: the user, sessions, signing out, and deleting the account.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct AccountPageTests: AccountVisitor {
    /// Returns the sessions that the server lists for an ID token.
    private func sessions(_ idToken: String, on other: RunningServer? = nil) throws -> [JSONObject] {
        let answer = try (other ?? server).post("/v2/accounts/sessions:list", #"{"idToken":"\#(idToken)"}"#)
        return answer.json.objects("sessions")
    }

    // MARK: The user and the sessions

    @Test("a visitor without a session signs in on the page and sees the account")
    func signsIn() throws {
        let number = "+16505551601"
        let page = try visitAccount(
            of: nil,
            [Self.showsAccount("sign-in"), Self.shows("number"), .axe]
                + Self.signIn(as: number, endingWith: Self.showsAccount()) + [
                    .axe, Self.showsInAccount("+1 650-555-1601"), Self.showsInAccount("This device"),
                    Self.showsInAccount("Chrome · Linux"), Self.accountText,
                ]
        )
        // A phone used for the first factor cannot be the second one.
        #expect(page.words.last?.contains("Second step") == false)
        #expect(page.faults == [])
        #expect(page.requests.count { $0.contains("/__/auth/sign-in-") } == 1, "what is shared is loaded once")
        #expect(!page.requests.contains { $0.contains("page=account") }, "the page has the configuration")
    }

    @Test("names, addresses and user agents stay text (XSS), and a client cannot forge entries of the list")
    func markup() throws {
        var user = try SecondFactorUser(server)
        let image = #"<img src=x onerror=window.isHacked=1>"#
        let changed = try server.post(
            "/v1/accounts:update",
            #"{"idToken":"\#(user.idToken)","displayName":"\#(image)"}"#
        )
        #expect(changed.status == 200)
        for client in [image, "Call +1 650 555 0199 now/Linux", "Firefox/Windows/Dialtone"] {
            let password = SecondFactorUser.password
            let body = #"{"email":"\#(user.email)","password":"\#(password)","returnSecureToken":true}"#
            let answer = try HTTPClient(port: server.port).request(
                "POST",
                "/v1/accounts:signInWithPassword?key=\(RunningServer.apiKey)",
                headers: [("Content-Type", "application/json"), ("X-Client-Version", client)],
                body: Array(body.utf8)
            )
            try user.take(answer)
        }
        let page = try visitAccount(
            of: user,
            [
                Self.showsAccount(), .axe, Self.accountText,
                .evaluate("find('\(Self.inside(".stage"))').querySelectorAll('img').length + document.images.length"),
                .evaluate("typeof window.isHacked"),
            ]
        )
        let text = try #require(page.words.first)
        #expect(text.contains(image) && text.contains(user.email) && text.contains("Firefox · Windows"))
        #expect(text.contains("Unknown device") && !text.contains("0199"))
        #expect(page.values.suffix(2) == [.number("0"), .string("undefined")])
        #expect(page.faults == [])
    }

    @Test("the page uses the user's language, text direction and light or dark mode")
    func languages() throws {
        let user = try SecondFactorUser(server)
        for (language, title, direction) in [("ar", "حسابك", "rtl"), ("de", "Dein Konto", "ltr")] {
            let page = try visitAccount(
                of: user,
                [
                    Self.showsAccount(), Self.showsInAccount(title), .axe,
                    .evaluate("getComputedStyle(find('\(Self.inside(".step"))')).direction"),
                    .evaluate("find('\(Self.inside(".who dd"))').textContent"),
                ],
                language: language
            ) { $0.isDark = true }
            #expect(page.words == [direction, user.email] && page.language == language)
        }
    }

    @Test("with the system's own colors, a notice differs from other text")
    func forcedColors() throws {
        let user = try SecondFactorUser(server)
        _ = try user.signIn()
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("End session") + [
                Self.showsInAccount("The session has ended."), .axe,
                .evaluate("getComputedStyle(find('\(Self.inside(".notice"))')).borderTopWidth"),
            ]
        ) { $0.forcesColors = true }
        #expect(page.words == ["1px"])
    }

    // MARK: Ending sessions

    @Test("a session of another device is ended once, however often the button is pressed")
    func endsSession() throws {
        let user = try SecondFactorUser(server)
        let other = try #require(try user.signIn()["idToken"])
        let end = "find('\(Self.inside(".item .small"))')"
        let page = try visitAccount(
            of: user,
            [
                Self.showsAccount(), Self.showsInAccount("Sign out everywhere"), .latency(300),
                .evaluate("\(end).click(), \(end).click(), \(end).click(), \(end).focus()"), .press("Enter"),
                Self.showsInAccount("The session has ended."), .axe, Self.accountHasFocus(".notice"),
                .wait("!find('\(Self.inside(".stage"))').textContent.includes('Sign out everywhere')"),
            ]
        )
        #expect(page.requests.count { $0.contains("sessions:end") } == 1)
        #expect(try sessions(user.idToken).count == 1)
        #expect(try server.lookUp(other).errorMessage == "TOKEN_EXPIRED")
    }

    @Test("signing out also ends the session on the server, and another user can sign in")
    func signsOut() throws {
        let user = try SecondFactorUser(server)
        let page = try visitAccount(
            of: user,
            [Self.showsAccount(), .evaluate("window.heard = [], 0")] + Self.pressInAccount("Sign out") + [
                Self.showsAccount("sign-in"), .wait("window.heard.length === 1"),
                .evaluate("localStorage.getItem('\(Self.userKey)')"), Self.hasFocus("#number"),
                .evaluate("find('dialtone-account').innerText"),
            ] + Self.signIn(as: "+16505551602", endingWith: Self.showsAccount())
        ) { $0.prepare = "document.addEventListener('dialtone-signed-out', () => window.heard?.push('out'));" }
        #expect(page.values.contains(.null))
        // The page waits for the server only for a limited time.
        #expect(eventually { (try? server.lookUp(user.idToken).errorMessage) == "TOKEN_EXPIRED" })
    }

    @Test("signing out everywhere ends every session, after a confirmation")
    func signsOutEverywhere() throws {
        let user = try SecondFactorUser(server)
        let other = try #require(try user.signIn()["idToken"])
        _ = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Sign out everywhere") + [
                Self.showsAccount("everywhere"), Self.accountHasFocus(".title"), .axe,
            ] + Self.pressInAccount("Cancel") + [Self.showsAccount()] + Self.pressInAccount("Sign out everywhere") + [
                Self.showsAccount("everywhere")
            ] + Self.pressInAccount("Sign out everywhere") + [Self.showsAccount("sign-in"), Self.shows("number")]
        )
        for token in [user.idToken, other] {
            #expect(try server.lookUp(token).errorMessage == "TOKEN_EXPIRED")
        }
        let fresh = try #require(try user.signIn()["idToken"])
        #expect(try sessions(fresh).count == 1)
    }

    @Test("the page notices when its user signs out in another tab, or when the session is ended elsewhere")
    func endedElsewhere() throws {
        let user = try SecondFactorUser(server)
        let other = try #require(try user.signIn()["idToken"])
        _ = try visitAccount(
            of: user,
            [
                Self.showsAccount(),
                .evaluate(
                    """
                    localStorage.removeItem('\(Self.userKey)');
                    window.dispatchEvent(new StorageEvent('storage', { key: '\(Self.userKey)' }))
                    """
                ),
                Self.showsAccount("sign-in"), Self.shows("number"),
            ]
        )
        let own = try #require(try sessions(user.idToken).first { $0["isCurrent"] == .bool(true) }).text("sessionId")
        let ends = """
            fetch('/v2/accounts/sessions:end?key=\(RunningServer.apiKey)', { method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ idToken: '\(other)', sessionId: '\(own)' }) }).then(({ status }) => status)
            """
        let page = try visitAccount(
            of: user,
            [Self.showsAccount(), .evaluate(ends)] + Self.pressInAccount("End session") + [
                Self.showsAccount("sign-in"), Self.showsInAccount("Your session has ended"), Self.shows("number"), .axe,
                .evaluate("localStorage.getItem('\(Self.userKey)')"),
            ]
        )
        #expect(page.values.contains(.number("200")) && page.values.last == .null)
    }

    @Test("an expired session leads to the sign-in, which shows the reason")
    func expired() throws {
        let user = try SecondFactorUser(server)
        let session = try sessions(user.idToken)[0].text("sessionId")
        let ended = try server.post(
            "/v2/accounts/sessions:end",
            #"{"idToken":"\#(user.idToken)","sessionId":"\#(session)"}"#
        )
        #expect(ended.status == 200)
        _ = try visitAccount(
            of: user,
            [Self.showsAccount("sign-in"), Self.showsInAccount("Your session has ended"), Self.shows("number"), .axe]
        )
    }

    // MARK: Unreachable server

    @Test("an unreachable server is reported in each step, which can be retried")
    func unreachable() throws {
        let user = try SecondFactorUser(server)
        _ = try user.signIn()
        let down = { (part: String) in Visit.Step.evaluate("sessionStorage.setItem('down', '\(part)')") }
        let up = Visit.Step.evaluate("sessionStorage.removeItem('down')")
        let page = try visitAccount(
            of: user,
            [
                Self.showsAccount(), down("sessions:list"), .reload, Self.showsAccount("loading"),
                Self.showsInAccount("cannot be reached"), .axe, up,
            ] + Self.pressInAccount("Try again") + [Self.showsAccount(), down("sessions:end")]
                + Self.pressInAccount("End session") + [Self.showsInAccount("cannot be reached"), .axe, up]
                + Self.pressInAccount("End session") + [
                    Self.showsInAccount("The session has ended."), down("/v2/signInConfig"), .reload,
                    Self.showsAccount("unreachable"), Self.showsInAccount("Your account"), .axe, up,
                ] + Self.pressInAccount("Try again") + [Self.showsAccount()]
        ) { $0.prepare = Self.failingNetwork + Self.asInApp }
        #expect(page.faults == [])
    }

    // MARK: Deleting the account

    @Test("the account is deleted once, after a confirmation, by keyboard alone")
    func deletes() throws {
        let user = try SecondFactorUser(server)
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Delete account") + [
                Self.showsAccount("delete"), .axe, Self.accountHasFocus(".title"), .latency(300), .press("Tab"),
                Self.accountHasFocus(".danger"), .press("Enter"), .press("Enter"),
                .click(Self.inside(".danger")), Self.showsAccount("sign-in"),
                Self.showsInAccount("Your account has been deleted"), Self.shows("number"), .axe,
                .evaluate("window.heard.join()"),
            ]
        ) {
            $0.prepare = """
                window.heard = [];
                for (const name of ['dialtone-account-deleted', 'dialtone-signed-out']) {
                  document.addEventListener(name, () => window.heard.push(name));
                }
                """
        }
        #expect(page.words == ["dialtone-account-deleted,dialtone-signed-out"])
        #expect(page.requests.count { $0.contains("accounts:delete") } == 1)
        #expect(try server.lookUp(user.idToken).errorMessage == "USER_NOT_FOUND")
    }

    @Test("after an old sign-in, users confirm their identity first and can still cancel")
    func confirmsBeforeDeletion() throws {
        let server = try RunningServer(workers: 1)
        let user = try SecondFactorUser(server)
        let stale = (idToken: try server.staleIDToken(user.refreshToken), refreshToken: user.refreshToken)
        let asksToDelete =
            [Self.showsAccount()] + Self.pressInAccount("Delete account") + [Self.showsAccount("delete")]
            + Self.pressInAccount("Delete account")
            + [Self.showsAccount("confirm"), Self.shows(text: "Confirm that it is you"), Self.hasFocus("#email")]
        let page = try visitAccount(
            with: stale,
            asksToDelete + [.axe] + Self.pressInAccount("Cancel") + asksToDelete + [
                .evaluate("find('\(Self.part("#password"))').focus()"), .type("wrong"), .press("Enter"),
                Self.shows(text: "is incorrect"), .evaluate("void (find('\(Self.part("#password"))').value = '')"),
                .type(SecondFactorUser.password), .press("Enter"),
                Self.showsAccount("sign-in"), Self.showsInAccount("Your account has been deleted"),
            ],
            on: server
        )
        #expect(page.faults == [])
        #expect(try user.signIn().status == 400, "the account is gone")
    }

    @Test("confirming the identity replaces the earlier session")
    func oneSession() throws {
        let server = try RunningServer(workers: 1)
        let user = try SecondFactorUser(server)
        let other = try #require(try user.signIn()["idToken"])
        let stale = (idToken: try server.staleIDToken(user.refreshToken), refreshToken: user.refreshToken)
        _ = try visitAccount(
            with: stale,
            [Self.showsAccount()] + Self.pressInAccount("End session") + [
                Self.showsAccount("confirm"), Self.hasFocus("#email"), .press("Tab"), Self.hasFocus("#password"),
                .type(SecondFactorUser.password), .press("Enter"), Self.showsInAccount("The session has ended."),
            ],
            on: server
        )
        #expect(try server.lookUp(other).errorMessage == "TOKEN_EXPIRED")
        let fresh = try #require(try user.signIn()["idToken"])
        #expect(eventually { (try? sessions(fresh, on: server).count) == 2 }, "the new one and this test's")
    }

    // MARK: The page

    @Test("the page links back to the app only at authorized domains, and keeps no tokens for an app of another origin")
    func back() throws {
        let user = try SecondFactorUser(server)
        let href = Visit.Step.evaluate("find('#back')?.href ?? ''")
        let own = "http://127.0.0.1:\(server.port)/healthz", other = "http://127.0.0.1:\(FreePort.next())/app"
        let page = try visitAccount(of: user, [Self.showsAccount(), href], query: "&continueUrl=\(own)")
        #expect(page.words == [own])
        let elsewhere = try visitAccount(
            of: nil,
            [href] + Self.signIn(as: "+16505551603", endingWith: Self.showsAccount()) + [
                .evaluate("localStorage.length + ',' + Object.keys(sessionStorage).includes('\(Self.userKey)')")
            ],
            query: "&continueUrl=\(other)"
        )
        #expect(elsewhere.words == [other, "0,true"])
        let none = try visitAccount(of: user, [Self.showsAccount(), href])
        #expect(none.words == [""])
        for target in ["https://evil.example/", "javascript:alert(1)"] {
            let query = "apiKey=\(RunningServer.apiKey)&continueUrl=\(target)"
            #expect(try server.get("/__/auth/account?\(query)").status == 400)
        }
    }

    @Test("the page cannot be framed (clickjacking), and loads nothing from another origin")
    func framing() throws {
        let answer = try server.get("/__/auth/account?apiKey=\(RunningServer.apiKey)")
        let policy = try #require(answer.headers["content-security-policy"])
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"))
        let page = try visitAccount(of: try SecondFactorUser(server), [Self.showsAccount()])
        #expect(page.requests.allSatisfy { $0.hasPrefix("http://127.0.0.1:\(server.port)/") })
        #expect(page.faults == [])
    }

    @Test("no URL contains a token, and an app of another origin does not get this origin's user")
    func tokensStay() throws {
        let user = try SecondFactorUser(server)
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Sign out") + [Self.shows("number")]
        )
        #expect(!page.requests.contains { $0.contains(user.refreshToken) || $0.contains("eyJ") })
        // Any site can load the module, but then the module uses that site's storage.
        let elsewhere = try visit(
            [
                .evaluate(
                    """
                    import('http://127.0.0.1:\(server.port)/__/auth/account.js').then(() => {
                      const element = document.createElement('dialtone-account');
                      element.setAttribute('api-key', '\(RunningServer.apiKey)');
                      document.body.append(element);
                    })
                    """
                ),
                Self.showsAccount("sign-in"), .evaluate("String(find('dialtone-account').user)"),
            ],
            path: "/healthz",
            on: try RunningServer(workers: 1)
        ) { $0.ignoresPolicy = true }
        #expect(elsewhere.words == ["null"])
    }
}
