import Encodings
import TestServers
import Testing

/// Second factors as the JS SDK requests them: its paths in emulator mode, its headers, its bodies field by field.
@Suite(.sharedServer) struct SecondFactorWebTests {
    private let server: RunningServer
    private let email = SecondFactorUser.freshEmail()
    private let number = SecondFactorUser.freshNumber()

    init() throws {
        server = try #require(SharedServer.current)
    }

    /// The SDK's versions. Newer ones send the fields of reCAPTCHA Enterprise and report that it is not used.
    enum Version: CaseIterable {
        case old, new

        var enterpriseFields: String {
            switch self {
            case .old: ""
            case .new:
                #","captchaResponse":"NO_RECAPTCHA","clientType":"CLIENT_TYPE_WEB","recaptchaVersion":"RECAPTCHA_ENTERPRISE""#
            }
        }
    }

    private func call(_ path: String, _ json: String) throws -> JSONObject {
        let answer = try server.post(
            "/identitytoolkit.googleapis.com/\(path)",
            json,
            headers: [
                ("X-Client-Version", "Chrome/JsCore/11.0.0/FirebaseCore-web"), ("X-Firebase-gmpid", "1:123:web:abc"),
                ("Origin", "http://localhost:3000"), ("Referer", "http://localhost:3000/"),
            ]
        )
        try #require(answer.status == 200, "\(path): \(answer.text)")
        return answer.json
    }

    /// Signs up, verifies the e-mail address, and returns the tokens.
    private func signUp() throws -> JSONObject {
        let user = try call(
            "v1/accounts:signUp",
            #"{"returnSecureToken":true,"email":"\#(email)","password":"correct horse","clientType":"CLIENT_TYPE_WEB"}"#
        )
        let verified = try server.administer(
            "update",
            #"{"localId":"\#(user.text("localId"))","emailVerified":true}"#
        )
        #expect(verified.status == 200)
        return user
    }

    private func signIn() throws -> JSONObject {
        try call(
            "v1/accounts:signInWithPassword",
            #"{"returnSecureToken":true,"email":"\#(email)","password":"correct horse","clientType":"CLIENT_TYPE_WEB"}"#
        )
    }

    private func expectClaims(_ token: String, _ factor: String, _ id: String) throws {
        let claims = try idTokenClaims(token)
        let firebase = claims.object("firebase")
        #expect(firebase.text("sign_in_provider") == "password")
        #expect(firebase.text("sign_in_second_factor") == factor)
        #expect(firebase.text("second_factor_identifier") == id)
        #expect(claims.text("email") == email && claims["email_verified"] == .bool(true))
    }

