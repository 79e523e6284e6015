import Encodings
import GatewayStandIn
import Processes
import TestServers
import Testing

/// Second factors in logs and in Redis's files, as an attacker finds them.
@Suite(.timeLimit(.minutes(30))) struct SecondFactorSecrecyTests {
    @Test("neither logs nor Redis files contain a number, code, secret or user credential")
    func nothingReadable() async throws {
        let deployment = try await MessageDeployment.start(
            settings: ["LOG_LEVEL": "trace", "PROJECT_DEMO_DIALTONE_TOTP_ADJACENT_INTERVALS": "10"],
            workers: 2
        )
        let server = deployment.server
        try server.startDispatcher()
        var ada = try SecondFactorUser(server)
        let number = SecondFactorUser.freshNumber()
        var secrets = [number.dropFirst(2).description, ada.email]

        let enrollment = try ada.openEnrollment(number)
        let code = try server.code(of: enrollment)
        // Waits for the message, which would not be sent once its code has been verified.
        #expect(eventually { deployment.first.requests.count == 1 })
        _ = try ada.finishEnrollment(
            #""phoneVerificationInfo":{"sessionInfo":"\#(enrollment)","code":"\#(wrongCode(besides: code))"}"#
        )
        let phone = try ada.take(
            try ada.finishEnrollment(#""phoneVerificationInfo":{"sessionInfo":"\#(enrollment)","code":"\#(code)"}"#)
        )
        secrets += [enrollment, code, ada.idToken, ada.refreshToken]

        let started = try ada.startEnrollment(#""totpEnrollmentInfo":{}"#).json.object("totpSessionInfo")
        let (session, base32) = (started.text("sessionInfo"), started.text("sharedSecretKey"))
        let app = try #require(AuthenticatorApp(base32))
        let enrolling = app.code(-9)
        let id = try ada.take(
            try ada.finishEnrollment(
                #""totpVerificationInfo":{"sessionInfo":"\#(session)","verificationCode":"\#(enrolling)"}"#
            )
        )
        secrets += [session, base32, enrolling, ada.idToken, ada.refreshToken]

        let recovery = try ada.makeRecoveryCodes()
        secrets += recovery + recovery.map { $0.replacing("-", with: "") }
        let pending = try ada.pendingCredential()
        let proof = try server.openSecondFactor(pending, phone)
        #expect(eventually { deployment.first.requests.count == 2 })
        let (proofCode, appCode) = (try server.code(of: proof), app.code(-2))
        secrets += [pending, proof, proofCode, appCode]
        for answer in [
            try server.finishPhone(pending, proof, proofCode), try server.finishApp(pending, id, appCode),
            try server.finishApp(pending, id, recovery[0]),
        ] {
            secrets += [try #require(answer["idToken"], "\(answer.text)"), try #require(answer["refreshToken"])]
        }
        for refused in [
            try server.finishPhone(pending, proof, proofCode), try server.finishApp(pending, id, appCode),
            try server.finishApp(pending, id, recovery[0]), try server.startSecondFactor(pending + "x", phone),
            try server.finishPhone(pending, pending, "x"),
        ] { #expect(refused.status == 400) }
        try ada.take(try server.withdraw(phone, ada.idToken))
        secrets.append(ada.idToken)

        for secret in server.loggedSecrets(of: secrets) { Issue.record("a log holds \(secret)") }
        #expect(server.loggedSecrets(of: ["mfaSignIn"]) == ["mfaSignIn"], "the logs can be searched")
        // Six digits may be part of any binary number. Nothing else may be found.
        let lasting = secrets.filter { $0.utf8.count > 6 }
        let folder = server.redis.socketPath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        // With compression, a secret would not be found.
        #expect(server.redis.cli("CONFIG", "SET", "rdbcompression", "no") == "OK")
        #expect(server.redis.cli("SAVE") == "OK")
        let dump = try FinishedProcess.run("grep", ["-c", "-a", "demo-dialtone", "\(folder)/dump.rdb"])
        #expect(dump.status == .exited(0), "the dump can be searched")
        for secret in lasting {
            let found = try FinishedProcess.run("grep", ["-r", "-l", "-a", "-i", "-F", "-e", secret, folder])
            #expect(found.output.isEmpty, "\(found.output) holds \(secret)")
        }
    }
}
