import Encodings
import TestServers

/// The calls that SDKs make about second factors, and what comes before them.
extension RunningServer {
    /// Signs up with a password; the address counts as verified.
    func secondFactorUser(_ email: String) throws -> (uid: String, idToken: String) {
        let fields = #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#
        let signedUp = try post("/v1/accounts:signUp", fields)
        guard let uid = signedUp["localId"], let idToken = signedUp["idToken"] else {
            throw ServerFailure(description: signedUp.errorMessage ?? "")
        }
        let verified = try post(
            "/v1/projects/demo-dialtone/accounts:update",
            #"{"localId":"\#(uid)","emailVerified":true}"#,
            headers: [("Authorization", "Bearer owner")]
        )
        guard verified.status == 200 else { throw ServerFailure(description: verified.errorMessage ?? "") }
        return (uid, idToken)
    }

    /// Sends a code to a number that is to become a second factor, and answers it.
    func enrollPhone(_ number: String, _ idToken: String) throws -> HTTPAnswer {
        let started = try post(
            "/v2/accounts/mfaEnrollment:start",
            #"{"idToken":"\#(idToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"}}"#
        )
        guard case .object(let info) = started.json["phoneSessionInfo"] else {
            throw ServerFailure(description: started.errorMessage ?? "")
        }
        let session = info.text("sessionInfo")
        let answer = #"{"sessionInfo":"\#(session)","code":"\#(try code(of: session))"}"#
        return try post(
            "/v2/accounts/mfaEnrollment:finalize",
            #"{"idToken":"\#(idToken)","displayName":"Mine","phoneVerificationInfo":\#(answer)}"#
        )
    }

    /// Proves the first factor, has the phone texted that is the second one, and returns what proves that.
    func answerSecondFactor(_ email: String) throws -> (signIn: HTTPAnswer, finish: String) {
        let fields = #"{"email":"\#(email)","password":"correct horse","returnSecureToken":true}"#
        let signIn = try post("/v1/accounts:signInWithPassword", fields)
        guard let credential = signIn["mfaPendingCredential"], case .array(let factors) = signIn.json["mfaInfo"],
            case .object(let factor)? = factors.first
        else { throw ServerFailure(description: "no second factor was asked for") }
        let id = factor.text("mfaEnrollmentId")
        let started = try post(
            "/v2/accounts/mfaSignIn:start",
            #"{"mfaPendingCredential":"\#(credential)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":{"recaptchaToken":"t"}}"#
        )
        guard case .object(let info) = started.json["phoneResponseInfo"] else {
            throw ServerFailure(description: started.errorMessage ?? "")
        }
        let session = info.text("sessionInfo")
        let answer = #"{"sessionInfo":"\#(session)","code":"\#(try code(of: session))"}"#
        return (signIn, #"{"mfaPendingCredential":"\#(credential)","phoneVerificationInfo":\#(answer)}"#)
    }
}
