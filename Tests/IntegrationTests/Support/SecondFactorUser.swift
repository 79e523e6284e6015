import Encodings
import Synchronization
import TestServers
import Testing

/// A user with a password, with the requests about second factors that the user's app sends.
struct SecondFactorUser {
    static let password = "correct horse"

    let server: RunningServer
    let email: String
    let uid: String
    private(set) var idToken: String
    private(set) var refreshToken: String

    /// Signs up, and verifies the address as an administrator. In development mode, `Bearer owner` is sufficient for
    /// that.
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

    // MARK: Requests

    private static let count = Atomic(0)

    static func freshEmail() -> String {
        "user\(count.add(1, ordering: .relaxed).newValue)@example.com"
    }

    /// Returns a new fictional number from +1 650 555 5001. Tests that choose numbers themselves use lower ones.
    static func freshNumber() -> String {
        "+1650555\(5000 + count.add(1, ordering: .relaxed).newValue)"
    }

    // MARK: Enrollment

    func startEnrollment(_ info: String) throws -> HTTPAnswer {
        try server.secondFactors("mfaEnrollment:start", #"{"idToken":"\#(idToken)",\#(info)}"#)
    }

    func finishEnrollment(_ info: String) throws -> HTTPAnswer {
        try server.secondFactors("mfaEnrollment:finalize", #"{"idToken":"\#(idToken)","displayName":"Mine",\#(info)}"#)
    }

    /// Opens a session to enroll a number, and returns its `sessionInfo`.
    func openEnrollment(_ number: String) throws -> String {
        let started = try startEnrollment(#""phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"}"#)
        let session = started.json.object("phoneSessionInfo").text("sessionInfo")
        try #require(!session.isEmpty, "\(started.text)")
        return session
    }

    /// Returns a request that finishes a number's enrollment. The code has already been looked up.
    func preparedEnrollment(of number: String) throws -> () throws -> HTTPAnswer {
        let session = try openEnrollment(number)
        let info = #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(try server.code(of: session))"}"#
        return { try finishEnrollment(info) }
    }

    /// Enrolls a number, and returns the factor's id.
    @discardableResult mutating func enroll(_ number: String) throws -> String {
        try take(try preparedEnrollment(of: number)())
    }

    /// Starts the enrollment of an authenticator app, and returns the app with its secret.
    func openAppEnrollment() throws -> (session: String, app: AuthenticatorApp) {
        let started = try startEnrollment(#""totpEnrollmentInfo":{}"#)
        let info = started.json.object("totpSessionInfo")
        return (
            info.text("sessionInfo"), try #require(AuthenticatorApp(info.text("sharedSecretKey")), "\(started.text)")
        )
    }

    /// Enrolls an authenticator app with the code of the step `steps` before the current one.
    mutating func enrollApp(stepsAgo steps: Int64 = 0) throws -> (id: String, app: AuthenticatorApp) {
        let (session, app) = try openAppEnrollment()
        let info = #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(app.code(-steps))"}"#
        return (try take(try finishEnrollment(info)), app)
    }

    /// Stores the tokens of a response, and returns the factor that they name.
    @discardableResult mutating func take(_ answer: HTTPAnswer) throws -> String {
        idToken = try #require(answer["idToken"], "\(answer.text)")
        refreshToken = try #require(answer["refreshToken"])
        return try idTokenClaims(idToken).object("firebase").text("second_factor_identifier")
    }

    /// Returns the user as `lookup` shows it.
    func lookUp() throws -> JSONObject {
        try #require(try server.lookUp(idToken).json.objects("users").first)
    }

    /// Returns the ids of the user's factors, in order of enrollment.
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

    /// Returns a request that proves the requested phone. The code has already been looked up.
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
