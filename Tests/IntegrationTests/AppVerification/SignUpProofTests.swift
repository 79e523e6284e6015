import TestServers
import Testing

/// Sign-ups in a project that requires a proof of the app.
@Suite struct SignUpProofTests {
    @Test(
        "a sign-up needs an app proof, one challenge token allows one sign-up, and sign-ins need none"
    )
    func proof() throws {
        let app = "PROJECT_DEMO_DIALTONE_APP_IOS_"
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "PROJECT_DEMO_DIALTONE_APPS": "ios", app + "BUNDLE_ID": PushDeployment.bundleID,
                app + "APP_ID": "1:123:ios:abc", app + "CLIENT_ID": "123-abc.apps.googleusercontent.com",
                "PROJECT_DEMO_DIALTONE_SIGN_UP_APP_PROOF": "required",
                "PROJECT_DEMO_DIALTONE_ANONYMOUS_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
            ]
        )
        let credentials = #""email":"ada@example.com","password":"correct horse""#
        func post(_ operation: String, _ members: String...) throws -> HTTPAnswer {
            try server.post(
                "/v1/accounts:\(operation)",
                "{\((members + [#""returnSecureToken":true"#]).joined(separator: ","))}",
                headers: [("X-Ios-Bundle-Identifier", PushDeployment.bundleID)]
            )
        }
        #expect(try post("signUp").errorMessage == "MISSING_APP_CREDENTIAL")
        #expect(try post("signUp", credentials).errorMessage == "MISSING_APP_CREDENTIAL")
        #expect(try post("signUp", #""recaptchaToken":"made-up""#).errorMessage == "INVALID_APP_CREDENTIAL")
        let token = #""recaptchaToken":"\#(try ChallengedApp().token(from: server))""#
        #expect(try post("signUp", credentials, token).status == 200)
        #expect(try post("signUp", token).errorMessage == "INVALID_APP_CREDENTIAL")
        #expect(try post("signInWithPassword", credentials).status == 200)
        #expect(try post("signUp", #""recaptchaToken":"\#(try ChallengedApp().token(from: server))""#).status == 200)
    }
}
