import Encodings
import TestServers
import Testing

/// Fields of the wrong type, size or spelling: the response is 4xx in the protocol's envelope, and the server
/// continues.
@Suite(.sharedServer) struct SecondFactorInputTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    /// Otherwise valid bodies with a place for a value.
    private static let bodies: [(operation: String, body: String)] = [
        ("mfaEnrollment:start", #"{"idToken":?}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":?}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":{"phoneNumber":?}}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":{"phoneNumber":"x","recaptchaToken":?}}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":{"phoneNumber":"x","iosReceipt":?}}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":{"phoneNumber":"x","clientType":?}}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","phoneEnrollmentInfo":{"phoneNumber":"x","autoRetrievalInfo":?}}"#),
        ("mfaEnrollment:start", #"{"idToken":"T","tenantId":?}"#),
        ("mfaEnrollment:finalize", #"{"idToken":?,"phoneVerificationInfo":{"sessionInfo":"x","code":"x"}}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","phoneVerificationInfo":?}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","totpVerificationInfo":?}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","phoneVerificationInfo":{"sessionInfo":?,"code":"x"}}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","phoneVerificationInfo":{"sessionInfo":"x","code":?}}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","totpVerificationInfo":{"sessionInfo":?,"verificationCode":"x"}}"#),
        ("mfaEnrollment:finalize", #"{"idToken":"T","totpVerificationInfo":{"sessionInfo":"x","verificationCode":?}}"#),
        (
            "mfaEnrollment:finalize",
            #"{"idToken":"T","displayName":?,"phoneVerificationInfo":{"sessionInfo":"x","code":"x"}}"#
        ),
        ("mfaEnrollment:withdraw", #"{"idToken":?,"mfaEnrollmentId":"x"}"#),
        ("mfaEnrollment:withdraw", #"{"idToken":"T","mfaEnrollmentId":?}"#),
        ("mfaRecoveryCodes:generate", #"{"idToken":?}"#),
        ("mfaSignIn:start", #"{"mfaPendingCredential":?,"mfaEnrollmentId":"x","phoneSignInInfo":{}}"#),
        ("mfaSignIn:start", #"{"mfaPendingCredential":"P","mfaEnrollmentId":?,"phoneSignInInfo":{}}"#),
        ("mfaSignIn:start", #"{"mfaPendingCredential":"P","mfaEnrollmentId":"x","phoneSignInInfo":?}"#),
        (
            "mfaSignIn:start",
            #"{"mfaPendingCredential":"P","mfaEnrollmentId":"x","phoneSignInInfo":{"recaptchaToken":?}}"#
        ),
        ("mfaSignIn:finalize", #"{"mfaPendingCredential":?,"phoneVerificationInfo":{"sessionInfo":"x","code":"x"}}"#),
        ("mfaSignIn:finalize", #"{"mfaPendingCredential":"P","phoneVerificationInfo":?}"#),
        ("mfaSignIn:finalize", #"{"mfaPendingCredential":"P","mfaEnrollmentId":"F","totpVerificationInfo":?}"#),
        ("mfaSignIn:finalize", #"{"mfaPendingCredential":"P","phoneVerificationInfo":{"sessionInfo":?,"code":"x"}}"#),
        ("mfaSignIn:finalize", #"{"mfaPendingCredential":"P","phoneVerificationInfo":{"sessionInfo":"x","code":?}}"#),
        (
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"P","mfaEnrollmentId":?,"totpVerificationInfo":{"verificationCode":"x"}}"#
        ),
        (
            "mfaSignIn:finalize",
            #"{"mfaPendingCredential":"P","mfaEnrollmentId":"x","totpVerificationInfo":{"verificationCode":?}}"#
        ),
    ]

    private static let values = [
        "null", "true", "5", "-1e400", #""""#, "[]", "{}", #"["x"]"#, #"{"x":1}"#, #""\u0000""#, #""\ud83d\ude00""#,
        #""* totp-step:x""#, #""\#(String(repeating: "A", count: 20_000))""#,
    ]

    @Test("in every field, a value of another type or length is rejected")
    func values() throws {
        var ada = try SecondFactorUser(server)
        let (id, _) = try ada.enrollApp()
        let pending = try ada.pendingCredential()
        for (operation, template) in Self.bodies {
            for value in Self.values {
                let body = template.replacing(#""T""#, with: #""\#(ada.idToken)""#)
                    .replacing(#""P""#, with: #""\#(pending)""#).replacing(#""F""#, with: #""\#(id)""#)
                    .replacing("?", with: value)
                let answer = try server.secondFactors(operation, body)
                #expect((400..<500).contains(answer.status), "\(operation) \(template) \(value.prefix(20))")
                #expect(answer.errorMessage != nil)
            }
        }
        #expect(try server.lookUp(ada.idToken).status == 200 && ada.factors() == [id])
    }

    @Test(
        "other methods and content types are rejected",
        arguments: ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaEnrollment:withdraw", "mfaSignIn:start"]
    )
    func methods(operation: String) throws {
        let client = HTTPClient(port: server.port)
        let path = "/v2/accounts/\(operation)?key=k"
        #expect(try client.request("GET", path).status == 405)
        let text = [("Content-Type", "text/plain")]
        #expect(try client.request("POST", path, headers: text, body: Array("{}".utf8)).status == 415)
        #expect(try client.request("POST", "/v2/accounts/\(operation)").status == 403)
    }

    @Test("snake_case names are accepted, as the Android SDK sends them")
    func snakeCase() throws {
        let ada = try SecondFactorUser(server)
        let number = SecondFactorUser.freshNumber()
        let started = try server.secondFactors(
            "mfaEnrollment:start",
            #"{"id_token":"\#(ada.idToken)","phone_enrollment_info":{"phone_number":"\#(number)","client_type":2}}"#
        )
        let session = started.json.object("phoneSessionInfo").text("sessionInfo")
        let enrolled = try server.secondFactors(
            "mfaEnrollment:finalize",
            #"{"id_token":"\#(ada.idToken)","phone_verification_info":{"session_info":"\#(session)","code":"\#(try server.code(of: session))"}}"#
        )
        #expect(enrolled["idToken"] != nil, "\(enrolled.text)")
    }
}
