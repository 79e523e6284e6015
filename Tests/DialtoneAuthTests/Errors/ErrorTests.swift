import Foundation
import Testing

@testable import DialtoneAuth

@Suite struct ErrorTests {
    @Test(
        "codes, names, domain and keys are those of the Firebase SDK",
        arguments: [
            (AuthErrorCode.invalidCustomToken, 17000, "ERROR_INVALID_CUSTOM_TOKEN"),
            (.networkError, 17020, "ERROR_NETWORK_REQUEST_FAILED"), (.invalidAPIKey, 17023, "ERROR_INVALID_API_KEY"),
            (.missingIosBundleID, 17036, "ERROR_MISSING_IOS_BUNDLE_ID"),
            (.missingAndroidPackageName, 17037, "ERROR_MISSING_ANDROID_PKG_NAME"),
            (.invalidContinueURI, 17039, "ERROR_INVALID_CONTINUE_URI"),
            (.invalidVerificationCode, 17044, "ERROR_INVALID_VERIFICATION_CODE"),
            (.missingAppCredential, 17047, "MISSING_APP_CREDENTIAL"), (.quotaExceeded, 17052, "ERROR_QUOTA_EXCEEDED"),
            (.appVerificationUserInteractionFailure, 17059, "ERROR_APP_VERIFICATION_FAILED"),
            (.webSignInUserInteractionFailure, 17063, "ERROR_WEB_USER_INTERACTION_FAILURE"),
            (.tenantIDMismatch, 17072, "ERROR_TENANT_ID_MISMATCH"),
            (.gameKitNotLinked, 17076, "ERROR_GAME_KIT_NOT_LINKED"),
            (.secondFactorRequired, 17078, "ERROR_SECOND_FACTOR_REQUIRED"),
            (.recaptchaSDKNotLinked, 17208, "ERROR_RECAPTCHA_SDK_NOT_LINKED"),
            (.keychainError, 17995, "ERROR_KEYCHAIN_ERROR"), (.malformedJWT, 18000, "ERROR_MALFORMED_JWT"),
        ]
    )
    func codes(code: AuthErrorCode, rawValue: Int, name: String) {
        let error: any Error = code.error()
        #expect(code.rawValue == rawValue)
        #expect((error as NSError).domain == "FIRAuthErrorDomain")
        #expect((error as NSError).code == rawValue)
        #expect((error as NSError).userInfo[AuthErrorUserInfoNameKey] as? String == name)
        #expect(AuthErrorCode(error) == code)
    }

    @Test("an error of another domain has no code, even if the number is the same")
    func otherDomain() {
        #expect(AuthErrorCode(NSError(domain: "other", code: AuthErrorCode.sessionExpired.rawValue)) == nil)
        #expect(AuthErrorCode(CancellationError()) == nil)
    }

    private func error(_ status: Int, _ body: String) -> NSError {
        WireErrors.error(
            status: status,
            body: Data(body.utf8),
            ResponseDetails(reference: "7K3M-9QXA-2BCD", retryAfter: 9)
        )
    }

