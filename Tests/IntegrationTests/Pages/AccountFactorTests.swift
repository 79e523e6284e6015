import Encodings
import Processes
import TestBrowser
import TestServers
import Testing

/// Second factors in `<dialtone-account>`: authenticator apps, phones and recovery codes.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct AccountFactorTests: AccountVisitor {
    private static let key = "find('\(inside(".key"))').textContent.replace(/ /g, '')"
    private static let codes =
        "[...find('\(inside(".codes"))').querySelectorAll('code')].map((each) => each.textContent)"

    /// An authenticator app as a function of the page: returns the current code of a Base32 secret.
    private static let authenticator = """
        ;window.codeOf = async (secret) => {
          const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
          const bits = [...secret].map((each) => letters.indexOf(each).toString(2).padStart(5, '0')).join('');
          const bytes = Uint8Array.from(bits.match(/.{8}/g), (each) => parseInt(each, 2));
          const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
          const step = new DataView(new ArrayBuffer(8));
          step.setUint32(4, Math.floor(Date.now() / 30000));
          const mac = new DataView(await crypto.subtle.sign('HMAC', key, step));
          const code = (mac.getUint32(mac.getUint8(19) & 15) & 0x7fffffff) % 1000000;
          return String(code).padStart(6, '0');
        };
        """

    private static let typesCode = Visit.Step.evaluate(
        """
        (async () => {
          const input = find('\(inside("#code"))');
          input.value = await window.codeOf(\(key));
          input.dispatchEvent(new InputEvent('input'));
        })()
        """
    )

    /// Records the responses to requests whose URL contains a text.
    private static let remembersAnswers = """
        ;window.answers = {};
        const call = window.fetch;
        window.fetch = async (url, options) => {
          const response = await call(url, options);
          const copy = response.clone();
          window.answers[new URL(url, location.href).pathname] = await copy.json().catch(() => null);
          return response;
        };
        """

    // MARK: Authenticator apps

    @Test("an independent decoder reads the QR code, and an app with its secret is enrolled", arguments: ["en", "ar"])
    func code(language: String) throws {
        let user = try SecondFactorUser(server)
        let folder = try TemporaryFolder(prefix: "dialtone-qr")
        let button = language == "ar" ? "إضافة تطبيق مصادقة" : "Add an authenticator app"
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount(button) + [
                Self.showsAccount("app"), Self.accountHasFocus(".title"), .axe,
                .evaluate("void find('\(Self.inside(".qr"))').scrollIntoView()"),
                .screenshot(folder.path(of: "page.png")), .evaluate(Self.key),
                .evaluate("window.answers['/v2/accounts/mfaEnrollment:start'].totpSessionInfo.sessionInfo"),
            ],
            language: language
        ) {
            $0.width = 320
            $0.isDark = true
            $0.prepare = Self.remembersAnswers
        }
        let (key, session) = (page.words[0], page.words[1])
        let decoder = try FinishedProcess.run("zbarimg", ["--quiet", "--raw", folder.path(of: "page.png")])
        let uri = decoder.output.trimmedLine
        let account = user.email.replacing("@", with: "%40")
        #expect(
            uri == "otpauth://totp/127.0.0.1:\(account)?secret=\(key)&issuer=127.0.0.1"
                + "&algorithm=SHA1&digits=6&period=30"
        )
        let app = try #require(AuthenticatorApp(key))
        let info = #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(app.code())"}"#
        #expect(try user.finishEnrollment(info).status == 200)
        #expect(!page.requests.contains { $0.contains(key) }, "no URL has the secret")
        #expect(!server.log.contains(key))
    }

    @Test("an authenticator app is added, recovery codes are shown once, and the next sign-in asks for the app")
    func addsApp() throws {
        let user = try SecondFactorUser(server)
        let page = try visitAccount(
            of: user,
            [Self.showsAccount(), Self.showsInAccount("your password alone is not enough")]
                + Self.pressInAccount("Add an authenticator app") + [
                    Self.showsAccount("app"), .evaluate("find('\(Self.inside("#code"))').focus()"), .press("Enter"),
                    Self.showsInAccount("Please fill in"), .type("000000"), Self.showsInAccount("is incorrect"), .axe,
                    .evaluate(Self.key), Self.typesCode, Self.showsAccount("codes"), Self.accountHasFocus(".title"),
                    .axe, .evaluate(Self.codes + ".join()"),
                ] + Self.pressInAccount("I have saved the codes") + [
                    Self.showsAccount(), Self.showsInAccount("Authenticator app"), .axe,
                    .evaluate("find('\(Self.inside(".stage"))').innerHTML"),
                    .evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"),
                    .evaluate("find('dialtone-account').user.getIdToken()"),
                ]
        ) { $0.prepare = Self.authenticator }
        let values = page.words
        let codes = values[1].split(separator: ",")
        #expect(codes.count == 10)
        // Neither the key nor a code remains in the page or its storage.
        for text in [values[0]] + codes.map(String.init) {
            #expect(!values[2].contains(text) && !values[3].contains(text))
        }
        #expect(try server.lookUp(values[4]).status == 200, "the page has the tokens that replaced the earlier ones")
        #expect(try server.update(user.idToken, #""displayName":"Eve""#).errorMessage == "TOKEN_EXPIRED")
        let credential = try user.pendingCredential()
        let id = try #require(try user.factors().first)
        let proof = #""mfaEnrollmentId":"\#(id)","totpVerificationInfo":{"verificationCode":"\#(codes[0])"}"#
        let signedIn = try server.secondFactors(
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)",\#(proof)}"#
        )
        #expect(signedIn.status == 200, "\(signedIn.text)")
    }

    @Test("the key and the codes can be copied, and are selected if the browser does not allow copying")
    func copies() throws {
        let clipboard = """
            Object.defineProperty(navigator, 'clipboard', { value: { async writeText(text) {
              if (window.isForbidden) throw new DOMException('no', 'NotAllowedError');
              window.copied = text;
            } } });
            """
        let page = try visitAccount(
            of: try SecondFactorUser(server),
            [Self.showsAccount()] + Self.pressInAccount("Add an authenticator app") + [Self.showsAccount("app")]
                + Self.pressInAccount("Copy") + [
                    Self.showsInAccount("Copied"), .evaluate("String(window.copied === \(Self.key))"),
                    .evaluate("void (window.isForbidden = true)"),
                ] + Self.pressInAccount("Copied") + [
                    .wait("getSelection().toString().replace(/\\s/g, '') === \(Self.key)")
                ]
        ) { $0.prepare = clipboard }
        #expect(page.words == ["true"])
    }

    /// Fires the event of a page that the browser puts into the back/forward cache or restores.
    private static func event(_ name: String) -> Visit.Step {
        .evaluate("void window.dispatchEvent(new PageTransitionEvent('\(name)', { persisted: true }))")
    }

    private static let markup = Visit.Step.evaluate("find('dialtone-account').shadowRoot.innerHTML")

    @Test("a page restored by the back button shows neither the app's key nor recovery codes (back/forward cache)")
    func goesBack() throws {
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp(stepsAgo: 1)
        let leaves = [Self.event("pagehide"), Self.markup, Self.event("pageshow"), Self.showsAccount(), Self.markup]
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Add an authenticator app") + [
                Self.showsAccount("app"), .evaluate("find('\(Self.inside(".key"))').textContent"),
            ] + leaves + Self.pressInAccount("New recovery codes") + [Self.showsAccount("new-codes")]
                + Self.pressInAccount("New recovery codes") + [
                    Self.showsAccount("codes"), .evaluate(Self.codes + ".join()"),
                ] + leaves
        )
        let values = page.words
        let (key, codes) = (values[0], values[3].split(separator: ",").map(String.init))
        #expect(codes.count == 10)
        for markup in values[1...2] { #expect(!markup.contains(key) && !markup.contains("<svg")) }
        for markup in values[4...5] { #expect(!codes.contains { markup.contains($0) }) }
        #expect(page.faults == [])
    }

    @Test("recovery codes that arrive after the page was left are not shown when the user goes back to it")
    func codesOfPageThatIsLeft() throws {
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp(stepsAgo: 1)
        let holdsAnswer = """
            ;const call = window.fetch;
            window.fetch = async (url, options) => {
              const response = await call(url, options);
              if (!String(url).includes('mfaRecoveryCodes')) return response;
              await new Promise((resolve) => { window.release = resolve; });
              return response;
            };
            """
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("New recovery codes") + [Self.showsAccount("new-codes")]
                + Self.pressInAccount("New recovery codes") + [
                    .wait("window.release"), Self.event("pagehide"), Self.event("pageshow"), Self.showsAccount(),
                    // After two tasks of the page, the response has passed every step of the component.
                    .evaluate("void window.release()"),
                    .evaluate("new Promise((done) => setTimeout(setTimeout, 0, done))"),
                    Self.showsAccount(), .evaluate("find('\(Self.inside(".codes"))') === null ? 'none' : 'codes'"),
                ]
        ) { $0.prepare = holdsAnswer }
        #expect(page.words.last == "none")
        #expect(page.faults == [])
    }

    // MARK: Phones

    @Test("a phone becomes the second factor by keyboard alone, and the next sign-in asks for it")
    func addsPhone() throws {
        var user = try SecondFactorUser(server)
        let number = SecondFactorUser.freshNumber()
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("Add a phone number") + [
                Self.showsAccount("phone"), Self.shows("number"), Self.hasFocus("#number"), .axe,
            ] + Self.send(to: number) + [
                .axe, Self.paste(Self.code(to: number), into: "#code"), Self.showsAccount("codes"),
            ] + Self.pressInAccount("I have saved the codes") + [
                Self.showsAccount(), Self.showsInAccount("Message to •••• \(number.suffix(4))"), .axe,
            ] + Self.pressInAccount("Add a phone number") + [Self.shows("number")] + Self.typeNumber(number) + [
                .press("Enter"), Self.shows(text: "a second step already"), .axe,
            ] + Self.pressInAccount("Cancel") + [Self.showsAccount()]
        )
        #expect(page.faults == [])
        try user.take(try user.preparedSignIn()())
    }

    @Test("after an old sign-in, users confirm their identity before the number is asked for")
    func confirmsBeforePhone() throws {
        let server = try RunningServer(workers: 1)
        let number = SecondFactorUser.freshNumber()
        let confirms = [
            Self.showsAccount("confirm"), Self.hasFocus("#email"), .press("Tab"), Self.hasFocus("#password"),
            .type(SecondFactorUser.password), .press("Enter"), Self.showsAccount("phone"), Self.hasFocus("#number"),
        ]
        // A wrong clock makes the page consider the sign-in recent, but the server does not.
        for prepare in ["", "const real = Date.now; Date.now = () => window.isWrong ? 1700000010000 : real();"] {
            let isWrong = !prepare.isEmpty
            let user = try SecondFactorUser(server)
            let stale = (idToken: try server.staleIDToken(user.refreshToken), refreshToken: user.refreshToken)
            let page = try visitAccount(
                with: stale,
                [Self.showsAccount(), .evaluate("void (window.isWrong = \(isWrong))")]
                    + Self.pressInAccount("Add a phone number")
                    + (isWrong ? [Self.shows("number"), .evaluate("void (window.isWrong = false)")] : [])
                    + (isWrong ? Self.typeNumber(number) + [.press("Enter")] : []) + confirms
                    + [.evaluate("find('\(Self.part("#number"))').value")],
                on: server
            ) { $0.prepare = prepare }
            #expect(page.words.last?.filter(\.isNumber) == (isWrong ? String(number.dropFirst()) : ""))
        }
    }

    // MARK: Changes

    @Test("a second factor is removed after a confirmation, and recovery codes are replaced")
    func removes() throws {
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp(stepsAgo: 1)
        let before = try user.makeRecoveryCodes()
        let page = try visitAccount(
            of: user,
            [Self.showsAccount()] + Self.pressInAccount("New recovery codes") + [
                Self.showsAccount("new-codes"), .axe, Self.accountHasFocus(".title"),
            ] + Self.pressInAccount("New recovery codes") + [Self.showsAccount("codes"), .evaluate(Self.codes + "[0]")]
                + Self.pressInAccount("I have saved the codes") + [Self.showsAccount()]
                + Self.pressInAccount("Remove") + [
                    Self.showsAccount("remove"), Self.showsInAccount("Authenticator app"), .axe,
                ] + Self.pressInAccount("Cancel") + [Self.showsAccount()] + Self.pressInAccount("Remove") + [
                    Self.showsAccount("remove")
                ] + Self.pressInAccount("Remove") + [
                    Self.showsInAccount("The second step has been removed."), .axe, Self.accountHasFocus(".notice"),
                    Self.showsInAccount("your password alone is not enough"),
                ]
        )
        #expect(!before.contains(page.words[0]))
        #expect(try user.signIn()["idToken"] != nil, "no second factor is asked for")
    }

    @Test("second factors are offered only to users with a verified address, and only the project's kinds")
    func notOffered() throws {
        let buttons = Visit.Step.evaluate("find('\(Self.inside(".buttons"))').innerText")
        let unverified = try SecondFactorUser(server, isEmailVerified: false)
        let page = try visitAccount(
            of: unverified,
            [Self.showsAccount(), Self.showsInAccount("must be confirmed"), .axe, buttons]
        )
        #expect(page.words == ["Send link"])
        let other = try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_SECOND_FACTOR_KINDS": "totp"])
        let only = try visitAccount(
            of: try SecondFactorUser(other),
            [Self.showsAccount(), buttons],
            on: other
        )
        #expect(only.words == ["Add an authenticator app"])
        let off = try RunningServer(workers: 1, settings: ["PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "off"])
        let without = try visitAccount(of: try SecondFactorUser(off), [Self.showsAccount(), Self.accountText], on: off)
        #expect(without.words.last?.contains("Second step") == false)
    }

    // MARK: Zoom and contrast

    @Test(
        "at twice the zoom and at twice the text size, nothing is cut off or scrolls sideways",
        arguments: [(320, "100%"), (320, "200%"), (640, "200%")]
    )
    func zoom(width: Int64, fontSize: String) throws {
        let fits = Self.fits(in: "dialtone-account")
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp(stepsAgo: 1)
        let press = { (selector: String) in Visit.Step.click(Self.inside(selector)) }
        for language in ["en", "de", "ru", "ar"] {
            let page = try visitAccount(
                of: user,
                [
                    Self.showsAccount(), .evaluate("void (document.documentElement.style.fontSize = '\(fontSize)')"),
                    fits, .axe, press(".item .small"), Self.showsAccount("remove"), fits, press(".link"),
                    Self.showsAccount(), press(".buttons .small"), Self.showsAccount("app"), fits, .axe,
                    press(".link"), Self.showsAccount(), press(".buttons .small:last-child"),
                    Self.showsAccount("new-codes"), press(".primary"), Self.showsAccount("codes"), fits,
                ],
                language: language
            ) {
                $0.width = width
                $0.height = 512
            }
            #expect(page.words == ["", "", "", ""], "\(language)")
        }
    }

    @Test("with forced colors, the focus is visible and the QR code stays dark on light")
    func forcedColors() throws {
        let page = try visitAccount(
            of: try SecondFactorUser(server),
            [Self.showsAccount(), .axe] + Self.pressInAccount("Add an authenticator app") + [
                Self.showsAccount("app"), .axe,
                .evaluate("getComputedStyle(find('\(Self.inside(".qr rect"))')).fill"),
                .evaluate("getComputedStyle(find('\(Self.inside(".qr path"))')).fill"),
            ]
        ) { $0.forcesColors = true }
        #expect(page.words == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"])
    }

    // MARK: The SDK

    @Test("with the SDK's Auth, the account is changed by the SDK's functions, so the SDK gets the new tokens")
    func sdk() throws {
        var user = try SecondFactorUser(server)
        _ = try user.enrollApp(stepsAgo: 1)
        let stub = """
            window.calls = [];
            window.makeAuth = (idToken) => {
              const user = { uid: '\(user.uid)', isAnonymous: false, email: '\(user.email)', phoneNumber: null,
                getIdToken: async () => idToken };
              const auth = { currentUser: user,
                onAuthStateChanged(listener) {
                  auth.tell = () => listener(auth.currentUser);
                  Promise.resolve().then(auth.tell);
                  return () => {};
                },
                async signOut() { window.calls.push('signOut'); auth.currentUser = null; auth.tell(); } };
              const sdk = {
                PhoneAuthProvider: class {},
                multiFactor: () => ({
                  async getSession() { return 'session'; },
                  async enroll(assertion) {
                    window.calls.push('enroll ' + assertion);
                    const code = 'auth/invalid-verification-code';
                    if (assertion !== '654321') throw Object.assign(new Error(), { code });
                  },
                  async unenroll(id) { window.calls.push('unenroll'); },
                }),
                TotpMultiFactorGenerator: {
                  async generateSecret(session) {
                    return { secretKey: 'ABCDEFGHIJKLMNOP', codeLength: 6, hashingAlgorithm: 'SHA1',
                      codeIntervalSeconds: 30 };
                  },
                  assertionForEnrollment: (secret, code) => code,
                },
                async deleteUser() { window.calls.push('delete'); auth.currentUser = null; auth.tell(); },
              };
              return { auth, sdk };
            };
            """
        let page = try visitAccount(
            with: nil,
            [
                Self.showsAccount("sign-in"),
                .evaluate("void Object.assign(find('dialtone-account'), window.makeAuth('\(user.idToken)'))"),
                Self.showsAccount(), .axe,
            ] + Self.pressInAccount("Add an authenticator app") + [
                Self.showsAccount("app"), .evaluate("find('\(Self.inside("#code"))').focus()"), .type("123456"),
                Self.showsInAccount("is incorrect"), .type("654321"), Self.showsAccount(),
                Self.showsInAccount("The second step has been added."),
            ] + Self.pressInAccount("Remove") + [Self.showsAccount("remove")] + Self.pressInAccount("Remove") + [
                Self.showsAccount(), Self.showsInAccount("The second step has been removed."),
            ] + Self.pressInAccount("Delete account") + [Self.showsAccount("delete")]
                + Self.pressInAccount("Delete account") + [
                    Self.showsAccount("sign-in"), Self.showsInAccount("Your account has been deleted"),
                    .evaluate("window.calls.join()"), .evaluate("localStorage.length"),
                ]
        ) { $0.prepare = stub }
        #expect(page.words == ["enroll 123456,enroll 654321,unenroll,delete"])
        #expect(page.values.last == .number("0"))
        #expect(page.faults == [])
    }

    @Test("an anonymous SDK user links a number, or signs in to the account that has it", arguments: [true, false])
    func anonymousOfSDK(isNew: Bool) throws {
        let user = try SecondFactorUser(server)
        let number = isNew ? "+16505551630" : "+16505551631"
        let stub = """
            ;window.details = [];
            document.addEventListener('dialtone-signed-in', ({ detail }) => { window.details.push(detail); });
            window.makeAuth = () => {
              const named = { uid: '\(user.uid)', isAnonymous: false, phoneNumber: '\(number)', email: null,
                metadata: {}, getIdToken: async () => '\(user.idToken)' };
              const auth = { currentUser: { ...named, isAnonymous: true, phoneNumber: null },
                onAuthStateChanged(listener) {
                  auth.tell = () => listener(auth.currentUser);
                  Promise.resolve().then(auth.tell);
                  return () => {};
                } };
              if (!\(isNew)) auth.currentUser.uid = 'anonymous';
              class PhoneAuthProvider {
                static credential(id, code) { return { id, code } }
                static credentialFromError(error) { return error.credential }
              }
              return { auth, sdk: {
                PhoneAuthProvider,
                async updatePhoneNumber(user, credential) {
                  const code = 'auth/account-exists-with-different-credential';
                  if (!\(isNew)) throw Object.assign(new Error(), { code, credential });
                  // The SDK notifies its listeners only of another user.
                  auth.currentUser = Object.assign(user, named);
                },
                async signInWithCredential() {
                  auth.currentUser = named;
                  auth.tell();
                  await new Promise((resolve) => setTimeout(resolve));
                  return { user: named, operationType: 'signIn' };
                },
              } };
            };
            """
        let page = try visitAccount(
            with: nil,
            [
                Self.showsAccount("sign-in"),
                .evaluate("void Object.assign(find('dialtone-account'), window.makeAuth())"),
                .wait("find('dialtone-account').user?.isAnonymous"),
            ] + Self.signIn(as: number, endingWith: Self.showsAccount()) + [
                .evaluate(
                    """
                    (({ operation, isRestored, replacedUser }) =>
                      [operation, isRestored, replacedUser && replacedUser.uid].join())(window.details.at(-1))
                    """
                ),
                .evaluate("find('dialtone-account').user.phoneNumber"),
                // The draft of the sign-in has been removed.
                .evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('dialtone-sign-in')).join()"),
            ]
        ) { $0.prepare = stub }
        let told = isNew ? "link,false," : "signIn,false,anonymous"
        #expect(page.words.suffix(3) == [told, number, ""])
        #expect(page.faults == [])
    }
}

extension String {
    fileprivate var trimmedLine: String { split(separator: "\n").last.map(String.init) ?? "" }
}
