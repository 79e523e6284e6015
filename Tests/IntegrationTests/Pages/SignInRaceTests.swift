import Encodings
import TestBrowser
import TestServers
import Testing

/// Races of `<dialtone-sign-in>`: late responses, other tabs, clocks that change, storage that becomes unavailable, and
/// attributes that change.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInRaceTests: SignInVisitor {
    private static let readUser = "localStorage.getItem('\(userKey)')"

    /// Releases the held responses, and waits until the page has read them.
    private static var released: [Visit.Step] { [.evaluate("window.release()"), .wait("window.wasRead")] }

    /// Enters the correct code, and holds the response.
    private static func confirmAndHold(_ number: String) -> [Visit.Step] {
        send(to: number) + [
            .evaluate("window.hold('signInWithPhoneNumber')"), paste(code(to: number), into: "#code"),
            .wait("window.isHeld"),
        ]
    }

    // MARK: Late responses

    @Test("if the user has gone back to the number, a password that is then accepted signs no one in")
    func latePassword() throws {
        let user = try SecondFactorUser(server)
        let page = try visit(
            [Self.shows("number"), .evaluate("window.hold('signInWithPassword')")] + Self.password(user.email) + [
                .wait("window.isHeld"), .click(Self.part(".link:last-of-type")), Self.shows("number"),
            ] + Self.released + [
                .evaluate("find('dialtone-sign-in').dataset.step"), .evaluate("window.heard.length"),
                .evaluate(Self.readUser),
            ]
        ) { $0.prepare = Self.heardEvents + Self.heldResponses }
        #expect(page.values.suffix(3) == [.string("number"), .number("0"), .null])
    }

    @Test("a code that is accepted after the component was removed leaves no tokens behind")
    func removed() throws {
        let page = try visit(
            Self.confirmAndHold("+16505551301") + [.evaluate("find('dialtone-sign-in').remove()")] + Self.released
                + [.evaluate("window.heard.length"), .evaluate(Self.readUser)]
        ) { $0.prepare = Self.heardEvents + Self.heldResponses }
        #expect(page.values.suffix(2) == [.number("0"), .null])
    }

    @Test("a proof of work that is solved after the user has left the step sends no message")
    func leftWork() throws {
        let number = "+16505551302"
        let page = try visit(
            Self.typeNumber(number) + [
                .evaluate("window.hold('/__/auth/verify')"), .press("Enter"), .wait("window.isHeld"),
                .wait("find('\(Self.part("[role=status].unseen"))').textContent.includes('robot')"),
                .click(Self.part(".link")), Self.shows("password"),
                .evaluate("find('\(Self.part("[role=status].unseen"))').textContent"),
            ] + Self.released
        ) { $0.prepare = Self.heldResponses }
        #expect(page.values.contains(.string("")), "nothing is announced that is no longer done")
        #expect(!page.requests.contains { $0.contains("sendVerificationCode") })
        #expect(try server.messages(to: number).isEmpty)
    }

    @Test("on a slow network, typing while a number is sent does not interfere with the request")
    func typedMeanwhile() throws {
        let number = "+16505551303"
        _ = try visit(
            [Self.shows("number"), .evaluate("window.hold('parsePhoneNumber')")] + Self.typeNumber(number) + [
                .press("Enter"), .wait("window.isHeld"), .type("9"),
                // Longer than the component waits for the next digit.
                .evaluate("new Promise((resolve) => setTimeout(resolve, 300))"),
                .evaluate("window.release()"), Self.shows("code"), Self.shows(text: "+1 650-555-1303"),
            ]
        ) { $0.prepare = Self.heldResponses }
    }

    @Test("a code entered while another message is requested is verified afterwards")
    func enteredMeanwhile() throws {
        let server = try RunningServer(workers: 1, settings: ["LOCK_SECONDS": "1"])
        let number = "+16505551304"
        let again = Self.part("[part=resend]")
        _ = try visit(
            Self.send(to: number) + [
                .wait("find('\(again)').textContent === 'Send again'"),
                .evaluate("window.hold('sendVerificationCode')"), .click(again), .wait("window.isHeld"),
                Self.paste(Self.code(to: number), into: "#code"), .evaluate("window.release()"), Self.shows("done"),
            ],
            on: server
        ) { $0.prepare = Self.heldResponses }
        #expect(try server.messages(to: number).count == 2)
    }

    // MARK: Other tabs and pages

    @Test("a user's tokens never replace those of another user who has signed in since")
    func otherUser() throws {
        let other = try server.signInFresh("+16505551306")
        let (idToken, refreshToken) = (try #require(other["idToken"]), try #require(other["refreshToken"]))
        let tokens = #"{"idToken":"\#(idToken)","refreshToken":"\#(refreshToken)"}"#
        let page = try visit(
            Self.signIn(as: "+16505551305") + [
                .evaluate("localStorage.setItem('\(Self.userKey)', '\(tokens)')"),
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)"),
                .evaluate("JSON.parse(\(Self.readUser)).refreshToken"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.suffix(2) == [.bool(true), .string(refreshToken)])
    }

    @Test("the component follows other tabs, and is not redrawn when another tab refreshes the tokens")
    func otherTabs() throws {
        let page = try visit(
            Self.signIn(as: "+16505551307") + [
                .evaluate("void (find('\(Self.part(".step"))').isOld = true)"),
                .evaluate("window.dispatchEvent(new StorageEvent('storage', { key: '\(Self.userKey)' }))"),
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)"),
                .evaluate("find('\(Self.part(".step"))').isOld"),
                .evaluate("localStorage.clear()"),
                .evaluate("window.dispatchEvent(new StorageEvent('storage', { key: null }))"),
                Self.shows("number"), .evaluate("window.heard.join()"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.contains(.bool(true)))
        #expect(page.values.last == .string("dialtone-signed-in,dialtone-signed-out"))
    }

    @Test("a page restored from the back/forward cache does not show a user who has since signed out")
    func keptPage() throws {
        _ = try visit(
            Self.signIn(as: "+16505551308") + [
                .evaluate("localStorage.clear()"),
                .evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"),
                Self.shows("number"), .wait("window.heard.includes('dialtone-signed-out')"),
                .wait("find('dialtone-sign-in').user === null"),
            ]
        ) { $0.prepare = Self.heardEvents }
    }

    @Test("a page in the back/forward cache follows who has signed in or out meanwhile, in both directions")
    func backAndForward() throws {
        let page = "void (location.href = '/__/auth/sign-in?apiKey=\(RunningServer.apiKey)&hl=en')"
        // A page that has received a response with `no-store` is not cached, so the one with the sign-in is not.
        let isKept = { (step: String) in
            Visit.Step.wait("window.isKept && find('dialtone-sign-in')?.dataset.step === '\(step)'")
        }
        let visited = try visit(
            [.evaluate(page)] + Self.signIn(as: "+16505551316") + [
                .evaluate("void (location.href = '/healthz')"), .wait("location.pathname === '/healthz'"),
                .evaluate(page), Self.shows("done"), .evaluate("void (window.isKept = true)"),
                .evaluate("history.back()"), .wait("location.pathname === '/healthz'"),
                .evaluate("sessionStorage.setItem('kept', \(Self.readUser)), localStorage.clear()"),
                .evaluate("history.forward()"), isKept("number"),
                .evaluate("void (location.href = '/readyz')"), .wait("location.pathname === '/readyz'"),
                .evaluate("localStorage.setItem('\(Self.userKey)', sessionStorage.getItem('kept'))"),
                .evaluate("history.back()"), isKept("done"), .evaluate("window.heard.join()"),
            ],
            path: "/healthz",
            in: Browser(.whole)
        ) { $0.prepare = Self.heardEvents }
        let events = "dialtone-signed-in again,dialtone-signed-out,dialtone-signed-in again"
        #expect(visited.values.last == .string(events))
    }

    // MARK: Clocks and storage

    @Test("a clock that is set back does not extend the wait for another message, even after a reload")
    func clockSetBack() throws {
        let isShort = Visit.Step.wait(
            "/in \\u2066(1:00|0:\\d\\d)\\u2069/.test(find('\(Self.part("[part=resend]"))').textContent)"
        )
        _ = try visit(
            Self.send(to: "+16505551309") + [
                isShort, .evaluate("sessionStorage.setItem('shift', -1800000)"),
                .evaluate("find('\(Self.part("[part=resend]"))').textContent = ''"), isShort, .reload,
                Self.shows("code"), isShort,
            ]
        ) { $0.prepare = Self.shiftedClock }
    }

    @Test("a clock wrong by days does not cause a refresh for every token, and correcting the clock causes one")
    func wrongClock() throws {
        let get = Visit.Step.evaluate("window.user.getIdToken().then((token) => token.length > 99)")
        for shift in [172_800_000, -172_800_000] {
            let page = try visit(
                [.evaluate("sessionStorage.setItem('shift', \(shift))")] + Self.signIn(as: "+16505551310") + [
                    get, get, .evaluate("sessionStorage.setItem('shift', 0)"), get, get,
                ]
            ) { $0.prepare = Self.heardEvents + Self.shiftedClock }
            let refreshes = page.requests.count { $0.contains("/v1/token") }
            #expect(refreshes == 1, "only after the clock has changed")
            #expect(page.faults == [])
        }
    }

    @Test("if the storage is full, the page keeps new tokens in memory, and does not read older ones instead")
    func fullStorage() throws {
        // Without a time, it is shorter than what follows.
        let old = "{ ...JSON.parse(\(Self.readUser)), end: undefined }"
        let fill = """
            (() => {
              for (let size = 1 << 20, number = 0; size >= 1; number++) {
                try { localStorage.setItem('fill' + number, 'x'.repeat(size)); } catch (_) { size /= 2; }
              }
              try { localStorage.setItem('more than is left', ''); } catch (_) { return 'full'; }
            })()
            """
        let page = try visit(
            Self.signIn(as: "+16505551315") + [
                .evaluate("void localStorage.setItem('\(Self.userKey)', JSON.stringify(\(old)))"), .evaluate(fill),
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)"), .evaluate(Self.readUser),
                .evaluate("window.user.getIdToken().then((token) => token.length > 99)"),
                .evaluate("void find('dialtone-sign-in').signOut()"), Self.shows("number"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.filter { $0 != .null } == [.string("full"), .bool(true), .bool(true)])
        #expect(page.requests.count { $0.contains("/v1/token") } == 1)
    }

    @Test("malformed stored tokens and drafts are ignored")
    func garbage() throws {
        let users = ["", "x", "5", "[]", "{}", #"{"idToken":5}"#, #"{"idToken":"a.b.c"}"#, #"{"idToken":"e30.e30.x"}"#]
        let drafts = [
            "x", "5", "[]", "{}", #"{"at":NOW,"number":{},"region":5}"#, #"{"at":NOW,"factors":5}"#,
            #"{"at":NOW,"factors":{"list":[null]}}"#,
        ]
        let draftKey = "dialtone-sign-in:\(RunningServer.apiKey)"
        let writes =
            users.map { "localStorage.setItem('\(Self.userKey)', '\($0)')" }
            + drafts.map { "sessionStorage.setItem('\(draftKey)', '\($0)'.replace('NOW', Date.now()))" }
        let page = try visit(
            [Self.shows("number")] + writes.flatMap { [.evaluate($0), .reload, Self.shows("number")] }
        ) { $0.prepare = Self.heardEvents }
        #expect(page.faults == [])
    }

    @Test("tokens are refreshed even if the browser refuses locks, as it does if it blocks storage")
    func refusedLocks() throws {
        let refuses = """
            ;Object.defineProperty(navigator, 'locks', { value: {
              request: () => Promise.reject(new DOMException('denied', 'SecurityError')),
            } });
            """
        let page = try visit(
            Self.signIn(as: "+16505551311") + [
                .evaluate("window.user.getIdToken(true).then((token) => token.length > 99)")
            ]
        ) { $0.prepare = Self.heardEvents + refuses }
        #expect(page.values.last == .bool(true))
    }

    @Test("users stay signed in while the server is unreachable, and can sign out then")
    func offlineStart() throws {
        let page = try visit(
            Self.signIn(as: "+16505551312") + [
                .evaluate("sessionStorage.setItem('down', '/v2/signInConfig')"), .reload, Self.shows("unreachable"),
                .wait("window.heard?.join() === 'dialtone-signed-in again'"),
                .evaluate("window.user.getIdToken().then((token) => token.length > 99)"),
                .evaluate("find('dialtone-sign-in').signOut()"),
                .wait("window.heard.at(-1) === 'dialtone-signed-out'"), .evaluate(Self.readUser),
                .wait("window.failures > 1"), Self.shows("unreachable"),
                .evaluate("sessionStorage.removeItem('down')"),
            ] + Self.pressButton("button") + [Self.shows("number"), Self.hasFocus("#number")]
        ) { $0.prepare = Self.heardEvents + Self.failingNetwork + Self.asInApp }
        #expect(page.values.contains(.bool(true)) && page.values.contains(.null))
    }

    // MARK: Attributes

    @Test("a user stays signed in while attributes change, and no tokens remain in the former storage")
    func attributes() throws {
        let page = try visit(
            Self.signIn(as: "+16505551313") + [
                .evaluate("find('dialtone-sign-in').setAttribute('persistence', 'session')"),
                .wait("sessionStorage.getItem('\(Self.userKey)') && !\(Self.readUser)"),
                .evaluate("find('dialtone-sign-in').setAttribute('persistence', 'none')"),
                .wait("!sessionStorage.getItem('\(Self.userKey)') && !\(Self.readUser)"),
                .evaluate("find('dialtone-sign-in').lang = 'de'"), Self.shows(text: "Abmelden"),
                .evaluate("document.body.append(find('dialtone-sign-in'))"), Self.shows("done"),
                .evaluate("window.heard.join()"), .evaluate("find('dialtone-sign-in').user === window.user"),
            ]
        ) { $0.prepare = Self.heardEvents }
        #expect(page.values.suffix(2) == [.string("dialtone-signed-in"), .bool(true)])
    }

    @Test("the API key of another project ends the current action, whose tokens are not stored")
    func otherProject() throws {
        let page = try visit(
            Self.confirmAndHold("+16505551314") + [
                .evaluate("find('dialtone-sign-in').setAttribute('api-key', 'another')"), Self.shows("number"),
            ] + Self.released + [
                .evaluate("find('dialtone-sign-in').dataset.step"),
                .evaluate("localStorage.length"), .evaluate("window.heard.length"),
            ]
        ) { $0.prepare = Self.heardEvents + Self.heldResponses }
        #expect(page.values.suffix(3) == [.string("number"), .number("0"), .number("0")])
    }
}
