import Encodings
import TestServers
import Testing

/// Every refusal about second factors, with the protocol's message and in the order of the checks.
@Suite(.sharedServer) struct SecondFactorErrorTests {
    let server: RunningServer

    init() throws {
        server = try #require(SharedServer.current)
    }

    private func expect(_ table: [(operation: String, json: String, message: String)]) throws {
        for (operation, json, message) in table {
            let answer = try server.secondFactors(operation, json)
            #expect(answer.status == 400 && answer.errorMessage == message, "\(operation) \(json)")
            if answer.status == 400 { try expectEnvelope(answer, status: "INVALID_ARGUMENT") }
        }
    }

    private static let firstFactor = "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
    private static let unverified = "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
    private static let provider = "INVALID_ARGUMENT : MFA provider not supported!"
    private static let missingID = "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."

    @Test("an enrollment that is not allowed or incomplete gets its error")
    func enrollment() throws {
        var ada = try SecondFactorUser(server)
        let number = SecondFactorUser.freshNumber()
        try ada.enroll(number)
        let verified = #""idToken":"\#(ada.idToken)""#
        let unverified = #""idToken":"\#(try SecondFactorUser(server, isEmailVerified: false).idToken)""#
        let anonymous = #""idToken":"\#(try #require(try server.post("/v1/accounts:signUp", "{}")["idToken"]))""#
        let byPhone =
            #""idToken":"\#(try #require(try server.signInFresh(SecondFactorUser.freshNumber())["idToken"]))""#
        for (operation, info) in [("start", "Enrollment"), ("finalize", "Verification")] {
            try expect([
                ("mfaEnrollment:\(operation)", "{}", "MISSING_ID_TOKEN"),
                ("mfaEnrollment:\(operation)", #"{"idToken":""}"#, "MISSING_ID_TOKEN"),
                ("mfaEnrollment:\(operation)", #"{"idToken":"x"}"#, "INVALID_ID_TOKEN"),
                ("mfaEnrollment:\(operation)", "{\(anonymous)}", Self.firstFactor),
                ("mfaEnrollment:\(operation)", "{\(byPhone)}", Self.firstFactor),
                ("mfaEnrollment:\(operation)", "{\(unverified)}", Self.unverified),
                ("mfaEnrollment:\(operation)", #"{\#(unverified),"totp\#(info)Info":{}}"#, Self.unverified),
                (
                    "mfaEnrollment:\(operation)", "{\(verified)}",
                    "INVALID_ARGUMENT : ((Missing phone\(info)Info.))"
                ),
                (
                    "mfaEnrollment:\(operation)", #"{\#(verified),"tenantId":"t"}"#,
                    "UNSUPPORTED_TENANT_OPERATION"
                ),
            ])
        }
        for json in ["{}", #"{"phoneNumber":""}"#, #"{"phoneNumber":"invalid"}"#, #"{"phoneNumber":7}"#] {
            try expect([
                (
                    "mfaEnrollment:start", #"{\#(verified),"phoneEnrollmentInfo":\#(json)}"#,
                    "INVALID_PHONE_NUMBER : Invalid format."
                )
            ])
        }
        try expect([
            (
                "mfaEnrollment:start", #"{\#(verified),"phoneEnrollmentInfo":{"phoneNumber":"\#(number)"}}"#,
                "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account."
            )
        ])
    }

    @Test("a wrong proof of a new factor gets its error")
    func enrollmentProof() throws {
        var ada = try SecondFactorUser(server)
        let session = try ada.openEnrollment(SecondFactorUser.freshNumber())
        let code = try server.code(of: session)
        let (appSession, app) = try ada.openAppEnrollment()
        func phone(_ json: String) -> String { #""phoneVerificationInfo":\#(json)"# }
        func totp(_ json: String) -> String { #""totpVerificationInfo":\#(json)"# }
        for (info, message) in [
            (phone("{}"), "MISSING_CODE"), (phone(#"{"code":"123456"}"#), "MISSING_SESSION_INFO"),
            (phone(#"{"sessionInfo":"x","code":"123456"}"#), "INVALID_SESSION_INFO"),
            (phone(#"{"sessionInfo":"\#(appSession)","code":"123456"}"#), "INVALID_SESSION_INFO"),
            (phone(#"{"sessionInfo":"\#(session)","code":"\#(wrongCode(besides: code))"}"#), "INVALID_CODE"),
            (phone(#"{"sessionInfo":"\#(session)","code":"abcdef"}"#), "INVALID_CODE"),
            (totp("{}"), "MISSING_CODE"), (totp(#"{"verificationCode":"123456"}"#), "MISSING_SESSION_INFO"),
            (totp(#"{"sessionInfo":"x","verificationCode":"123456"}"#), "INVALID_SESSION_INFO"),
            (totp(#"{"sessionInfo":"\#(session)","verificationCode":"123456"}"#), "INVALID_SESSION_INFO"),
            (totp(#"{"sessionInfo":"\#(appSession)","verificationCode":"abcdef"}"#), "INVALID_CODE"),
            (totp(#"{"sessionInfo":"\#(appSession)","verificationCode":"\#(app.code(5))"}"#), "INVALID_CODE"),
        ] {
            let answer = try ada.finishEnrollment(info)
            #expect(answer.status == 400 && answer.errorMessage == message, "\(info)")
        }
        for right in [
            phone(#"{"sessionInfo":"\#(session)","code":"\#(code)"}"#),
            totp(#"{"sessionInfo":"\#(appSession)","verificationCode":"\#(app.code())"}"#),
        ] {
            try ada.take(try ada.finishEnrollment(right))
            #expect(try ada.finishEnrollment(right).errorMessage == "SESSION_EXPIRED")
        }
    }

    @Test("a withdrawal that names no known factor gets its error")
    func withdrawal() throws {
        var ada = try SecondFactorUser(server)
        var bob = try SecondFactorUser(server)
        try ada.enroll(SecondFactorUser.freshNumber())
        let bobs = try bob.enroll(SecondFactorUser.freshNumber())
        let token = #""idToken":"\#(ada.idToken)""#
        try expect(
            [
                ("{}", "MISSING_ID_TOKEN"), (#"{"idToken":"x","mfaEnrollmentId":"x"}"#, "INVALID_ID_TOKEN"),
                ("{\(token)}", "MFA_ENROLLMENT_NOT_FOUND"),
                (#"{\#(token),"mfaEnrollmentId":""}"#, "MFA_ENROLLMENT_NOT_FOUND"),
                (#"{\#(token),"mfaEnrollmentId":"x"}"#, "MFA_ENROLLMENT_NOT_FOUND"),
                (#"{\#(token),"mfaEnrollmentId":"\#(bobs)"}"#, "MFA_ENROLLMENT_NOT_FOUND"),
            ].map { ("mfaEnrollment:withdraw", $0, $1) }
        )
        #expect(try bob.factors() == [bobs])
    }

    @Test("a second factor that cannot be requested gets its error")
    func start() throws {
        var ada = try SecondFactorUser(server)
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (app, _) = try ada.enrollApp()
        let credential = #""mfaPendingCredential":"\#(try ada.pendingCredential())""#
        let info = #""phoneSignInInfo":{"recaptchaToken":"t"}"#
        let missing = "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential."
        try expect(
            [
                ("{}", missing), (#"{"mfaEnrollmentId":"\#(phone)",\#(info)}"#, missing),
                ("{\(credential)}", Self.missingID),
                (#"{"mfaPendingCredential":"x",\#(info)}"#, Self.missingID),
                (#"{\#(credential),"mfaEnrollmentId":"\#(phone)","totpSignInInfo":{}}"#, Self.provider),
                (#"{\#(credential),"mfaEnrollmentId":"x",\#(info)}"#, "MFA_ENROLLMENT_NOT_FOUND"),
                // No message can be sent to an authenticator app.
                (#"{\#(credential),"mfaEnrollmentId":"\#(app)",\#(info)}"#, Self.provider),
                (
                    #"{"mfaPendingCredential":"x","mfaEnrollmentId":"\#(phone)",\#(info)}"#,
                    "INVALID_MFA_PENDING_CREDENTIAL"
                ),
                (
                    #"{"mfaPendingCredential":"\#(ada.idToken)","mfaEnrollmentId":"\#(phone)",\#(info)}"#,
                    "INVALID_MFA_PENDING_CREDENTIAL"
                ),
                (
                    #"{\#(credential),"mfaEnrollmentId":"\#(phone)",\#(info),"tenantId":"t"}"#,
                    "UNSUPPORTED_TENANT_OPERATION"
                ),
            ].map { ("mfaSignIn:start", $0, $1) }
        )
    }

    @Test("a wrong proof of a second factor gets its error")
    func finalize() throws {
        var ada = try SecondFactorUser(server)
        let id = try ada.enroll(SecondFactorUser.freshNumber())
        let (appID, app) = try ada.enrollApp()
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, id)
        let code = try server.code(of: session)
        let credential = #""mfaPendingCredential":"\#(pending)""#
        let missing = "MISSING_CREDENTIAL : Please set MFA Pending Credential."
        let right = #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#
        func phone(_ json: String) -> String { #"{\#(credential),"phoneVerificationInfo":\#(json)}"# }
        func totp(_ json: String, _ id: String) -> String {
            #"{\#(credential),"mfaEnrollmentId":"\#(id)","totpVerificationInfo":\#(json)}"#
        }
        try expect(
            [
                ("{}", missing), ("{\(right)}", missing), ("{\(credential)}", Self.provider),
                (phone("{}"), "MISSING_CODE"), (phone(#"{"code":"123456"}"#), "MISSING_SESSION_INFO"),
                (#"{"mfaPendingCredential":"x",\#(right)}"#, "INVALID_MFA_PENDING_CREDENTIAL"),
                (phone(#"{"sessionInfo":"x","code":"123456"}"#), "INVALID_SESSION_INFO"),
                (phone(#"{"sessionInfo":"\#(session)","code":"\#(wrongCode(besides: code))"}"#), "INVALID_CODE"),
                (#"{\#(credential),"totpVerificationInfo":{}}"#, Self.missingID), (totp("{}", appID), "MISSING_CODE"),
                (totp(#"{"verificationCode":"123456"}"#, "x"), "MFA_ENROLLMENT_NOT_FOUND"),
                (totp(#"{"verificationCode":"\#(app.code(1))"}"#, id), "MFA_ENROLLMENT_NOT_FOUND"),
                (totp(#"{"verificationCode":"abcdef"}"#, appID), "INVALID_CODE"),
                (totp(#"{"verificationCode":"\#(app.code(5))"}"#, appID), "INVALID_CODE"),
                (totp(#"{"verificationCode":"ABCDE-FGH23"}"#, appID), "INVALID_CODE"),
            ].map { ("mfaSignIn:finalize", $0, $1) }
        )
        #expect(try server.finishPhone(pending, session, code).status == 200)
        try expect([("mfaSignIn:finalize", "{\(credential),\(right)}", "SESSION_EXPIRED")])
        let appCode = app.code(1)
        #expect(try server.finishApp(pending, appID, appCode).status == 200)
        #expect(try server.finishApp(pending, appID, appCode).errorMessage == "INVALID_CODE")
    }
}
