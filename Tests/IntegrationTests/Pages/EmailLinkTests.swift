import DialtoneTexts
import Encodings
import TestBrowser
import TestServers
import Testing

/// Links in e-mails, from the components through the action page to their result, in a real Chromium.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct EmailLinkTests: AccountVisitor {
    private static let newPassword = "battery staple"

    /// Asks for a link to choose a new password.
    private static func asksForReset(_ email: String) -> [Visit.Step] {
        [shows("number"), .click(part(".link")), shows("password"), hasFocus("#email"), .type(email)]
            + pressInSignIn("Forgot your password?") + [
                shows("link"), hasFocus("#email"), .axe, .press("Enter"), shows("link-sent"), hasFocus(".title"), .axe,
            ]
    }

    // MARK: A new password

    @Test("who forgot the password chooses a new one by a link, with the keyboard alone", arguments: [false, true])
    func reset(isDark: Bool) throws {
        let user = try SecondFactorUser(server)
        let page = try visit(
            Self.asksForReset(user.email) + [
                Self.openLink(to: user.email, "PASSWORD_RESET"), .state("ask"), .axe,
                .evaluate("document.body.innerText"), .type("short"), .press("Enter"),
                .wait("document.querySelector('#error').textContent.includes('at least 6')"), .axe,
                .evaluate("document.querySelector('#password').value = ''"), .type(Self.newPassword), .press("Tab"),
                .press(" "), .evaluate("document.querySelector('#password').type"), .axe, .press("Tab"),
                .press("Enter"), .state("done"), .axe,
            ]
        ) {
            $0.isDark = isDark
            $0.width = isDark ? 1200 : 390
        }
        #expect(page.words.first?.contains(user.email) == true && page.words.last == "text")
        #expect(page.text.contains("Your password has been changed.") && page.faults == [])
        #expect(try user.signIn().status == 400)
        #expect(try user.signIn(Self.newPassword)["idToken"] != nil)
        #expect(try server.lookUp(user.idToken).errorMessage == "TOKEN_EXPIRED", "other sessions end")
    }

    @Test("the component does not tell whether an address has an account")
    func unknownAddress() throws {
        let email = SecondFactorUser.freshEmail()
        let unknown = try visit(Self.asksForReset(email) + [.evaluate("find('\(Self.part(".stage"))').innerText")])
        let user = try SecondFactorUser(server)
        let known = try visit(Self.asksForReset(user.email) + [.evaluate("find('\(Self.part(".stage"))').innerText")])
        #expect(known.words.last == unknown.words.last?.replacing(email, with: user.email))
    }

    @Test("opening the page uses nothing up, however often; the button does, once")
    func unused() throws {
        let user = try SecondFactorUser(server, isEmailVerified: false)
        let sent = try server.post(
            "/v1/accounts:sendOobCode",
            #"{"requestType":"VERIFY_EMAIL","idToken":"\#(user.idToken)"}"#
        )
        try #require(sent.status == 200, "\(sent.text)")
        let page = try visit(
            [
                Self.shows("number"), Self.openLink(to: user.email, "VERIFY_EMAIL"), .state("ask"), .reload,
                .state("ask"), .axe, .click("form button"), .click("form button"), .state("done"), .axe, .reload,
                .state("failed"), .axe,
            ]
        )
        #expect(page.text.contains("no longer valid") && page.faults == [])
        #expect(page.requests.count { $0.contains("accounts:update") } == 1)
        #expect(try user.lookUp()["emailVerified"] == .bool(true))
    }

    @Test("the page leads back to the app, which does not learn the link (Referer)")
    func continues() throws {
        let user = try SecondFactorUser(server, isEmailVerified: false)
        let app = "http://127.0.0.1:\(server.port)/healthz?a=b"
        let sent = try server.post(
            "/v1/accounts:sendOobCode",
            #"{"requestType":"VERIFY_EMAIL","idToken":"\#(user.idToken)","continueUrl":"\#(app)"}"#
        )
        try #require(sent.status == 200, "\(sent.text)")
        let page = try visit(
            [
                Self.shows("number"), Self.openLink(to: user.email, "VERIFY_EMAIL"), .state("ask"), .press("Tab"),
                .press("Enter"), .state("done"), .axe, .press("Tab"), .press("Enter"),
                .wait("location.search === '?a=b'"), .evaluate("document.referrer"),
            ]
        )
        #expect(page.words == [""] && page.faults == [])
    }

    @Test("the page fits a small window in every language, direction and with large text")
    func languages() throws {
        let user = try SecondFactorUser(server)
        let sent = try server.post(
            "/v1/accounts:sendOobCode",
            #"{"requestType":"PASSWORD_RESET","email":"\#(user.email)"}"#
        )
        try #require(sent.status == 200, "\(sent.text)")
        let codes = try server.get("/emulator/v1/projects/demo-dialtone/oobCodes").json.objects("oobCodes")
        let code = try #require(codes.last { $0.text("email") == user.email }).text("oobCode")
        let query = "mode=resetPassword&oobCode=\(code)&apiKey=\(RunningServer.apiKey)"
        for language in Language.allCases {
            let page = try visit(
                [.state("ask"), .evaluate("void (document.body.style.fontSize = '30px')"), .axe],
                path: "/__/auth/action?\(query)&lang=\(language.tag)"
            ) { $0.width = 320 }
            #expect(page.language == language.tag && page.direction == language.direction)
            #expect(page.width == 320 && page.text.contains(language.text(.newPassword)), "\(language)")
        }
    }

    // MARK: Sign-in by a link

    private static func opensLink(to email: String) -> [Visit.Step] {
        [shows("number"), .click(part(".link")), shows("password")] + pressInSignIn("Sign in with a link by e-mail") + [
            shows("link"), hasFocus("#email"), .type(email), .press("Enter"), shows("link-sent"), shows(text: email),
            .axe, openLink(to: email, "EMAIL_SIGNIN"), shows("opened-link"), shows(text: email),
        ]
    }

    @Test("a link does not replace the second step, which a reload keeps")
    func secondFactor() throws {
        var user = try SecondFactorUser(server)
        let app = try user.enrollApp(stepsAgo: 1).app
        _ = try visit(
            Self.opensLink(to: user.email) + Self.pressInSignIn("Sign in") + [
                Self.shows("app"), .axe, .reload, Self.shows("app"),
                .evaluate("find('\(Self.part("#code"))').focus()"), .type(app.code()), Self.shows("done"),
            ]
        ) { $0.prepare = Self.offersLinks }
    }

    @Test("a user signs in by a link on the device that requested it")
    func sameDevice() throws {
        let email = SecondFactorUser.freshEmail()
        let page = try visit(
            Self.opensLink(to: email) + [.axe, .evaluate("location.search")] + Self.pressInSignIn("Sign in") + [
                Self.shows("done"), .axe, .evaluate("location.search"), .evaluate("window.user.email"),
                .evaluate("Object.keys(localStorage).filter((key) => key.includes('link')).length"),
            ]
        ) { $0.prepare = Self.heardEvents + Self.offersLinks }
        #expect(page.words.first?.contains("oobCode=") == true)
        #expect(page.words.dropFirst().first?.contains("oobCode") == false && page.words.last == email)
        #expect(page.values.last == .number("0") && page.faults == [])
    }

    @Test("on another device, the page asks for the address, and only the right one signs in")
    func otherDevice() throws {
        let email = SecondFactorUser.freshEmail()
        let own = "http://127.0.0.1:\(server.port)/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=en"
        let sent = try server.post(
            "/v1/accounts:sendOobCode",
            #"{"requestType":"EMAIL_SIGNIN","email":"\#(email)","continueUrl":"\#(own)","canHandleCodeInApp":true}"#
        )
        try #require(sent.status == 200, "\(sent.text)")
        let page = try visit(
            [Self.shows("number"), Self.openLink(to: email, "EMAIL_SIGNIN"), Self.shows("opened-link")]
                + Self.pressInSignIn("Sign in") + [
                    Self.shows(text: "Please fill in"), .axe, .type("other@example.com"), .press("Enter"),
                    Self.shows(text: "not a valid e-mail address"), .axe,
                    .evaluate("void (find('\(Self.part("#email"))').value = '')"), .type(email), .press("Enter"),
                    Self.shows("done"), .evaluate("window.user.email"),
                ]
        ) { $0.prepare = Self.heardEvents + Self.offersLinks }
        #expect(page.words.last == email && page.faults == [])
    }

    @Test("a link that was used is reported, and the user requests another one")
    func usedLink() throws {
        let path = "/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=en&mode=signIn&oobCode=x"
        _ = try visit(
            [Self.shows("opened-link"), .evaluate("find('\(Self.part("#email"))').focus()"), .type("ann@example.com")]
                + [.press("Enter"), Self.shows(text: "no longer valid"), .axe] + Self.pressInSignIn("Start over")
                + [Self.shows("link"), Self.hasFocus("#email"), .reload, Self.shows("number")],
            path: path
        ) { $0.prepare = Self.offersLinks }
    }

    // MARK: The account's address

    @Test("a user confirms the address and adds a second step, without an administrator")
    func verifies() throws {
        let user = try SecondFactorUser(server, isEmailVerified: false)
        let applies = """
            (async () => {
              const oobCode = new URLSearchParams(\(Self.link(to: user.email, "VERIFY_EMAIL"))).get('oobCode');
              const url = '/v1/accounts:update?key=\(RunningServer.apiKey)';
              return (await fetch(url, { method: 'POST', body: JSON.stringify({ oobCode }),
                headers: { 'Content-Type': 'application/json' } })).status;
            })()
            """
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Send link") + [
                Self.showsAccount("link-sent"), Self.showsInAccount(user.email), Self.accountHasFocus(".title"), .axe,
            ] + Self.pressInAccount("I have opened the link") + [
                Self.showsInAccount("must be confirmed"), .axe, .evaluate(applies),
            ] + Self.pressInAccount("I have opened the link") + [
                Self.showsAccount(), Self.showsInAccount("Your e-mail address is confirmed."),
                Self.accountHasFocus(".notice"), .axe,
            ] + Self.pressInAccount("Add an authenticator app") + [Self.showsAccount("app")]
        )
        #expect(page.values.contains(.number("200")) && page.faults == [])
    }

    @Test("a phone user adds an address and a password, and then a second step")
    func phoneUser() throws {
        let email = SecondFactorUser.freshEmail()
        _ = try visitAccount(
            of: nil,
            [Self.showsAccount("sign-in")] + Self.signIn(as: "+16505551701", endingWith: Self.showsAccount())
                + Self.pressInAccount("Add an e-mail address") + [
                    Self.showsAccount("email"), Self.accountHasFocus("#email"), .axe, .press("Enter"),
                    Self.showsInAccount("Please fill in"), .axe, .type(email), .press("Enter"),
                    Self.showsAccount("link-sent"), .axe, Self.openLink(to: email, "VERIFY_EMAIL"), .state("ask"),
                    .click("form button"), .state("done"), .back, Self.showsAccount(),
                ] + Self.pressInAccount("Sign out") + Self.asksForReset(email) + [
                    Self.openLink(to: email, "PASSWORD_RESET"), .state("ask"), .type(Self.newPassword),
                    .press("Enter"), .state("done"), .back, Self.shows("number"), .click(Self.part(".link")),
                    Self.shows("password"), Self.hasFocus("#email"), .type(email), .press("Tab"),
                    .type(Self.newPassword), .press("Enter"), Self.showsAccount(),
                ] + Self.pressInAccount("Add an authenticator app") + [Self.showsAccount("app")]
        )
    }

    @Test("a user changes the address, and the owner of the former one takes it back and chooses a new password")
    func changesAndRecovers() throws {
        let user = try SecondFactorUser(server)
        let email = SecondFactorUser.freshEmail()
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Change e-mail address") + [
                Self.showsAccount("email"), .type(email), .press("Enter"), Self.showsAccount("link-sent"), .axe,
                Self.openLink(to: email, "VERIFY_AND_CHANGE_EMAIL"), .state("ask"), .axe,
                .evaluate("document.querySelector('#address').textContent"), .click("form button"), .state("done"),
                Self.openLink(to: user.email, "RECOVER_EMAIL"), .state("ask"), .axe,
                .evaluate("document.querySelector('#address').textContent"), .click("form button"), .state("done"),
                .axe, .press("Tab"), .press("Enter"), .wait("document.querySelector('#reset').hidden"), .axe,
                Self.openLink(to: user.email, "PASSWORD_RESET"), .state("ask"), .type(Self.newPassword),
                .press("Enter"), .state("done"),
            ]
        )
        #expect(page.words == [email, user.email] && page.faults == [])
        #expect(try user.signIn(Self.newPassword)["idToken"] != nil)
    }

    @Test("an address of another account is refused")
    func taken() throws {
        let other = try SecondFactorUser(server)
        let page = try visitAccount(
            of: try SecondFactorUser(server),
            [Self.showsAccount()] + Self.pressInAccount("Change e-mail address") + [
                Self.showsAccount("email"), .type(other.email), .press("Enter"),
                Self.showsInAccount("belongs to another account"), .axe,
            ]
        )
        #expect(page.faults == [])
    }

    @Test("after an old sign-in, users confirm their identity before the address is changed")
    func confirmsFirst() throws {
        let server = try RunningServer(workers: 1)
        let user = try SecondFactorUser(server)
        let email = SecondFactorUser.freshEmail()
        let stale = (idToken: try server.staleIDToken(user.refreshToken), refreshToken: user.refreshToken)
        let page = try visitAccount(
            with: stale,
            [Self.showsAccount()] + Self.pressInAccount("Change e-mail address") + [
                Self.showsAccount("email"), .type(email), .press("Enter"), Self.showsAccount("confirm"),
                Self.hasFocus("#email"), .press("Tab"), .type(SecondFactorUser.password), .press("Enter"),
                Self.showsAccount("link-sent"), Self.showsInAccount(email),
            ],
            on: server
        )
        #expect(page.faults == [])
    }

    // MARK: The SDK

    @Test("with the SDK's Auth, its functions send the links and sign in")
    func sdk() throws {
        let stub = """
            window.calls = [];
            window.makeAuth = () => {
              const auth = { currentUser: null,
                onAuthStateChanged(listener) {
                  auth.tell = () => listener(auth.currentUser);
                  Promise.resolve().then(() => {
                    auth.tell();
                    window.calls.push('started');
                  });
                  return () => {};
                },
                async signOut() { auth.currentUser = null; auth.tell(); } };
              const sdk = {
                PhoneAuthProvider: class {},
                async signInWithEmailAndPassword() {},
                async sendPasswordResetEmail(_, email) {
                  window.calls.push('reset ' + email);
                  throw Object.assign(new Error(), { code: 'auth/user-not-found' });
                },
                async sendSignInLinkToEmail(_, email, { url, handleCodeInApp }) {
                  window.calls.push(['link', email, new URL(url).pathname, handleCodeInApp].join(' '));
                },
                async signInWithEmailLink(_, email, link) {
                  window.calls.push('sign in ' + email + ' ' + new URL(link).searchParams.get('oobCode'));
                  if (!link.includes('c0de')) throw Object.assign(new Error(), { code: 'auth/invalid-action-code' });
                  auth.currentUser = { uid: 'ann', email, metadata: {} };
                  auth.tell();
                  return { user: auth.currentUser };
                } };
              return { auth, sdk };
            };
            """
        func use(times count: Int) -> [Visit.Step] {
            [
                .evaluate("void Object.assign(find('dialtone-sign-in'), window.makeAuth())"),
                .wait("window.calls.filter((call) => call === 'started').length === \(count)"),
            ]
        }
        let page = try visit(
            [Self.shows("number")] + use(times: 1) + Self.asksForReset("ann@example.com")
                + Self.pressInSignIn("Use e-mail and password") + [Self.shows("password")]
                + Self.pressInSignIn("Sign in with a link by e-mail") + [
                    Self.shows("link"), .press("Enter"), Self.shows("link-sent"),
                    .evaluate("history.replaceState(null, '', location.href + '&mode=signIn&oobCode=x')"),
                ] + use(times: 2) + [Self.shows("opened-link")] + Self.pressInSignIn("Sign in") + [
                    Self.shows(text: "no longer valid"),
                    .evaluate("history.replaceState(null, '', location.href.replace('=x', '=c0de'))"),
                ] + Self.pressInSignIn("Sign in") + [
                    Self.shows("done"), Self.shows(text: "ann@example.com"), .evaluate("window.calls.join()"),
                ]
        ) { $0.prepare = stub + Self.offersLinks }
        #expect(
            page.words.last
                == "started,reset ann@example.com,link ann@example.com /__/auth/sign-in true,"
                + "started,sign in ann@example.com x,sign in ann@example.com c0de"
        )
        #expect(page.faults == [])
    }
}
