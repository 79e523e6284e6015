import Foundation
import Testing

@testable import DialtoneAuth

/// Properties of the Firebase SDK for features that Dialtone lacks. Code that uses them compiles and gets correct
/// values.
@Suite struct CompatibilityTests {
    @Test("with a tenant, no one can sign in, and no request is sent")
    func tenant() async throws {
        let server = try StandIn { _ in
            StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
        }
        let app = try TestApp(server.url)
        let auth = app.auth
        #expect(auth.tenantID == nil)
        auth.tenantID = "tenant"
        auth.settings?.isAppVerificationDisabledForTesting = true
        let provider = PhoneAuthProvider.provider(auth: auth)
        await #expect { try await auth.signInAnonymously() } throws: {
            AuthErrorCode($0) == .unsupportedTenantOperation && $0.localizedDescription.contains("tenantID")
        }
        await #expect { try await provider.verifyPhoneNumber("+16505550101") } throws: {
            AuthErrorCode($0) == .unsupportedTenantOperation
        }
        #expect(server.requests.isEmpty)
        let user = User(auth, Account(uid: "ann"), try Tokens(idToken: idToken(of: "ann"), refreshToken: "r"))
        await #expect { try await auth.updateCurrentUser(user) } throws: { AuthErrorCode($0) == .tenantIDMismatch }
        #expect(auth.currentUser == nil)
        auth.tenantID = nil
        #expect(try await auth.signInAnonymously().user.tenantID == nil)
    }

    @Test("a sign-in returns no credential of an identity provider")
    func credential() async throws {
        let server = try StandIn { _ in
            StandIn.Answer(body: #"{"idToken":"\#(idToken(of: "ann"))","refreshToken":"r"}"#)
        }
        let result = try await TestApp(server.url).auth.signInAnonymously()
        // The type that code for several providers uses.
        let credential: AuthCredential? = result.credential
        #expect(credential == nil && result.credential?.accessToken == nil && result.credential?.provider == nil)
        #expect(result.additionalUserInfo?.newUser() == result.additionalUserInfo?.isNewUser)
    }

    @Test("a completion handler that is not Sendable is called once, on the main actor")
    @MainActor func completion() async throws {
        let server = try StandIn { _ in StandIn.Answer.error("ADMIN_ONLY_OPERATION") }
        let app = try TestApp(server.url)
        final class Calls { var count = 0 }
        let calls = Calls()
        await withCheckedContinuation { continuation in
            let completion = { (error: (any Error)?) in
                MainActor.assertIsolated()
                calls.count += error == nil ? 10 : 1
                continuation.resume()
            }
            app.auth.signInAnonymously { _, error in completion(error) }
        }
        #expect(calls.count == 1)
    }

    @Test("objects are equal if they are identical, and records if their values are")
    func equality() async throws {
        let app = try TestApp("http://127.0.0.1:1")
        let account = Account(uid: "ann")
        let users = try (1...2).map { _ in
            User(app.auth, account, try Tokens(idToken: idToken(of: "ann"), refreshToken: "r"))
        }
        #expect(users[0] != users[1] && Set(users + users).count == 2 && users[0].isEqual(users[0]))
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "secret")
        #expect(Set<AuthCredential>([credential, credential]).count == 1)
        #expect("\(credential)" == "AuthCredential(password)")
        #expect(Set([account.metadata, account.metadata]).count == 1)
    }

    @Test("settings that are set are copied")
    func settings() throws {
        let auth = try TestApp("http://127.0.0.1:1").auth
        let settings = AuthSettings()
        settings.appVerificationDisabledForTesting = true
        auth.settings = settings
        settings.appVerificationDisabledForTesting = false
        #expect(auth.settings?.isAppVerificationDisabledForTesting == true && auth.settings !== settings)
        auth.settings = nil
        #expect(auth.settings == nil)
    }

    @Test("the configured apps are listed by name until they are deleted")
    func allApps() throws {
        let name = UUID().uuidString
        let options = DialtoneOptions(url: URL(string: "http://127.0.0.1:1"), apiKey: "k")
        let app = DialtoneApp.configure(name: name, options: options, store: MemoryStore())
        #expect(DialtoneApp.allApps?[name] === app)
        app.delete()
        #expect(DialtoneApp.allApps?[name] == nil)
    }

    @Test("URLs of authenticator apps are opened, and no others")
    func authenticatorURL() {
        #expect(TOTPSecret.authenticatorURL("otpauth://totp/My%20app:ann?secret=ABC") != nil)
        for url in ["", "tel:+16505550101", "https://example.com", "otpauth", "javascript:otpauth://"] {
            #expect(TOTPSecret.authenticatorURL(url) == nil)
        }
    }
}
