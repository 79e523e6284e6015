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
    }

    @Test("URLs of authenticator apps are opened, and no others")
    func authenticatorURL() {
        #expect(TOTPSecret.authenticatorURL("otpauth://totp/My%20app:ann?secret=ABC") != nil)
        for url in ["", "tel:+16505550101", "https://example.com", "otpauth", "javascript:otpauth://"] {
            #expect(TOTPSecret.authenticatorURL(url) == nil)
        }
    }
}
