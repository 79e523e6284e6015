import Foundation
import Testing

@testable import DialtoneAuth

/// E-mails with links, and what the links do, with a mock server.
@Suite struct ActionCodeTests {
    private let server: StandIn
    private let app: TestApp

    init() throws {
        let tokens = #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#
        server = try StandIn { request in
            request.path.hasPrefix("/v1/accounts:lookup")
                ? StandIn.Answer(body: #"{"users":[{"localId":"ann"}]}"#) : StandIn.Answer(body: tokens)
        }
        app = try TestApp(server.url)
    }

    private static let link = "https://auth.example.com/__/auth/action?mode=signIn&oobCode=c0de&apiKey=k"

    private func settings() -> ActionCodeSettings {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/welcome")
        settings.handleCodeInApp = true
        settings.setIOSBundleID("com.example.app")
        settings.linkDomain = "links.example.com"
        settings.setAndroidPackageName("com.example", installIfNotAvailable: true, minimumVersion: "12")
        return settings
    }

    /// Returns the body of the last request of an operation.
    private func lastBody(_ operation: String) throws -> [String: String] {
        let request = try #require(server.requests(of: "/v1/accounts:\(operation)").last)
        #expect(request.text.lowercased().contains("\r\nidempotency-key: "))
        let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
        return try #require(body).mapValues { "\($0)" }
    }

    private static let sentSettings = [
        "continueUrl": "https://example.com/welcome", "iOSBundleId": "com.example.app",
        "androidPackageName": "com.example", "androidMinimumVersion": "12", "linkDomain": "links.example.com",
    ]

    @Test("each e-mail is requested with its type, its address and the settings")
    func requests() async throws {
        let user = try app.signIn("ann")
        let token = user.tokens.idToken
        func expect(_ fields: [String: String], settings: Bool = true) throws {
            var body = try lastBody("sendOobCode")
            if settings {
                let flags = ["canHandleCodeInApp", "androidInstallApp"].map { body.removeValue(forKey: $0) }
                #expect(!flags.contains(nil))
            }
            #expect(body == fields.merging(settings ? Self.sentSettings : [:]) { $1 })
        }
        try await app.auth.sendPasswordReset(withEmail: "ann@example.com")
        try expect(["requestType": "PASSWORD_RESET", "email": "ann@example.com"], settings: false)
        try await app.auth.sendPasswordReset(withEmail: "ann@example.com", actionCodeSettings: settings())
        try expect(["requestType": "PASSWORD_RESET", "email": "ann@example.com"])
        try await app.auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings())
        try expect(["requestType": "EMAIL_SIGNIN", "email": "ann@example.com"])
        try await user.sendEmailVerification()
        try expect(["requestType": "VERIFY_EMAIL", "idToken": token], settings: false)
        try await user.sendEmailVerification(with: settings())
        try expect(["requestType": "VERIFY_EMAIL", "idToken": token])
        try await user.sendEmailVerification(beforeUpdatingEmail: "new@example.com", actionCodeSettings: settings())
        try expect(["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "new@example.com", "idToken": token])
    }

    @Test("settings that are set are read again, and can be unset")
    func unset() {
        let settings = settings()
        settings.dynamicLinkDomain = "old.example.com"
        #expect(settings.url?.host == "example.com" && settings.androidMinimumVersion == "12")
        #expect(settings.handleCodeInApp && settings.androidInstallIfNotAvailable)
        settings.handleCodeInApp = false
        settings.url = nil
        #expect(!settings.handleCodeInApp && settings.url == nil && settings.dynamicLinkDomain == "old.example.com")
    }

    @Test("a link to sign in that no app would open is not requested")
    func notInApp() async throws {
        await #expect {
            try await app.auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: ActionCodeSettings())
        } throws: { $0.localizedDescription.contains("handleCodeInApp") }
        #expect(server.requests.isEmpty)
    }

    @Test("a code is used once, under a key, and checked without being used")
    func codes() async throws {
        try await app.auth.confirmPasswordReset(withCode: "c0de", newPassword: "correct horse")
        #expect(try lastBody("resetPassword") == ["oobCode": "c0de", "newPassword": "correct horse"])
        try await app.auth.applyActionCode("c0de")
        #expect(try lastBody("update") == ["oobCode": "c0de"])
        _ = try await app.auth.checkActionCode("c0de")
        #expect(server.requests(of: "/v1/accounts:resetPassword").last?.body == #"{"oobCode":"c0de"}"#)
    }

