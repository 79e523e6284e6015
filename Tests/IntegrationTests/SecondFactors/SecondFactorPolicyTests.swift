import Encodings
import TestServers
import Testing

/// A project's policy for second factors, and the limits on attempts.
@Suite struct SecondFactorPolicyTests {
    private static let noSMS = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
    private static let noTOTP = "OPERATION_NOT_ALLOWED : TOTP based MFA not enabled."
    private static let totp = #"{"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":1}}"#

    @Test("if second factors, or one kind, are disabled, no one enrolls, proves or is asked for them")
    func kinds() throws {
        let server = try RunningServer(workers: 1)
        var ada = try SecondFactorUser(server)
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (id, app) = try ada.enrollApp()
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, phone)
        let code = try server.code(of: session)
        func phoneCalls() throws -> [HTTPAnswer] {
            [
                try ada.startEnrollment(#""phoneEnrollmentInfo":{"phoneNumber":"x"}"#),
                try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"x","code":"x"}"#),
                try server.startSecondFactor(pending, phone), try server.finishPhone(pending, session, code),
            ]
        }
        func appCalls() throws -> [HTTPAnswer] {
            [
                try ada.startEnrollment(#""totpEnrollmentInfo":{}"#),
                try ada.finishEnrollment(#""totpVerificationInfo":{"sessionInfo":"x","verificationCode":"x"}"#),
                try server.finishApp(pending, id, app.code(1)),
            ]
        }
        func isRefused(_ message: String, phone isPhone: Bool) throws -> Bool {
            let info = isPhone ? #""phoneEnrollmentInfo":{}"# : #""totpEnrollmentInfo":{}"#
            return try ada.startEnrollment(info).errorMessage == message
        }
        func become(_ json: String, _ isSo: () throws -> Bool) throws {
            try server.configureSecondFactors(json)
            #expect(try eventually(isSo))
        }
        try become(#"{"state":"ENABLED","enabledProviders":[],"providerConfigs":[\#(Self.totp)]}"#) {
            try isRefused(Self.noSMS, phone: true)
        }
        #expect(try phoneCalls().allSatisfy { $0.errorMessage == Self.noSMS })
        #expect(try appCalls().map(\.errorCode) == [nil, "INVALID_SESSION_INFO", nil])
        try become(#"{"state":"ENABLED","enabledProviders":["PHONE_SMS"],"providerConfigs":[]}"#) {
            try isRefused(Self.noTOTP, phone: false)
        }
        #expect(try appCalls().allSatisfy { $0.errorMessage == Self.noTOTP })
        #expect(
            try phoneCalls().map(\.errorCode) == ["INVALID_PHONE_NUMBER", "INVALID_SESSION_INFO", nil, nil]
        )
        try become(#"{"state":"DISABLED","enabledProviders":["PHONE_SMS"],"providerConfigs":[\#(Self.totp)]}"#) {
            try isRefused(Self.noSMS, phone: true)
        }
        #expect(try phoneCalls().allSatisfy { $0.errorMessage == Self.noSMS })
        #expect(try appCalls().allSatisfy { $0.errorMessage == Self.noTOTP })
        #expect(try ada.signIn()["idToken"] != nil)
        // An enrolled factor can still be withdrawn.
        #expect(try server.withdraw(id, ada.idToken).status == 200)
    }

