import DialtoneAuth
import Encodings
import Foundation
import TestServers
import Testing

/// E-mails with links that Dialtone's own client requests, against the real server.
@Suite(.sharedServer, .tags(.client)) struct ClientEmailActionTests {
    private let server: RunningServer
    private let app: ClientApp
    private let email = SecondFactorUser.freshEmail()

    init() throws {
        server = try #require(SharedServer.current)
        app = try ClientApp(server)
    }

    private var auth: Auth { app.auth }

    /// Returns the link of the latest e-mail to an address.
    private func link(to email: String) throws -> String {
        let answer = try server.get("/emulator/v1/projects/demo-dialtone/oobCodes")
        guard case .array(let codes) = answer.json["oobCodes"] else {
            throw ServerFailure(description: "no list of codes")
        }
        let links = codes.compactMap { code -> String? in
            guard case .object(let code) = code, code.text("email") == email else { return nil }
            return code.text("oobLink")
        }
        return try #require(links.last)
    }

    private func code(to email: String) throws -> String {
        try #require(ActionCodeURL(link: try link(to: email))?.code)
    }

    private func settings() -> ActionCodeSettings {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "http://127.0.0.1:\(server.port)/welcome")
        settings.handleCodeInApp = true
        return settings
    }

    @Test("a forgotten password is reset once, which verifies the address and ends the user's sessions")
    func passwordReset() async throws {
        let former = try await ClientApp(server).auth.createUser(withEmail: email, password: "correct horse").user
        try await auth.sendPasswordReset(withEmail: email)
        let code = try code(to: email)
        #expect(try await auth.checkActionCode(code).operation == .passwordReset)
        #expect(try await auth.verifyPasswordResetCode(code) == email)
        try await auth.confirmPasswordReset(withCode: code, newPassword: "battery staple")
        await #expect { try await auth.confirmPasswordReset(withCode: code, newPassword: "another one") } throws: {
            AuthErrorCode($0) == .invalidActionCode
        }
        await #expect(throws: (any Error).self) { try await former.reload() }
        await #expect(throws: (any Error).self) {
            try await auth.signIn(withEmail: email, password: "correct horse")
        }
        let user = try await auth.signIn(withEmail: email, password: "battery staple").user
        #expect(user.uid == former.uid && user.isEmailVerified)
    }

    @Test("a user verifies the address")
    func verification() async throws {
        let user = try await auth.createUser(withEmail: email, password: "correct horse").user
        #expect(!user.isEmailVerified)
        try await user.sendEmailVerification(with: settings())
        #expect(ActionCodeURL(link: try link(to: email))?.continueURL == settings().url)
        try await auth.applyActionCode(try code(to: email))
        try await user.reload()
        #expect(user.isEmailVerified && auth.currentUser === user)
    }

    @Test("a user moves to another address by a link that is sent to it")
    func change() async throws {
        let user = try await auth.createUser(withEmail: email, password: "correct horse").user
        let other = SecondFactorUser.freshEmail()
        try await user.sendEmailVerification(beforeUpdatingEmail: other)
        // As in the emulator, the list has the account's address.
        let code = try code(to: email)
        let info = try await auth.checkActionCode(code)
        #expect(info.operation == .verifyAndChangeEmail && info.email == other && info.previousEmail == email)
        try await auth.applyActionCode(code)
        let changed = try await auth.signIn(withEmail: other, password: "correct horse").user
        #expect(changed.uid == user.uid && changed.email == other && changed.isEmailVerified)
    }

    @Test("a link signs a new user in, once, and only with the address that it was sent to")
    func signInLink() async throws {
        try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings())
        let link = try link(to: email)
        #expect(auth.isSignIn(withEmailLink: link))
        #expect(try await auth.checkActionCode(try code(to: email)).email.isEmpty)
        await #expect { try await auth.signIn(withEmail: SecondFactorUser.freshEmail(), link: link) } throws: {
            AuthErrorCode($0) == .invalidEmail
        }
        let result = try await auth.signIn(withEmail: email, link: link)
        #expect(result.additionalUserInfo?.isNewUser == true)
        #expect(result.user.email == email && result.user.isEmailVerified)
        try auth.signOut()
        let used = try #require(ActionCodeURL(link: link)?.code)
        await #expect { try await auth.checkActionCode(used) } throws: { AuthErrorCode($0) == .invalidActionCode }
    }

    @Test("an anonymous user links an address by a link")
    func linked() async throws {
        let user = try await auth.signInAnonymously().user
        try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings())
        let credential = EmailAuthProvider.credential(withEmail: email, link: try link(to: email))
        try await user.link(with: credential)
        #expect(user.email == email && !user.isAnonymous && auth.currentUser === user)
    }
}