    @Test(
        "a code's operation and addresses are those of the response",
        arguments: [
            (#""requestType":"PASSWORD_RESET","email":"a@b.c""#, ActionCodeOperation.passwordReset, "a@b.c", nil),
            (#""requestType":"EMAIL_SIGNIN""#, .emailLink, "", nil),
            (
                #""requestType":"VERIFY_AND_CHANGE_EMAIL","email":"old@b.c","newEmail":"new@b.c""#,
                .verifyAndChangeEmail, "new@b.c", "old@b.c"
            ),
            (#""requestType":"REVERT_SECOND_FACTOR_ADDITION""#, .revertSecondFactorAddition, "", nil),
            (#""requestType":"SOMETHING_NEW","email":"a@b.c""#, .unknown, "a@b.c", nil),
        ] as [(String, ActionCodeOperation, String, String?)]
    )
    func info(response: String, operation: ActionCodeOperation, email: String, previous: String?) async throws {
        let server = try StandIn { _ in StandIn.Answer(body: "{\(response)}") }
        let auth = try TestApp(server.url).auth
        let info = try await auth.checkActionCode("c0de")
        #expect(info.operation == operation && info.email == email && info.previousEmail == previous)
        #expect(try await auth.verifyPasswordResetCode("c0de") == email)
    }

    @Test("a link is taken apart")
    func parts() throws {
        let link = Self.link + "&continueUrl=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d&lang=pt-BR"
        let url = try #require(ActionCodeURL(link: link))
        #expect(url.operation == .emailLink && url.code == "c0de" && url.apiKey == "k" && url.languageCode == "pt-BR")
        #expect(url.continueURL?.absoluteString == "https://example.com/a?b=c&d")
        let modes: [(String, ActionCodeOperation)] = [
            ("resetPassword", .passwordReset), ("verifyEmail", .verifyEmail), ("recoverEmail", .recoverEmail),
            ("verifyAndChangeEmail", .verifyAndChangeEmail), ("other", .unknown),
        ]
        for (mode, operation) in modes {
            #expect(ActionCodeURL(link: "https://example.com/?mode=\(mode)&oobCode=c0de")?.operation == operation)
            #expect(!app.auth.isSignIn(withEmailLink: "https://example.com/?mode=\(mode)&oobCode=c0de"))
        }
        #expect(app.auth.isSignIn(withEmailLink: Self.link))
    }

    @Test(
        "what is no link to sign in is recognized",
        arguments: ["", "https://example.com", "https://example.com/?mode=signIn", "https://example.com/?oobCode=c0de"]
    )
    func noLink(text: String) {
        #expect(!app.auth.isSignIn(withEmailLink: text))
    }

    @Test("a link signs in, is linked, and reauthenticates")
    func credential() async throws {
        let sent = ["email": "ann@example.com", "oobCode": "c0de"]
        let result = try await app.auth.signIn(withEmail: "ann@example.com", link: Self.link)
        #expect(result.user.uid == "ann" && result.additionalUserInfo?.providerID == EmailAuthProviderID)
        #expect(try lastBody("signInWithEmailLink") == sent)
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", link: Self.link)
        try await result.user.reauthenticate(with: credential)
        #expect(try lastBody("signInWithEmailLink") == sent)
        let token = result.user.tokens.idToken
        try await result.user.link(with: credential)
        #expect(try lastBody("signInWithEmailLink") == sent.merging(["idToken": token]) { $1 })
    }

    @Test("a link that is opened again after a lost response is sent under the same key, and another link is not")
    func openedAgain() {
        let key = { (link: String) in EmailAuthProvider.credential(withEmail: "ann@example.com", link: link).key }
        #expect(key(Self.link) == key(Self.link) && key(Self.link) != key(Self.link + "&oobCode=other"))
    }

    @Test("the sign-in methods of an address are those of the response; none if the server does not reveal them")
    func methods() async throws {
        #expect(try await app.auth.fetchSignInMethods(forEmail: "ann@example.com").isEmpty)
        let server = try StandIn { _ in StandIn.Answer(body: #"{"signinMethods":["password","emailLink"]}"#) }
        let methods = try await TestApp(server.url).auth.fetchSignInMethods(forEmail: "ann@example.com")
        #expect(methods == [EmailPasswordAuthSignInMethod, EmailLinkAuthSignInMethod])
        #expect(server.requests[0].body.contains(#""identifier":"ann@example.com""#))
    }
}
