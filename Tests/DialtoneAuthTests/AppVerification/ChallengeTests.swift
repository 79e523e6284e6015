import Foundation
import Processes
import TestServers
import Testing

@testable import DialtoneAuth

/// App verification with a mock server.
@Suite struct ChallengeTests {
    /// Shows a page as Safari would, and ends as the test specifies.
    struct Presenter: ChallengePresenter {
        let pages = Mutexed<[URL]>([])
        let end: @Sendable (URL) async throws -> URL

        func present(_ page: URL, callbackScheme: String) async throws -> URL {
            #expect(callbackScheme == "app-1-123-ios-abc")
            pages.with { $0.append(page) }
            return try await end(page)
        }
    }

    /// Returns the link with which the challenge page opens the app.
    private static func link(
        _ page: URL,
        _ result: String = "recaptchaToken=challenge%2Btoken",
        eventID: String? = nil
    ) throws -> URL {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let event = try #require(eventID ?? items.first { $0.name == "eventId" }?.value)
        let inner = "https://auth.example.com/__/auth/callback?authType=verifyApp&eventId=\(event)&\(result)"
        let encoded = try #require(inner.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try #require(URL(string: "app-1-123-ios-abc://firebaseauth/link?deep_link_id=\(encoded)"))
    }

    /// Returns a server whose project has a CAPTCHA provider.
    private func server() throws -> StandIn {
        try StandIn { request in
            if request.path.hasPrefix("/__/auth/challenge") { return .error("OPERATION_NOT_ALLOWED : Another kind.") }
            if request.path.hasPrefix("/v2/parsePhoneNumber") { return StandIn.Answer(body: #"{"accepted":true}"#) }
            return StandIn.Answer(body: #"{"sessionInfo":"session"}"#)
        }
    }

    private func auth(
        _ server: StandIn,
        isRegistered: Bool = true,
        appID: String = "1:123:ios:abc"
    ) throws -> (Auth, TemporaryFolder) {
        let folder = try TemporaryFolder(prefix: "dialtone-auth")
        let options = DialtoneOptions(
            url: URL(string: server.url),
            apiKey: "k",
            googleAppID: isRegistered ? appID : nil,
            bundleID: isRegistered ? "com.example.app" : nil
        )
        let store = FileStore(folder: URL(fileURLWithPath: folder.path))
        return (Auth(DialtoneApp(name: "challenge", options: options, store: store)), folder)
    }

    private func send(_ auth: Auth) async throws -> String {
        try await PhoneAuthProvider.provider(auth: auth).verifyPhoneNumber("+16505550101")
    }

    @Test("no challenge is solved for a number that the server refuses, or that is a test number")
    func refusedNumbers() async throws {
        for (answer, code) in [
            (StandIn.Answer.error("INVALID_PHONE_NUMBER : TOO_SHORT"), AuthErrorCode.invalidPhoneNumber),
            (StandIn.Answer(body: #"{"sessionInfo":"session"}"#), nil),
        ] {
            let server = try StandIn { request in
                request.path.hasPrefix("/v2/parsePhoneNumber") ? StandIn.Answer(body: #"{"valid":false}"#) : answer
            }
            let (auth, folder) = try auth(server)
            defer { folder.remove() }
            do {
                #expect(try await send(auth) == "session" && code == nil)
            } catch {
                #expect(code != nil && AuthErrorCode(error) == code)
            }
            #expect(server.requests(of: "/__/auth").isEmpty)
            #expect(server.requests(of: "/v1/accounts:sendVerificationCode").count == 1)
        }
    }

    @Test("the page of a CAPTCHA provider is shown, and its token proves the app")
    func page() async throws {
        let server = try server()
        let (auth, folder) = try auth(server)
        defer { folder.remove() }
        let presenter = Presenter { try Self.link($0) }
        auth.challengePresenter = presenter
        auth.languageCode = "de"
        #expect(try await send(auth) == "session")
        let page = try #require(presenter.pages.with { $0.first })
        #expect(page.absoluteString.hasPrefix("\(server.url)/__/auth/handler?"))
        for part in ["ibi=com.example.app", "appId=1:123:ios:abc", "authType=verifyApp", "hl=de"] {
            #expect(page.absoluteString.removingPercentEncoding?.contains(part) == true)
        }
        let sent = try #require(server.requests(of: "/v1/accounts:sendVerificationCode").first)
        #expect(sent.body.contains(#""recaptchaToken":"challenge+token""#))
        #expect(sent.text.contains("com.example.app"))
    }

    @Test(
        "an app ID that is not a valid URL scheme causes an error that says what to change, and no page is shown",
        arguments: ["1:123:ios:ä", "a b", "a\nb", "a/b"]
    )
    func invalidScheme(appID: String) async throws {
        let (auth, folder) = try auth(server(), appID: appID)
        defer { folder.remove() }
        let presenter = Presenter { try Self.link($0) }
        auth.challengePresenter = presenter
        await #expect { try await send(auth) } throws: { error in
            AuthErrorCode(error) == .invalidClientID && error.localizedDescription.contains("googleAppID")
        }
        #expect(presenter.pages.with { $0.isEmpty })
    }

    @Test("only valid URL schemes are accepted")
    func schemes() {
        for scheme in ["com.googleusercontent.apps.123-abc", "app-1-123-ios-abc", "A+b"] {
            #expect(ChallengeLink(scheme: scheme, eventID: "").hasValidScheme)
        }
        for scheme in ["", "1a", "-a", "a:b", "a b", "é", "https", "HTTP"] {
            #expect(!ChallengeLink(scheme: scheme, eventID: "").hasValidScheme)
        }
    }

    @Test("the app's URL ends the challenge even if the presenter does not get it, and other URLs do not")
    func openedURL() async throws {
        let server = try server()
        let (auth, folder) = try auth(server)
        defer { folder.remove() }
        auth.challengePresenter = Presenter { [auth] page in
            #expect(!auth.canHandle(try #require(URL(string: "app-1-123-ios-abc://other"))))
            #expect(!auth.canHandle(try Self.link(page, eventID: "OTHER")))
            #expect(auth.canHandle(try Self.link(page)))
            try await sleep(seconds: 60)
            return page
        }
        #expect(try await send(auth) == "session")
        #expect(!auth.canHandle(try Self.link(try #require(URL(string: "x://")), eventID: "A")))
    }

    @Test(
        "a page that fails or is closed ends with its error, and no code is requested",
        arguments: [
            ("firebaseError=%7B%22code%22%3A%22auth%2Finvalid-client-id%22%7D", AuthErrorCode.invalidClientID),
            ("firebaseError=%7B%22code%22%3A%22auth%2Fnetwork-request-failed%22%7D", .webNetworkRequestFailed),
            ("firebaseError=junk", .webSignInUserInteractionFailure),
            ("recaptchaToken=", .webSignInUserInteractionFailure),
        ]
    )
    func failures(result: String, code: AuthErrorCode) async throws {
        let server = try server()
        let (auth, folder) = try auth(server)
        defer { folder.remove() }
        auth.challengePresenter = Presenter { try Self.link($0, result) }
        await #expect { try await send(auth) } throws: { AuthErrorCode($0) == code }
        auth.challengePresenter = Presenter { try Self.link($0, eventID: "OTHER") }
        await #expect { try await send(auth) } throws: { AuthErrorCode($0) == .webInternalError }
        auth.challengePresenter = Presenter { _ in throw AuthErrorCode.webContextCancelled.error() }
        await #expect { try await send(auth) } throws: { AuthErrorCode($0) == .webContextCancelled }
        #expect(server.requests(of: "/v1/accounts:sendVerificationCode").isEmpty)
    }

    @Test("without a presenter or a registered app, the error says what is missing", arguments: [true, false])
    func missing(isRegistered: Bool) async throws {
        let (auth, folder) = try auth(try server(), isRegistered: isRegistered)
        defer { folder.remove() }
        await #expect { try await send(auth) } throws: { error in
            AuthErrorCode(error) == .appNotVerified
                && error.localizedDescription.contains(isRegistered ? "challengePresenter" : "googleAppID")
        }
    }

    @Test("if the server rejects every proof, a code is requested only twice")
    func rejected() async throws {
        let salt = "salt"
        let target = sha256(Array("\(salt)5".utf8)).map { String(format: "%02x", $0) }.joined()
        let challenge =
            #"{"algorithm":"SHA-256","challenge":"\#(target)","maxnumber":9,"salt":"\#(salt)","signature":"00"}"#
        let server = try StandIn { request in
            if request.path.hasPrefix("/__/auth/challenge") { return StandIn.Answer(body: challenge) }
            if request.path.hasPrefix("/__/auth/verify") { return StandIn.Answer(body: #"{"token":"t"}"#) }
            return .error("CAPTCHA_CHECK_FAILED")
        }
        let app = try TestApp(server.url)
        await #expect { try await send(app.auth) } throws: { AuthErrorCode($0) == .captchaCheckFailed }
        #expect(server.requests(of: "/v1/accounts:sendVerificationCode").count == 2)
    }

    @Test("a push of another app, without a secret or with an unexpected receipt proves nothing")
    func pushes() throws {
        let app = try TestApp("https://auth.example.com")
        let pushes = app.auth.verifier.pushes
        for payload in [[:], ["com.google.firebase.auth": "junk"], ["com.google.firebase.auth": ["receipt": "r"]]] {
            #expect(!app.auth.canHandleNotification(payload as [AnyHashable: Any]))
        }
        #expect(app.auth.canHandleNotification(["com.google.firebase.auth": ["receipt": "r", "secret": "s"]]))
        #expect(pushes.credential == nil)
        #expect(app.auth.canHandleNotification(["com.google.firebase.auth": ["receipt": "other", "secret": "s"]]))
        _ = pushes.expect("r2")
        #expect(pushes.credential == nil)
        #expect(app.auth.canHandleNotification(["com.google.firebase.auth": #"{"receipt":"r2","secret":"s"}"#]))
        #expect(pushes.credential == PushCredential(receipt: "r2", secret: "s"))
    }

    @Test("a push that arrives before the response with its receipt proves the app, and few such pushes are kept")
    func earlyPushes() async throws {
        let pushes = try TestApp("https://auth.example.com").auth.verifier.pushes
        for number in 1...100 {
            #expect(pushes.receive(["com.google.firebase.auth": ["receipt": "r\(number)", "secret": "s"]]))
        }
        #expect(try await pushes.expect("r100").value() == PushCredential(receipt: "r100", secret: "s"))
        #expect(pushes.credential?.receipt == "r100")
        let forgotten = pushes.expect("r1")
        await #expect(throws: CancellationError.self) {
            try await withDeadline(seconds: 0.05, { CancellationError() }) { try await forgotten.value() }
        }
    }
}