    private func expectClaimsAfterRefresh(_ tokens: JSONObject, _ factor: String, _ id: String) throws {
        try expectClaims(tokens.text("idToken"), factor, id)
        let refreshed = try HTTPClient(port: server.port).request(
            "POST",
            "/securetoken.googleapis.com/v1/token?key=\(RunningServer.apiKey)",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("grant_type=refresh_token&refresh_token=\(tokens.text("refreshToken"))".utf8)
        )
        try expectClaims(try #require(refreshed["access_token"]), factor, id)
    }

    @Test("a phone is enrolled, listed, used to sign in, and withdrawn", arguments: Version.allCases)
    func phone(version: Version) throws {
        let user = try signUp()
        let started = try call(
            "v2/accounts/mfaEnrollment:start",
            #"{"idToken":"\#(user.text("idToken"))","phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"\#(version.enterpriseFields)}}"#
        )
        let session = started.object("phoneSessionInfo").text("sessionInfo")
        let enrolled = try call(
            "v2/accounts/mfaEnrollment:finalize",
            #"{"idToken":"\#(user.text("idToken"))","displayName":"My phone","phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}}"#
        )
        #expect(Set(enrolled.members.map(\.name)) == ["idToken", "refreshToken"])

        let shown = try call("v1/accounts:lookup", #"{"idToken":"\#(enrolled.text("idToken"))"}"#)
        let factor = try #require(shown.objects("users").first?.objects("mfaInfo").first)
        try expectHint(factor, name: "My phone")
        #expect(factor.text("phoneInfo") == number && factor["totpInfo"] == nil)
        try expectClaimsAfterRefresh(enrolled, "phone", factor.text("mfaEnrollmentId"))

        let challenge = try signIn()
        for name in ["idToken", "refreshToken", "expiresIn"] { #expect(challenge[name] == nil) }
        // Before the second factor is proven, only the last four digits are shown.
        let hint = try #require(challenge.objects("mfaInfo").first)
        try expectHint(hint, name: "My phone")
        #expect(hint.text("phoneInfo") == "+*******" + number.suffix(4))
        #expect(hint.text("mfaEnrollmentId") == factor.text("mfaEnrollmentId"))
        let credential = challenge.text("mfaPendingCredential")
        let asked = try call(
            "v2/accounts/mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))","phoneSignInInfo":{"recaptchaToken":"t"\#(version.enterpriseFields)}}"#
        )
        let proof = asked.object("phoneResponseInfo").text("sessionInfo")
        let signedIn = try call(
            "v2/accounts/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(credential)","phoneVerificationInfo":{"sessionInfo":"\#(proof)","code":"\#(try server.code(of: proof))"}}"#
        )
        #expect(Set(signedIn.members.map(\.name)) == ["idToken", "refreshToken"])
        try expectClaimsAfterRefresh(signedIn, "phone", factor.text("mfaEnrollmentId"))
        try withdraw(factor, signedIn)
    }

    @Test("an authenticator app is enrolled, listed, used to sign in, and withdrawn")
    func app() throws {
        let user = try signUp()
        let started = try call(
            "v2/accounts/mfaEnrollment:start",
            #"{"idToken":"\#(user.text("idToken"))","totpEnrollmentInfo":{}}"#
        )
        let info = started.object("totpSessionInfo")
        #expect(info["verificationCodeLength"] == .number("6") && info["periodSec"] == .number("30"))
        #expect(info.text("hashingAlgorithm") == "SHA1")
        // The Swift SDK accepts only this format; the JS SDK accepts everything that `Date` does.
        #expect(isTime(info.text("finalizeEnrollmentTime")))
        let app = try #require(AuthenticatorApp(info.text("sharedSecretKey")))
        // For a factor without a name, the SDK sends null.
        let enrolled = try call(
            "v2/accounts/mfaEnrollment:finalize",
            #"{"idToken":"\#(user.text("idToken"))","displayName":null,"totpVerificationInfo":{"sessionInfo":"\#(info.text("sessionInfo"))","verificationCode":"\#(app.code())"}}"#
        )
        #expect(enrolled["totpAuthInfo"] == .object(JSONObject()))
        let challenge = try signIn()
        let factor = try #require(challenge.objects("mfaInfo").first)
        try expectHint(factor, name: "")
        #expect(factor["totpInfo"] == .object(JSONObject()) && factor["phoneInfo"] == nil)
        try expectClaimsAfterRefresh(enrolled, "totp", factor.text("mfaEnrollmentId"))
        let signedIn = try call(
            "v2/accounts/mfaSignIn:finalize",
            #"{"mfaPendingCredential":"\#(challenge.text("mfaPendingCredential"))","mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))","totpVerificationInfo":{"verificationCode":"\#(app.code(1))"}}"#
        )
        #expect(Set(signedIn.members.map(\.name)) == ["idToken", "refreshToken"])
        try expectClaimsAfterRefresh(signedIn, "totp", factor.text("mfaEnrollmentId"))
        try withdraw(factor, signedIn)
    }

    private func isTime(_ text: String) -> Bool {
        text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
    }

    private func expectHint(_ factor: JSONObject, name: String) throws {
        #expect(!factor.text("mfaEnrollmentId").isEmpty)
        #expect(factor.text("displayName") == name)
        #expect(isTime(factor.text("enrolledAt")))
    }

    private func withdraw(_ factor: JSONObject, _ tokens: JSONObject) throws {
        let withdrawn = try call(
            "v2/accounts/mfaEnrollment:withdraw",
            #"{"idToken":"\#(tokens.text("idToken"))","mfaEnrollmentId":"\#(factor.text("mfaEnrollmentId"))"}"#
        )
        let firebase = try idTokenClaims(withdrawn.text("idToken")).object("firebase")
        #expect(firebase["sign_in_second_factor"] == nil && !withdrawn.text("refreshToken").isEmpty)
        #expect(try !signIn().text("idToken").isEmpty)
    }
}