    @Test("if a factor is required, a session without one lasts one ID token, enough to enroll")
    func required() throws {
        let server = try RunningServer(
            workers: 2,
            settings: ["PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "required"]
        )
        var ada = try SecondFactorUser(server)
        #expect(try server.refresh(ada.refreshToken).errorMessage == "TOKEN_EXPIRED")
        let signedIn = try ada.signIn()
        #expect(signedIn["idToken"] != nil && signedIn.json["mfaInfo"] == nil)
        #expect(try server.refresh(try #require(signedIn["refreshToken"])).errorMessage == "TOKEN_EXPIRED")
        let id = try ada.enroll(SecondFactorUser.freshNumber())
        #expect(try server.refresh(ada.refreshToken).status == 200)
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, id)
        let finished = try server.finishPhone(pending, session, try server.code(of: session))
        #expect(try server.refresh(try #require(finished["refreshToken"])).status == 200)
        let code = try #require(try ada.makeRecoveryCodes().first)
        let recovered = try server.finishApp(try ada.pendingCredential(), id, code)
        #expect(try server.refresh(try #require(recovered["refreshToken"])).status == 200)
        // After the last factor is withdrawn, sessions are without a factor again.
        let withdrawn = try server.withdraw(id, try #require(recovered["idToken"]))
        #expect(withdrawn.status == 200)
        let last = try ada.signIn()
        #expect(try server.refresh(try #require(last["refreshToken"])).errorMessage == "TOKEN_EXPIRED")
    }

    @Test("an account has at most five factors")
    func five() throws {
        let server = try RunningServer(workers: 1)
        var ada = try SecondFactorUser(server)
        for _ in 0..<4 { try ada.enroll(SecondFactorUser.freshNumber()) }
        let session = try ada.openEnrollment(SecondFactorUser.freshNumber())
        _ = try ada.enrollApp()
        #expect(try ada.factors().count == 5)
        let full = "SECOND_FACTOR_LIMIT_EXCEEDED"
        let number = SecondFactorUser.freshNumber()
        #expect(
            try ada.startEnrollment(#""phoneEnrollmentInfo":{"phoneNumber":"\#(number)"}"#).errorMessage == full
        )
        #expect(try ada.startEnrollment(#""totpEnrollmentInfo":{}"#).errorMessage == full)
        let code = try server.code(of: session)
        let late = try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#)
        #expect(late.errorMessage == full)
    }

    @Test("changing second factors long after the sign-in requires a recent sign-in")
    func recentSignIn() throws {
        let server = try RunningServer(workers: 1)
        var ada = try SecondFactorUser(server)
        let id = try ada.enroll(SecondFactorUser.freshNumber())
        for key in server.redis.cli("--scan", "--pattern", "dt:{u*}:session:*").split(separator: "\n") {
            server.redis.cli("HSET", String(key), "signed-in", "1700000000000")
        }
        let idToken = try #require(try server.refresh(ada.refreshToken)["id_token"])
        for (operation, fields) in [
            ("mfaEnrollment:start", #","phoneEnrollmentInfo":{"phoneNumber":"+16505550100"}"#),
            ("mfaEnrollment:start", #","totpEnrollmentInfo":{}"#),
            ("mfaEnrollment:withdraw", #","mfaEnrollmentId":"\#(id)""#), ("mfaRecoveryCodes:generate", ""),
        ] {
            let answer = try server.secondFactors(operation, #"{"idToken":"\#(idToken)"\#(fields)}"#)
            #expect(answer.errorMessage == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(operation) \(fields)")
        }
        #expect(try ada.factors() == [id])
    }

    @Test("messages for factors count in their number's rate limits, and the region policy applies")
    func messages() throws {
        let server = try RunningServer(
            workers: 1,
            settings: ["SENDS_PER_NUMBER_PER_HOUR": "2", "PROJECT_DEMO_DIALTONE_SMS_ALLOWED_REGIONS": "US"]
        )
        var ada = try SecondFactorUser(server)
        let abroad = try ada.startEnrollment(#""phoneEnrollmentInfo":{"phoneNumber":"+18765550123"}"#)
        #expect(
            abroad.errorMessage
                == "OPERATION_NOT_ALLOWED : SMS unable to be sent until this region enabled by the app developer."
        )
        let id = try ada.enroll(SecondFactorUser.freshNumber())
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, id)
        #expect(try server.openSecondFactor(pending, id) == session)
        #expect(try server.finishPhone(pending, session, try server.code(of: session)).status == 200)
        let third = try server.startSecondFactor(pending, id)
        #expect(third.errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER" && third.headers["retry-after"] != nil)
    }

    @Test("wrong app codes and recovery codes count together, and beyond the limit none is verified")
    func wrongCodes() throws {
        let server = try RunningServer(workers: 2, settings: ["WRONG_CODES_PER_NUMBER": "4"])
        var ada = try SecondFactorUser(server)
        let (id, app) = try ada.enrollApp()
        let pending = try ada.pendingCredential()
        for code in ["abcdef", app.code(7), "ABCDE-FGH23", "ABCDE-FGH24"] {
            #expect(try server.finishApp(pending, id, code).errorMessage == "INVALID_CODE")
        }
        let refused = try server.finishApp(pending, id, app.code(1))
        #expect(refused.errorMessage == "TOO_MANY_ATTEMPTS_TRY_LATER" && refused.headers["retry-after"] != nil)
        #expect(server.log.contains("4 wrong second factors for the account"))
    }
}