    @Test("the server's error code and explanation become the error's code and description, with reference and wait")
    func words() {
        let error = error(400, #"{"error":{"message":"TOO_MANY_ATTEMPTS_TRY_LATER : Reference 7K3M.","code":400}}"#)
        #expect(error.code == AuthErrorCode.tooManyRequests.rawValue)
        #expect(error.localizedDescription == "Reference 7K3M.")
        #expect(error.dialtoneReference == "7K3M-9QXA-2BCD")
        #expect(error.dialtoneRetryAfter == 9)
    }

    @Test(
        "a response gets a code by its error code or by its status, and an unknown one never ends a session",
        arguments: [
            (302, "", AuthErrorCode.networkError), (429, #"{"error":{"message":"TOKEN_EXPIRED"}}"#, .tooManyRequests),
            (502, "<html>TOKEN_EXPIRED</html>", .networkError),
            (503, #"{"error":{"message":"TOKEN_EXPIRED","code":503}}"#, .networkError),
            (400, "<html>", .internalError), (404, #"{"error":"TOKEN_EXPIRED"}"#, .internalError),
            (400, #"{"error":{"message":"SOMETHING_NEW : detail"}}"#, .internalError),
            (400, #"{"error":{"message":"EXPIRED_OOB_CODE"}}"#, .expiredActionCode),
            (400, #"{"error":{"message":"MISSING_OOB_CODE"}}"#, .invalidActionCode),
            (400, #"{"error":{"message":"UNAUTHORIZED_DOMAIN : Not authorized."}}"#, .unauthorizedDomain),
            (400, #"{"error":{"message":"INVALID_CONTINUE_URI : Not absolute."}}"#, .invalidContinueURI),
            (400, #"{"error":{"message":"MISSING_ANDROID_PACKAGE_NAME"}}"#, .missingAndroidPackageName),
            (403, #"{"error":{"message":"Missing a valid API key.","status":"PERMISSION_DENIED"}}"#, .invalidAPIKey),
            (400, #"{"error":{"message":"API key not valid.","errors":[{"reason":"keyInvalid"}]}}"#, .invalidAPIKey),
        ]
    )
    func statuses(status: Int, body: String, code: AuthErrorCode) {
        #expect(AuthErrorCode(error(status, body)) == code)
    }

    @Test("a server's explanation is bounded")
    func bound() {
        let long = String(repeating: "x", count: 10_000)
        #expect(error(400, #"{"error":{"message":"INVALID_CODE : \#(long)"}}"#).localizedDescription.count <= 300)
    }

    @Test("a server's explanation cannot add a line to a log or hide text in it")
    func controls() {
        let text = "a\u{1B}[2K\u{202E}b\u{2028}c" + String(repeating: "\u{301}", count: 100_000)
        let body = #"{"error":{"message":"INVALID_CODE : a\r\n\#(text)"}}"#
        let escaped = body.replacingOccurrences(of: "\u{1B}", with: "\\u001b")
        let description = error(400, escaped).localizedDescription.unicodeScalars
        #expect(description.starts(with: "aa[2Kbc".unicodeScalars) && description.count <= 300)
    }

    @Test("tokens are hidden when a user is dumped")
    func dumpedUser() throws {
        let app = try TestApp("https://auth.example.com")
        let user = try app.signIn("ann", refreshToken: "secret")
        var dumped = "\(user) \(String(reflecting: user))"
        dump(user, to: &dumped)
        dump(try AuthTokenResult(idToken(of: "ann")), to: &dumped)
        #expect(!dumped.contains("secret") && !dumped.contains("eyJ"))
    }

    @Test("secrets, codes and numbers are hidden when an Auth and its results are dumped")
    func dumps() async throws {
        let app = try TestApp("https://auth.example.com")
        let user = try app.signIn("ann", refreshToken: "secret")
        _ = app.auth.verifier.pushes.expect("receipt")
        #expect(
            app.auth.canHandleNotification(["com.google.firebase.auth": ["receipt": "receipt", "secret": "secret"]])
        )
        let verification = VerificationInProgress(
            verificationID: "secret",
            phoneNumber: "+16505550101",
            sentAt: Date(),
            resendAt: Date(),
            clockOffset: 0
        )
        let provider = UserInfoOfProvider(
            providerID: "phone",
            uid: "+16505550101",
            displayName: nil,
            photoURL: nil,
            email: nil,
            phoneNumber: "+16505550101"
        )
        let factor = FactorResponse(mfaEnrollmentId: "id", phoneInfo: "+16505550101")
        let pending = PendingSignIn(credential: "secret", provider: "phone", factors: [factor], isSignIn: true)
        let values: [Any] = [
            app.auth, user, verification, provider, MultiFactorInfo.make(factor),
            TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: "id", oneTimePassword: "secret"),
            MultiFactorSession(.signIn(pending)),
            MultiFactorResolver(app.auth, pending) { _, _ in throw CancellationError() },
            PhoneAuthProvider.provider(auth: app.auth),
            ExchangedFirebaseSession.customToken("secret"),
            ExchangedFirebaseSession.tokens(idToken: "secret", refreshToken: "secret"),
            SecondFactorInProgress(verification: verification, resolver: nil),
            ActionCodeInfo(ActionCodeResponse(requestType: "VERIFY_EMAIL", email: "secret@example.com")),
            try #require(ActionCodeURL(link: "https://example.com/?oobCode=secret")),
            EmailAuthProvider.credential(withEmail: "ann@example.com", link: "https://example.com/?oobCode=secret"),
        ]
        for value in values {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains("secret") && !text.contains("5550101") && !text.contains("eyJ"), "\(text)")
        }
    }

    @Test("a code that is thrown by itself is an error in the same domain")
    func thrownCode() {
        let error: any Error = AuthErrorCode.sessionExpired
        #expect(AuthErrorCode(error) == .sessionExpired)
        #expect((error as NSError).domain == AuthErrorDomain)
    }

    @Test("codes and passwords are hidden when a credential is printed")
    func printing() {
        let credential = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let text = "\(credential) \(String(reflecting: credential)) \(Mirror(reflecting: credential).children.count)"
        #expect(!text.contains("horse"))
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("horse"))
    }
}
