import Encodings
import TestServers
import Testing

/// Codes as people and their keyboards write them, in every flow that takes a code.
@Suite(.timeLimit(.minutes(30))) struct TypedCodeFlowTests {
    /// A way to write a code.
    enum Script: CaseIterable {
        case arabic, persian, fullWidth, spaced, directionMarks

        func written(_ code: String) -> String {
            switch self {
            case .arabic: "\u{200F}" + digits(of: code, zero: 0x660)
            case .persian: digits(of: code, zero: 0x6F0)
            case .fullWidth: digits(of: code, zero: 0xFF10)
            case .spaced: "\(code.prefix(3)) \(code.dropFirst(3))"
            case .directionMarks: "\u{2066}\(code)\u{2069}"
            }
        }

        /// Replaces ASCII digits. A code's letters stay.
        private func digits(of code: String, zero: UInt32) -> String {
            code.unicodeScalars.reduce(into: "") { text, scalar in
                let isDigit = ("0"..."9").contains(scalar)
                text.unicodeScalars.append(
                    isDigit ? Unicode.Scalar(zero + scalar.value - 0x30) ?? scalar : scalar
                )
            }
        }
    }

    private let server: RunningServer

    init() throws { server = try RunningServer(workers: 1) }

    @Test("the right code signs in, links and replaces a number", arguments: Script.allCases)
    func number(script: Script) throws {
        func answer(_ number: String, _ idToken: String? = nil) throws -> HTTPAnswer {
            let session = try server.openVerification(number)
            return try server.signIn(session, script.written(try server.code(of: session)), idToken: idToken)
        }
        let first = SecondFactorUser.freshNumber()
        #expect(try answer(first)["phoneNumber"] == first)
        let user = try server.post("/v1/accounts:signUp", #"{"returnSecureToken":true}"#)
        let linked = try answer(SecondFactorUser.freshNumber(), user["idToken"])
        #expect(linked["localId"] == user["localId"], "\(linked.text)")
        let replacement = SecondFactorUser.freshNumber()
        #expect(try answer(replacement, linked["idToken"])["phoneNumber"] == replacement)
    }

    @Test("the right code of a second factor enrolls it and signs in", arguments: Script.allCases)
    func secondFactors(script: Script) throws {
        var user = try SecondFactorUser(server)
        let session = try user.openEnrollment(SecondFactorUser.freshNumber())
        let code = script.written(try server.code(of: session))
        try user.take(
            try user.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#)
        )
        let (appSession, app) = try user.openAppEnrollment()
        let appCode = script.written(app.code(-1))
        try user.take(
            try user.finishEnrollment(
                #""totpVerificationInfo":{"sessionInfo":"\#(appSession)","verificationCode":"\#(appCode)"}"#
            )
        )
        let recoveryCode = script.written(try #require(try user.makeRecoveryCodes().first))

        let first = try user.signIn()
        let credential = try #require(first["mfaPendingCredential"])
        let ids = first.json.objects("mfaInfo").map { $0.text("mfaEnrollmentId") }
        let message = try server.openSecondFactor(credential, ids[0])
        let byMessage = try server.finishPhone(credential, message, script.written(try server.code(of: message)))
        #expect(byMessage["idToken"] != nil, "\(byMessage.text)")
        let byApp = try server.finishApp(try user.pendingCredential(), ids[1], script.written(app.code(0)))
        #expect(byApp["idToken"] != nil, "\(byApp.text)")
        let byRecoveryCode = try server.finishApp(try user.pendingCredential(), ids[1], recoveryCode)
        #expect(byRecoveryCode["idToken"] != nil, "\(byRecoveryCode.text)")
    }

    @Test("what cannot be a code is a wrong code, and five of them end the session")
    func wrong() throws {
        let session = try server.openVerification(SecondFactorUser.freshNumber())
        let code = try server.code(of: session)
        let texts = ["\u{200F}", "12345", code + "0", "a" + code, String(repeating: " ", count: 200) + code]
        for text in texts { #expect(try server.signIn(session, text).errorMessage == "INVALID_CODE", "\(text)") }
        #expect(try server.signIn(session, code).errorCode == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
}
