import Encodings
import Processes
import TestServers
import Testing

/// Concurrent requests about second factors, at two workers.
@Suite(.timeLimit(.minutes(30))) struct SecondFactorRaceTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(
            workers: 2,
            settings: [
                "PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10", "WRONG_CODES_BEFORE_WAIT": "100",
                "SENDS_PER_NUMBER_PER_HOUR": "100", "SENDS_PER_NUMBER_PER_DAY": "100",
            ]
        )
    }

    private func expectOne(_ answers: [HTTPAnswer], others messages: String...) {
        #expect(answers.filter { $0["idToken"] != nil }.count == 1)
        let refusals = answers.compactMap(\.errorCode)
        #expect(refusals.count == answers.count - 1 && Set(refusals).isSubset(of: messages), "\(Set(refusals))")
    }

    @Test("racing uses of one proof sign in once")
    func finalize() throws {
        let server = server
        var ada = try SecondFactorUser(server)
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (id, app) = try ada.enrollApp(stepsAgo: 9)
        let recovery = try #require(try ada.makeRecoveryCodes().first)
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, phone)
        let code = try server.code(of: session)
        expectOne(
            try inParallel(8) { _ in try server.finishPhone(pending, session, code) },
            others: "SESSION_EXPIRED"
        )
        let appCode = app.code()
        expectOne(try inParallel(8) { _ in try server.finishApp(pending, id, appCode) }, others: "INVALID_CODE")
        expectOne(try inParallel(8) { _ in try server.finishApp(pending, id, recovery) }, others: "INVALID_CODE")
    }

    @Test("racing finalizations of one enrollment create one factor")
    func enrollment() throws {
        let server = server
        var ada = try SecondFactorUser(server)
        let user = ada
        let session = try ada.openEnrollment(SecondFactorUser.freshNumber())
        let code = try server.code(of: session)
        let phone = #""phoneVerificationInfo":{"sessionInfo":"\#(session)","code":"\#(code)"}"#
        let byPhone = try inParallel(8) { _ in try user.finishEnrollment(phone) }
        // A request in a later second may find its ID token revoked by the enrollment.
        expectOne(byPhone, others: "SESSION_EXPIRED", "TOKEN_EXPIRED")
        try ada.take(try #require(byPhone.first { $0["idToken"] != nil }))
        let again = ada
        let (appSession, app) = try ada.openAppEnrollment()
        let totp = #""totpVerificationInfo":{"sessionInfo":"\#(appSession)","verificationCode":"\#(app.code())"}"#
        expectOne(
            try inParallel(8) { _ in try again.finishEnrollment(totp) },
            others: "SESSION_EXPIRED",
            "TOKEN_EXPIRED"
        )
        #expect(try ada.factors().count == 2)
    }

    @Test("an account never has more than five factors")
    func limit() throws {
        var ada = try SecondFactorUser(server)
        for _ in 0..<3 { _ = try ada.enrollApp() }
        let user = ada
        let enrollments = try (0..<6).map { _ in try user.openAppEnrollment() }
        let answers = try inParallel(6) { number in
            let (session, app) = enrollments[number]
            return try user.finishEnrollment(
                #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(app.code())"}"#
            )
        }
        let refusals = Set(answers.compactMap(\.errorMessage))
        #expect(refusals.isSubset(of: ["SECOND_FACTOR_LIMIT_EXCEEDED", "TOKEN_EXPIRED"]))
        let enrolled = answers.filter { $0["idToken"] != nil }.count
        #expect((1...2).contains(enrolled))
        #expect(try ada.factors().count == 3 + enrolled)
    }

    @Test("racing sessions make a number one factor of an account")
    func sameNumber() throws {
        let server = server
        let number = SecondFactorUser.freshNumber()
        let ada = try SecondFactorUser(server)
        let info = #"{"idToken":"\#(ada.idToken)","phoneEnrollmentInfo":{"phoneNumber":"\#(number)"}}"#
        let sessions = try (2..<6).map { client in
            try server.secondFactors("mfaEnrollment:start", info, from: "127.0.0.\(client)").json
                .object("phoneSessionInfo").text("sessionInfo")
        }
        #expect(Set(sessions).count == 4)
        let codes = try sessions.map { try server.code(of: $0) }
        let answers = try inParallel(4) { number in
            try ada.finishEnrollment(
                #""phoneVerificationInfo":{"sessionInfo":"\#(sessions[number])","code":"\#(codes[number])"}"#
            )
        }
        #expect(answers.filter { $0["idToken"] != nil }.count == 1)
        let refusals = Set(answers.compactMap(\.errorCode))
        #expect(refusals.isSubset(of: ["SECOND_FACTOR_EXISTS", "TOKEN_EXPIRED"]), "\(refusals)")
        #expect(try ada.factors().count == 1)
    }

    @Test("a sign-in with a factor happens before its withdrawal or not at all", arguments: 0..<6)
    func withdrawal(round: Int) throws {
        let server = server
        var ada = try SecondFactorUser(server)
        let phone = try ada.enroll(SecondFactorUser.freshNumber())
        let (id, app) = try ada.enrollApp(stepsAgo: 9)
        let idToken = ada.idToken
        let pending = try ada.pendingCredential()
        let session = try server.openSecondFactor(pending, phone)
        let (code, appCode) = (try server.code(of: session), app.code())
        let isPhone = round % 2 == 0
        let answers = try inParallel(2) { racer in
            if racer == 0 { return try server.withdraw(isPhone ? phone : id, idToken) }
            return isPhone
                ? try server.finishPhone(pending, session, code) : try server.finishApp(pending, id, appCode)
        }
        #expect(answers[0].status == 200, "\(answers[0].text)")
        // A withdrawal in the second of the enrollment leaves the credential valid but useless, because its factor is
        // gone.
        let refusals = [
            nil, "INVALID_MFA_PENDING_CREDENTIAL", "MFA_ENROLLMENT_NOT_FOUND", "INVALID_SESSION_INFO",
        ]
        #expect(refusals.contains(answers[1].errorMessage), "\(answers[1].text)")
        // Later requests find no factor, or no valid credential.
        let late =
            isPhone ? try server.startSecondFactor(pending, phone) : try server.finishApp(pending, id, app.code(5))
        #expect(late.status == 400 && refusals.contains(late.errorMessage))
        let kinds = ["sign-in", "second-factor-withdrawn"]
        let recorded = try server.dialtone(["audit", "--account", ada.uid, "--kind"] + kinds).output
        let order = recorded.split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst().first }
        let isSignedIn = answers[1]["idToken"] != nil
        #expect(order == (isSignedIn ? ["sign-in", "second-factor-withdrawn"] : ["second-factor-withdrawn"]))
    }
}
