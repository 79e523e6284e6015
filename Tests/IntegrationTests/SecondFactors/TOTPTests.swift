import Encodings
import Glibc
import TestBrowser
import TestServers
import Testing

/// Authenticator apps, compared with another implementation: pyotp.
@Suite(.serialized, .timeLimit(.minutes(30))) struct TOTPTests {
    let server: RunningServer

    init() throws {
        server = try RunningServer(workers: 1)
    }

    /// Returns pyotp's codes for a secret, for the steps up to `steps` before and after the current one.
    private func codes(_ secret: String, around steps: Int) throws -> [Int: String] {
        let script = """
            import pyotp, sys, time
            totp, steps, now = pyotp.TOTP(sys.argv[1]), int(sys.argv[2]), int(time.time())
            print(" ".join(totp.at(now + 30 * step) for step in range(-steps, steps + 1)))
            """
        let output = try Python.run(["-c", script, secret, String(steps)]).split(whereSeparator: \.isWhitespace)
        #expect(output.count == 2 * steps + 1)
        return Dictionary(uniqueKeysWithValues: zip(-steps...steps, output.map(String.init)))
    }

    /// Waits until the current step has enough time left. Results differ at a window's edges, so the step must not
    /// change between request and response.
    private func waitForRoomInStep() {
        #expect(eventually(every: .milliseconds(100)) { (1..<10).contains(time(nil) % 30) })
    }

    /// Allows codes of this number of earlier and later steps, and waits until workers apply the change.
    private func allow(_ adjacentIntervals: Int, isSMSAllowed: Bool) throws {
        try server.configureSecondFactors(
            """
            {"state":"ENABLED","enabledProviders":[\(isSMSAllowed ? #""PHONE_SMS""# : "")],"providerConfigs":[\
            {"state":"ENABLED","totpProviderConfig":{"adjacentIntervals":\(adjacentIntervals)}}]}
            """
        )
        let expected = isSMSAllowed ? "INVALID_ID_TOKEN" : "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
        let isKnown = try eventually {
            try server.secondFactors("mfaEnrollment:start", #"{"idToken":"x"}"#).errorMessage == expected
        }
        #expect(isKnown)
    }

    @Test(
        "codes within the configured window sign in once each and in order, and replays are rejected",
        arguments: [0, 1, 2]
    )
    func window(adjacentIntervals: Int) throws {
        try allow(10, isSMSAllowed: true)
        var user = try SecondFactorUser(server)
        let started = try user.startEnrollment(#""totpEnrollmentInfo":{}"#).json.object("totpSessionInfo")
        let (session, secret) = (started.text("sessionInfo"), started.text("sharedSecretKey"))
        func enroll(_ session: String, _ code: String?) throws -> HTTPAnswer {
            try user.finishEnrollment(
                #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(code ?? "")"}"#
            )
        }
        let id = try user.take(try enroll(session, try codes(secret, around: 9)[-9]))
        let second = try user.startEnrollment(#""totpEnrollmentInfo":{}"#).json.object("totpSessionInfo")
        try allow(adjacentIntervals, isSMSAllowed: false)
        let credential = try user.pendingCredential()

        waitForRoomInStep()
        let own = try codes(secret, around: 3)
        for step in -3...3 {
            let code = try #require(own[step])
            let isAllowed = abs(step) <= adjacentIntervals
            let answer = try server.finishApp(credential, id, code)
            #expect(answer.errorMessage == (isAllowed ? nil : "INVALID_CODE"), "step \(step)")
            #expect((answer["idToken"] != nil) == isAllowed)
            if isAllowed {
                #expect(try server.finishApp(credential, id, code).errorMessage == "INVALID_CODE", "again \(step)")
            }
        }
        waitForRoomInStep()
        let others = try codes(second.text("sharedSecretKey"), around: 3)
        for step in [-adjacentIntervals - 1, adjacentIntervals + 1] {
            #expect(try enroll(second.text("sessionInfo"), others[step]).errorMessage == "INVALID_CODE")
        }
        #expect(try enroll(second.text("sessionInfo"), others[adjacentIntervals])["idToken"] != nil)
    }

    @Test("secrets have 160 bits, are unique, and are readable by pyotp")
    func secrets() throws {
        let user = try SecondFactorUser(server)
        let secrets = try (0..<4).map { _ in
            try user.startEnrollment(#""totpEnrollmentInfo":{}"#).json.object("totpSessionInfo").text("sharedSecretKey")
        }
        #expect(Set(secrets).count == 4)
        for secret in secrets {
            #expect(secret.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
            #expect(
                try Python.run(["-c", "import pyotp, sys; print(len(pyotp.TOTP(sys.argv[1]).byte_secret()))", secret])
                    == "20\n"
            )
        }
    }
}
