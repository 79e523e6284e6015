import APNsStandIn
import Encodings
import TestServers
import Testing

/// Second factors as the iOS SDK requests them: with v2 paths, legacy paths for everything else, and proof of the app.
@Suite(.timeLimit(.minutes(30))) struct SecondFactorAppleTests {
    /// The app's proof.
    enum Proof: CaseIterable {
        case push, challengePage
    }

    static let legacy = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    static let second = "/identitytoolkit.googleapis.com/v2/accounts"

    private func call(_ server: RunningServer, _ path: String, _ json: String) throws -> JSONObject {
        let answer = try server.post(
            path,
            json,
            headers: [
                ("X-Client-Version", "iOS/FirebaseSDK/11.0.0/FirebaseCore-iOS"),
                ("X-Ios-Bundle-Identifier", PushDeployment.bundleID), ("X-Firebase-GMPID", "1:123:ios:abc"),
                ("X-Firebase-Locale", "en"),
            ]
        )
        try #require(answer.status == 200, "\(path): \(answer.text)")
        return answer.json
    }

    /// Returns the fields of a proof. A token of the challenge page is valid for one message, and a receipt for many.
    private func fields(of proof: Proof, _ deployment: PushDeployment, _ device: Int) async throws -> String {
        switch proof {
        case .push:
            _ = try deployment.verifyClient(PushDeployment.device(device))
            let push = try #require(await deployment.production.pushes(atLeast: device).last)
            let credential = try #require(push.credential)
            return #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(credential.secret)""#
        case .challengePage:
            return #""recaptchaToken":"\#(try ChallengedApp().token(from: deployment.server))""#
        }
    }

    private static let enterprise =
        #""captchaResponse":"NO_RECAPTCHA","recaptchaVersion":"RECAPTCHA_ENTERPRISE","clientType":"CLIENT_TYPE_IOS""#

    private static func deployment() async throws -> PushDeployment {
        try await PushDeployment.start(
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "optional",
            ],
            workers: 2
        )
    }

    private func signUp(_ server: RunningServer, _ email: String) throws -> JSONObject {
        let user = try call(
            server,
            "\(Self.legacy)/signupNewUser",
            #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true,"clientType":"CLIENT_TYPE_IOS"}"#
        )
        let verified = try server.administer(
            "update",
            #"{"localId":"\#(user.text("localId"))","emailVerified":true}"#,
            bearer: try server.adminBearer()
        )
        #expect(verified.status == 200)
        return user
    }

    private func signIn(_ server: RunningServer, _ email: String) throws -> JSONObject {
        try call(
            server,
            "\(Self.legacy)/verifyPassword",
            #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true,"clientType":"CLIENT_TYPE_IOS"}"#
        )
    }

    private func refresh(_ server: RunningServer, _ token: String) throws -> JSONObject {
        try call(
            server,
            "/securetoken.googleapis.com/v1/token",
            #"{"grantType":"refresh_token","refreshToken":"\#(token)"}"#
        )
    }

    @Test(
        "a phone is enrolled, listed and used to sign in, and its number is masked",
        arguments: Proof.allCases
    )
    func phone(proof: Proof) async throws {
        let deployment = try await Self.deployment()
        let server = deployment.server
        try server.startDispatcher()
        let email = SecondFactorUser.freshEmail()
        let number = SecondFactorUser.freshNumber()
        let user = try signUp(server, email)
        let first = try await fields(of: proof, deployment, 1)
        let started = try call(
            server,
            "\(Self.second)/mfaEnrollment:start",
            #"{"idToken":"\#(user.text("idToken"))","phoneEnrollmentInfo":{"phoneNumber":"\#(number)",\#(Self.enterprise),\#(first)}}"#
        )
        let session = started.object("phoneSessionInfo").text("sessionInfo")
        let enrolled = try call(
            server,
            "\(Self.second)/mfaEnrollment:finalize",
            #"{"idToken":"\#(user.text("idToken"))","displayName":"My phone","phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(try deployment.code(sentTo: number))"}}"#
        )
        let shown = try call(server, "\(Self.legacy)/getAccountInfo", #"{"idToken":"\#(enrolled.text("idToken"))"}"#)
        let factor = try #require(shown.objects("users").first?.objects("mfaInfo").first)
        #expect(factor.text("displayName") == "My phone")
        #expect(factor.text("phoneInfo") == number)

        let challenge = try signIn(server, email)
        // The SDK requests the second factor if a response has no ID token.
        let hint = try #require(challenge.objects("mfaInfo").first)
        #expect(challenge["idToken"] == nil && hint.text("mfaEnrollmentId") == factor.text("mfaEnrollmentId"))
        let stars = hint.text("phoneInfo")
        #expect(stars == "+*******" + number.suffix(4))
        let credential = challenge.text("mfaPendingCredential")
        let second = proof == .push ? first : try await fields(of: proof, deployment, 2)
        let asked = try call(
            server,
            "\(Self.second)/mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))","phoneSignInInfo":{"phoneNumber":"\#(stars)",\#(Self.enterprise),\#(second)}}"#
        )
        let answered = asked.object("phoneResponseInfo").text("sessionInfo")
        let signedIn = try call(
            server,
            "\(Self.second)/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)","phoneVerificationInfo":{"sessionInfo":"\#(answered)","code":"\#(try deployment.code(sentTo: number))","phoneNumber":"\#(stars)"}}"#
        )
        let refreshed = try refresh(server, signedIn.text("refreshToken"))
        for token in [signedIn.text("idToken"), refreshed.text("access_token")] {
            let firebase = try idTokenClaims(token).object("firebase")
            #expect(firebase.text("sign_in_second_factor") == "phone")
            #expect(firebase.text("second_factor_identifier") == factor.text("mfaEnrollmentId"))
        }
        for secret in [number.dropFirst(2), credential[...], session[...], answered[...]] {
            #expect(!server.log.contains(secret))
        }
    }

    @Test("an authenticator app is enrolled, used to sign in, and withdrawn")
    func app() async throws {
        let server = try await Self.deployment().server
        let email = SecondFactorUser.freshEmail()
        let user = try signUp(server, email)
        let started = try call(
            server,
            "\(Self.second)/mfaEnrollment:start",
            #"{"idToken":"\#(user.text("idToken"))","totpEnrollmentInfo":{}}"#
        )
        let info = started.object("totpSessionInfo")
        let app = try #require(AuthenticatorApp(info.text("sharedSecretKey")))
        _ = try call(
            server,
            "\(Self.second)/mfaEnrollment:finalize",
            #"{"idToken":"\#(user.text("idToken"))","displayName":"My app","totpVerificationInfo":{"sessionInfo":"\#(info.text("sessionInfo"))","verificationCode":"\#(app.code())"}}"#
        )
        let challenge = try signIn(server, email)
        let factor = try #require(challenge.objects("mfaInfo").first)
        #expect(factor["totpInfo"] == .object(JSONObject()))
        let signedIn = try call(
            server,
            "\(Self.second)/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(challenge.text("mfaPendingCredential"))","totpVerificationInfo":{"verificationCode":"\#(app.code(1))"},"mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))"}"#
        )
        let withdrawn = try call(
            server,
            "\(Self.second)/mfaEnrollment:withdraw",
            #"{"idToken":"\#(signedIn.text("idToken"))","mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))"}"#
        )
        #expect(!withdrawn.text("idToken").isEmpty && !withdrawn.text("refreshToken").isEmpty)
        #expect(try !signIn(server, email).text("idToken").isEmpty)
    }
}
