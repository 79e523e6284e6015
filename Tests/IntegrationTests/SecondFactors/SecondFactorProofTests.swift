import Encodings
import Processes
import TestServers
import Testing

/// Proof of the app before a second factor's message, in production mode.
@Suite struct SecondFactorProofTests {
    static let table = [
        (#""clientType":"CLIENT_TYPE_IOS""#, "MISSING_APP_CREDENTIAL"),
        (#""clientType":"CLIENT_TYPE_WEB""#, "MISSING_APP_CREDENTIAL"),
        (#""iosReceipt":"r","iosSecret":"s","clientType":"CLIENT_TYPE_IOS""#, "INVALID_APP_CREDENTIAL"),
        (#""recaptchaToken":"t","clientType":"CLIENT_TYPE_IOS""#, "INVALID_APP_CREDENTIAL"),
        (#""recaptchaToken":"t","clientType":"CLIENT_TYPE_WEB""#, "CAPTCHA_CHECK_FAILED"),
        (#""recaptchaToken":"t""#, "CAPTCHA_CHECK_FAILED"),
        (#""recaptchaToken":"""#, "CAPTCHA_CHECK_FAILED"),
        (#""captchaResponse":"NO_RECAPTCHA","recaptchaVersion":"RECAPTCHA_ENTERPRISE""#, "MISSING_APP_CREDENTIAL"),
        (#""playIntegrityToken":"t","clientType":"CLIENT_TYPE_ANDROID""#, "INVALID_APP_CREDENTIAL"),
    ]

    @Test("without a valid app proof, no message is sent, neither at enrollment nor at sign-in")
    func proofs() throws {
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: [
                "ADMIN_ROUTES": "enabled", "PROJECT_DEMO_DIALTONE_PASSWORD_SIGN_IN": "enabled",
                "PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "optional",
            ]
        )
        // A test number needs no proof. Once the number is an ordinary one, its factor needs a proof.
        let number = SecondFactorUser.freshNumber()
        let project = ["--project", "demo-dialtone"]
        #expect(try server.dialtone(["test-numbers", "set", number, "271828"] + project).isFine)
        var ada = try SecondFactorUser(server, bearer: try server.adminBearer())
        let enrollment = #""phoneEnrollmentInfo":{"phoneNumber":"\#(number)","recaptchaToken":"t"}"#
        var session = ""
        let isOpen = try eventually {
            session = try ada.startEnrollment(enrollment).json.object("phoneSessionInfo").text("sessionInfo")
            return !session.isEmpty
        }
        #expect(isOpen)
        let id = try ada.take(
            try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"271828"}"#)
        )
        #expect(try server.dialtone(["test-numbers", "remove", number] + project).isFine)
        let pending = try ada.pendingCredential()
        let isOrdinary = try eventually {
            try server.startSecondFactor(pending, id).errorMessage == "CAPTCHA_CHECK_FAILED"
        }
        #expect(isOrdinary)
        for (fields, message) in Self.table {
            let info = #"{"phoneNumber":"\#(SecondFactorUser.freshNumber())",\#(fields)}"#
            let enrolling = try ada.startEnrollment(#""phoneEnrollmentInfo":\#(info)"#)
            #expect(enrolling.errorMessage == message, "\(fields)")
            let signingIn = try server.secondFactors(
                "mfaSignIn:start",
                #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"\#(id)","phoneSignInInfo":{\#(fields)}}"#
            )
            #expect(signingIn.errorMessage == message, "\(fields)")
        }
    }

    @Test("a credential of one project is invalid in another")
    func otherProject() throws {
        let settings = ["DEMO_DIALTONE", "OTHER"].flatMap { project in
            [
                ("PROJECT_\(project)_PASSWORD_SIGN_IN", "enabled"),
                ("PROJECT_\(project)_SECOND_FACTORS", "optional"),
            ]
        }
        let server = try RunningServer(
            .production,
            workers: 1,
            settings: ["ADMIN_ROUTES": "enabled"].merging(settings) { $1 }
        )
        var ada = try SecondFactorUser(server, bearer: try server.adminBearer())
        let (id, app) = try ada.enrollApp()
        let pending = try ada.pendingCredential()
        let json =
            #"{"mfaPendingCredential":"\#(pending)","mfaEnrollmentId":"\#(id)","totpVerificationInfo":{"verificationCode":"\#(app.code(1))"}}"#
        let foreign = try server.secondFactors("mfaSignIn:finalize", json, apiKey: "other-key")
        #expect(foreign.errorMessage == "INVALID_MFA_PENDING_CREDENTIAL")
        #expect(try server.secondFactors("mfaSignIn:finalize", json).status == 200)
    }
}
