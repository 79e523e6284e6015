import Encodings
import Synchronization
import TestServers
import Testing

/// A user with a password, whose app makes the calls about second factors.
struct SecondFactorUser {
    static let password = "correct horse"

    let server: RunningServer
    let email: String
    let uid: String
    private(set) var idToken: String
    private(set) var refreshToken: String

    /// Signs up. In development mode everybody who says so is an administrator, who verifies the address.
    init(_ server: RunningServer, isEmailVerified: Bool = true, bearer: String = "Bearer owner") throws {
        self.server = server
        email = Self.freshEmail()
        let signedUp = try server.post(
            "/v1/accounts:signUp",
            #"{"email":"\#(email)","password":"\#(Self.password)","returnSecureToken":true}"#
        )
        uid = try #require(signedUp["localId"], "\(signedUp.text)")
        idToken = try #require(signedUp["idToken"])
        refreshToken = try #require(signedUp["refreshToken"])
        guard isEmailVerified else { return }
        let verified = try server.administer("update", #"{"localId":"\#(uid)","emailVerified":true}"#, bearer: bearer)
        try #require(verified.status == 200, "\(verified.text)")
    }

    // MARK: The user's own requests

    private static let count = Atomic(0)

    static func freshEmail() -> String {
        "user\(count.add(1, ordering: .relaxed).newValue)@example.com"
    }

    /// A fictional number, +1 650 555 5001 or one after it. Tests that choose numbers themselves stay below.
    static func freshNumber() -> String {
        "+1650555\(5000 + count.add(1, ordering: .relaxed).newValue)"
    }

    // MARK: Enrolment

    func startEnrollment(_ info: String) throws -> HTTPAnswer {
        try server.secondFactors("mfaEnrollment:start", #"{"idToken":"\#(idToken)",\#(info)}"#)
    }

    func finishEnrollment(_ info: String) throws -> HTTPAnswer {
        try server.secondFactors("mfaEnrollment:finalize", #"{"idToken":"\#(idToken)","displayName":"Mine",\#(info)}"#)
    }

    /// Opens a session for a number that is to become a second factor, and returns its `sessionInfo`.
    func openEnrollment(_ number: String) throws -> String {
        let started = try startEnrollment(#""phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"}"#)
        let session = started.json.object("phoneSessionInfo").text("sessionInfo")
        try #require(!session.isEmpty, "\(started.text)")
        return session
    }

    /// What comes of finishing a number's enrolment, when it is asked; the code is looked up beforehand.
    func preparedEnrollment(of number: String) throws -> () throws -> HTTPAnswer {
        let session = try openEnrollment(number)
        let info = #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}"#
        return { try finishEnrollment(info) }
    }

    /// Enrols a number, and returns the factor's id.
    @discardableResult mutating func enroll(_ number: String) throws -> String {
        try take(try preparedEnrollment(of: number)())
    }

    /// Asks for an authenticator app's secret.
    func openAppEnrollment() throws -> (session: String, app: AuthenticatorApp) {
        let started = try startEnrollment(#""totpEnrollmentInfo":{}"#)
        let info = started.json.object("totpSessionInfo")
        return (
            info.text("sessionInfo"), try #require(AuthenticatorApp(info.text("sharedSecretKey")), "\(started.text)")
        )
    }

    /// Enrols an authenticator app by the code of the step that many before now.
    mutating func enrollApp(stepsAgo steps: Int64 = 0) throws -> (id: String, app: AuthenticatorApp) {
        let (session, app) = try openAppEnrollment()
        let info = #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(app.code(-steps))"}"#
        return (try take(try finishEnrollment(info)), app)
    }

    /// Keeps the tokens of an answer, and returns the factor that they name.
    @discardableResult mutating func take(_ answer: HTTPAnswer) throws -> String {
        idToken = try #require(answer["idToken"], "\(answer.text)")
        refreshToken = try #require(answer["refreshToken"])
        return try idTokenClaims(idToken).object("firebase").text("second_factor_identifier")
    }

    /// The user as `lookup` shows it.
    func lookUp() throws -> JSONObject {
        try #require(try server.lookUp(idToken).json.objects("users").first)
    }

    /// The ids of the factors that the user has, the first enrolled first.
    func factors() throws -> [String] { try signIn().json.objects("mfaInfo").map { $0.text("mfaEnrollmentId") } }

    func makeRecoveryCodes() throws -> [String] {
        let made = try server.secondFactors("mfaRecoveryCodes:generate", #"{"idToken":"\#(idToken)"}"#)
        guard case .array(let codes) = made.json["recoveryCodes"] else {
            throw ServerFailure(description: made.text)
        }
        return codes.compactMap { if case .string(let code) = $0 { code } else { nil } }
    }

    // MARK: Sign-in

    func signIn(_ password: String = SecondFactorUser.password) throws -> HTTPAnswer {
        try server.post(
            "/v1/accounts:signInWithPassword",
            #"{"email":"\#(email)","password":"\#(password)","returnSecureToken":true}"#
        )
    }

    /// What comes of proving the phone that is asked for, when it is asked; the code is looked up beforehand.
    func preparedSignIn() throws -> () throws -> HTTPAnswer {
        let first = try signIn()
        let credential = try #require(first["mfaPendingCredential"], "\(first.text)")
        let id = try #require(first.json.objects("mfaInfo").first).text("mfaEnrollmentId")
        let session = try server.openSecondFactor(credential, id)
        let code = try server.code(of: session)
        return { try server.finishPhone(credential, session, code) }
    }

    /// Proves the first factor, and returns the pending credential.
    func pendingCredential() throws -> String {
        let answer = try signIn()
        return try #require(answer["mfaPendingCredential"], "\(answer.text)")
    }
}
