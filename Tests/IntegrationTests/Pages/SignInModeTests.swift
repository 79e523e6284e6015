import Encodings
import TestBrowser
import TestServers
import Testing

/// `<dialtone-sign-in>` for users who are already signed in: linking, reauthentication, and anonymous users' accounts.
@Suite(.sharedServer, .sharedBrowser, .timeLimit(.minutes(20))) struct SignInModeTests: SignInVisitor {
    private static let element = "find('dialtone-sign-in')"

    private static func setMode(_ mode: String) -> Visit.Step {
        .evaluate("\(element).setAttribute('mode', '\(mode)')")
    }

    /// Sends a message to the prefilled number.
    private static var sendAgain: [Visit.Step] {
        [shows("number"), .evaluate("find('\(part("#number"))').focus()"), .press("Enter"), shows("code")]
    }

    /// Remembers the former user, then records what each event says.
    private static let heardDetails = """
        ;window.details = [];
        document.addEventListener('dialtone-signed-in', ({ detail }) => { window.details.push(detail); });
        """

    private static let lastDetail = Visit.Step.evaluate(
        """
        (({ operation, isNewUser, replacedUser, user }) => [operation, isNewUser, replacedUser && replacedUser.uid,
          user.uid === \(element).user.uid].join())(window.details.at(-1))
        """
    )

    private func account(_ number: String) throws -> String? {
        try server.signInFresh(number)["localId"]
    }

    // MARK: Linking

    @Test("a user with a password adds a number and can sign in with it afterwards")
    func links() throws {
        let user = try SecondFactorUser(server)
        let number = "+16505551501"
        let page = try visit(
            Self.password(user.email) + [
                Self.shows("done"), Self.setMode("link"), Self.shows("number"), Self.shows(text: "Add your phone"),
                .axe, .wait("!find('\(Self.part(".link"))')"),
            ] + Self.signIn(as: number) + [
                Self.lastDetail, .evaluate("\(Self.element).user.phoneNumber"),
                .evaluate("\(Self.element).user.getIdToken(true).then((token) => token.length > 99)"),
            ]
        ) { $0.prepare = Self.heardDetails }
        #expect(page.words == ["link,false,,true", number])
        #expect(try account(number) == user.uid)
    }

    @Test("another account's number is not added, and the user stays signed in")
    func taken() throws {
        let number = "+16505551502"
        let owner = try account(number)
        let user = try SecondFactorUser(server)
        let page = try visit(
            Self.password(user.email) + [Self.shows("done"), Self.setMode("link")] + Self.send(to: number) + [
                Self.paste(Self.code(to: number), into: "#code"), Self.shows(text: "belongs to another account"), .axe,
                .evaluate("\(Self.element).user.uid"),
            ]
        )
        #expect(page.words == [user.uid])
        #expect(try account(number) == owner)
    }

    // MARK: Reauthentication

    @Test("a user proves their prefilled number again, and the session is new")
    func reauthenticates() throws {
        let number = "+16505551503"
        let page = try visit(
            Self.signIn(as: number) + [
                .evaluate("window.before = \(Self.element).user.uid, 0"), Self.setMode("reauthenticate"),
                Self.shows("number"), Self.shows(text: "Confirm that it is you"), .axe,
                .evaluate("find('\(Self.part("#number"))').value"),
            ] + Self.sendAgain + [
                Self.paste(Self.code(to: number), into: "#code"),
                Self.shows("done"), Self.lastDetail, .evaluate("String(\(Self.element).user.uid === window.before)"),
            ]
        ) { $0.prepare = Self.heardDetails }
        #expect(page.words == [number, "reauthenticate,false,,true", "true"])
    }

    @Test("another account's number, or one without an account, reauthenticates no one")
    func otherAccount() throws {
        let other = "+16505551505"
        _ = try account(other)
        for number in [other, "+16505551506"] {
            let page = try visit(
                Self.signIn(as: "+16505551504") + [
                    .evaluate("window.before = \(Self.element).user.uid, 0"), Self.setMode("reauthenticate"),
                    Self.shows("number"), .evaluate("void (find('\(Self.part("#number"))').value = '')"),
                ] + Self.send(to: number) + [
                    Self.paste(Self.code(to: number), into: "#code"), Self.shows(text: "not the account"), .axe,
                    .evaluate("String(\(Self.element).user.uid === window.before)"),
                    .evaluate("JSON.parse(localStorage.getItem('\(Self.userKey)')) !== null"),
                ]
            )
            #expect(page.words == ["true"])
        }
        #expect(try server.signInFresh("+16505551506").json["isNewUser"] == .bool(true), "no account was made")
    }

    @Test("a user without a number reauthenticates with the password")
    func password() throws {
        let user = try SecondFactorUser(server)
        let page = try visit(
            Self.password(user.email) + [
                Self.shows("done"), Self.setMode("reauthenticate"), Self.shows("password"), .axe,
                .evaluate("find('\(Self.part("#email"))').value"),
                .evaluate("find('\(Self.part("#password"))').focus()"), .type(SecondFactorUser.password),
                .press("Enter"), Self.shows("done"), Self.lastDetail,
            ]
        ) { $0.prepare = Self.heardDetails }
        #expect(page.words == [user.email, "reauthenticate,false,,true"])
    }

    // MARK: Anonymous users

    private static let becomesAnonymous: [Visit.Step] = [
        shows("number"), .evaluate("\(element).signInAnonymously().then(({ isAnonymous }) => String(isAnonymous))"),
        shows("number"), .evaluate("window.anonymous = \(element).user.uid"),
    ]

    @Test("an anonymous user adds a number and keeps the account, even after a reload")
    func upgrades() throws {
        let number = "+16505551507"
        let page = try visit(
            Self.becomesAnonymous + [
                .evaluate("sessionStorage.setItem('uid', window.anonymous)"), .reload, Self.shows("number"),
                .wait("\(Self.element).user.isAnonymous"),
            ] + Self.signIn(as: number) + [
                Self.lastDetail, .evaluate("String(\(Self.element).user.uid === sessionStorage.getItem('uid'))"),
                .evaluate("String(\(Self.element).user.isAnonymous)"),
            ]
        ) { $0.prepare = Self.heardDetails }
        let words = page.words
        #expect(words.first == "true" && words.suffix(3) == ["link,false,,true", "true", "false"])
        #expect(try account(number) == words[1])
    }

    @Test("the account of a number replaces an anonymous one, and the event names both")
    func replaces() throws {
        let number = "+16505551508"
        let owner = try #require(try account(number))
        let page = try visit(
            Self.becomesAnonymous + Self.signIn(as: number) + [Self.lastDetail, .evaluate("\(Self.element).user.uid")]
        ) { $0.prepare = Self.heardDetails }
        let words = page.words
        #expect(words.suffix(2) == ["signIn,false,\(words[1]),true", owner])
    }

    @Test("with the SDK's Auth, its functions link, reauthenticate and replace an anonymous user")
    func sdk() throws {
        let stub = """
            ;window.makeAuth = () => {
              const auth = { currentUser: { uid: 'anonymous', isAnonymous: true, metadata: {} },
                onAuthStateChanged(listener) {
                  auth.tell = () => listener(auth.currentUser);
                  Promise.resolve().then(auth.tell);
                  return () => {};
                } };
              window.calls = [];
              const become = (name, user, operationType) => {
                window.calls.push(name);
                auth.currentUser = user;
                auth.tell();
                return { user, operationType };
              };
              const named = { uid: 'other', isAnonymous: false, phoneNumber: '+16505551510', metadata: {} };
              class PhoneAuthProvider {
                static credential(id, code) { return { id, code } }
                static credentialFromError(error) { return error.credential }
              }
              return { auth, sdk: {
                PhoneAuthProvider,
                async linkWithCredential() {
                  // The SDK refuses a user who has a number.
                  throw Object.assign(new Error(), { code: 'auth/provider-already-linked' });
                },
                async updatePhoneNumber(user, credential) {
                  window.calls.push('link');
                  if (!user.isAnonymous) return;
                  const code = 'auth/account-exists-with-different-credential';
                  throw Object.assign(new Error(), { code, credential });
                },
                async signInWithCredential() { return become('signIn', named, 'signIn') },
                async reauthenticateWithCredential(user) {
                  const isFirst = window.calls.push('reauthenticate') === 3;
                  if (isFirst) throw Object.assign(new Error(), { code: 'auth/user-mismatch' });
                  return { user, operationType: 'reauthenticate' };
                },
              } };
            };
            """
        let number = "+16505551510"
        let page = try visit(
            [
                Self.shows("number"), .evaluate("void Object.assign(\(Self.element), window.makeAuth())"),
                .wait("\(Self.element).user?.isAnonymous"),
            ] + Self.signIn(as: number) + [
                Self.lastDetail, Self.setMode("reauthenticate"),
            ] + Self.sendAgain + [
                Self.paste("'111111'", into: "#code"), Self.shows(text: "not the account"),
                Self.paste("'222222'", into: "#code"), Self.shows("done"), Self.lastDetail, Self.setMode("link"),
            ] + Self.signIn(as: "+16505551511") + [
                Self.lastDetail, .evaluate("window.calls.join()"),
            ]
        ) { $0.prepare = Self.heardDetails + stub }
        #expect(
            page.words == [
                "signIn,false,anonymous,true", "reauthenticate,false,,true", "link,false,,true",
                "link,signIn,reauthenticate,reauthenticate,link",
            ]
        )
        #expect(page.faults == [])
    }

    @Test("a refusal has one sentence, whether the server or the SDK reports it")
    func sentences() throws {
        let hook = "((HTTP request to https://hooks.example.com returned HTTP error 403: {\\\"error\\\":{}}))"
        let unreachable = "((Deadline exceeded making request to https://hooks.example.com.))"
        let refusals = [
            ("login-blocked", "", "The app did not allow this sign-in."),
            ("internal-error", hook, "The app did not allow this sign-in."),
            ("internal-error", unreachable, "The server has a problem. Try again in a moment."),
            ("internal-error", "", "The server has a problem. Try again in a moment."),
            ("invalid-phone-number", "TOO_SHORT", "This phone number is too short."),
            ("admin-restricted-operation", "", "This way to sign in is not available."),
            (
                "operation-not-allowed", "SMS unable to be sent until this region enabled by the app developer.",
                "We cannot send messages to this country or region."
            ),
            ("user-disabled", "", "This account is disabled. Please contact support."),
            ("unverified-email", "", "Your e-mail address must be confirmed before you can add a second step."),
            ("wrong-password", "", "The e-mail address or password is incorrect."),
            ("invalid-credential", "", "The e-mail address or password is incorrect."),
            ("user-token-expired", "", "For your security, please sign in again first."),
            ("network-request-failed", "", "The server cannot be reached. Check your connection and try again."),
        ]
        let shown = refusals.map { code, text, _ in
            let message = "Firebase: \(text.isEmpty ? "Error" : text) (auth/\(code))."
            return Visit.Step.evaluate(
                """
                import('/__/auth/sign-in.js').then(({ refusalOf }) => {
                  \(Self.element).showRefusal(refusalOf({ code: 'auth/\(code)', message: "\(message)" }));
                  return find('\(Self.part("#error"))').textContent;
                })
                """
            )
        }
        let page = try visit([Self.shows("number")] + shown) { $0.ignoresPolicy = true }
        #expect(page.words == refusals.map { $0.2 })
    }
}
