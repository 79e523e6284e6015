import APNsStandIn
import Processes
import TestServers
import Testing

/// `dialtone doctor` about APNs and `dialtone push-receipts` on a running deployment.
@Suite(.timeLimit(.minutes(30))) struct AppVerificationCommandTests {
    @Test("doctor accepts a valid configuration and counts returned receipts")
    func healthy() async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        _ = try deployment.verifyClient(PushDeployment.device(1))
        _ = try deployment.verifyClient(PushDeployment.device(2))
        let pushes = await deployment.production.pushes(atLeast: 2)
        let credential = try #require(pushes[0].credential)
        let proof = #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(credential.secret)""#
        #expect(try deployment.sendVerificationCode("+16505550751", proof).status == 200)
        let isCounted = try eventually {
            try deployment.server.dialtone("doctor", "--all").output.contains("2 pushes sent, 1 receipts")
        }
        #expect(isCounted)

        let device = PushDeployment.device(3)
        let diagnosis = try deployment.server.dialtone(
            "doctor",
            "--all",
            "--app",
            "ios",
            "--device-token",
            device
        )
        let good =
            "APNs accepted the push: key ABCDE12345 of team ABCDE67890, com.example.app and the device match"
        let name = "ok      ios (com.example.app): "
        for line in [
            name + "production and sandbox: \(good)",
            name + "production, last 7 days: 2 pushes sent, 1 receipts returned (50 %), 0 not delivered",
        ] { #expect(diagnosis.output.contains(line + "\n"), "\(diagnosis.output)") }
        #expect(!(diagnosis.output + diagnosis.errors).contains(device))
    }

    @Test("doctor explains an error of APNs and exits with a failure status")
    func unhealthy() async throws {
        let deployment = try await PushDeployment.start()
        for server in [deployment.production, deployment.sandbox] {
            server.queue(.refused(403, "InvalidProviderToken"))
        }
        let diagnosis = try deployment.server.dialtone("doctor")
        #expect(diagnosis.status == .exited(1))
        let fault = "key id, team id and signing key do not match: key ABCDE12345 of team ABCDE67890"
        #expect(
            diagnosis.output.contains("ERROR   ios (com.example.app): production and sandbox: \(fault)\n"),
            "\(diagnosis.output)"
        )
    }

    @Test(
        "doctor reports what it cannot check",
        arguments: [("--app", "other", 1), ("--device-token", "xyz", 64)] as [(String, String, Int32)]
    )
    func unusable(option: String, value: String, status: Int32) async throws {
        let deployment = try await PushDeployment.start()
        let diagnosis = try deployment.server.dialtone("doctor", option, value)
        #expect(diagnosis.status == .exited(status))
        #expect(diagnosis.errors.hasPrefix("dialtone: ") && diagnosis.errors.contains(value))
    }

    @Test("a revoked receipt proves nothing, and a new one is valid", arguments: [true, false])
    func revoked(isOneReceipt: Bool) async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        func proof(_ number: Int) async throws -> (receipt: String, fields: String) {
            _ = try deployment.verifyClient(PushDeployment.device(number))
            let push = try #require(await deployment.production.pushes(atLeast: number).last)
            let credential = try #require(push.credential)
            return (credential.receipt, #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(credential.secret)""#)
        }
        let first = try await proof(1)
        #expect(try deployment.sendVerificationCode("+16505550761", first.fields).status == 200)
        let arguments = isOneReceipt ? ["--receipt", first.receipt] : ["--app", "ios"]
        let revocation = try FinishedProcess.run(
            RunningServer.binary,
            ["push-receipts", "revoke"] + arguments + [
                "--project", "demo-dialtone", "--config", deployment.server.configuration,
            ]
        )
        #expect(revocation.isFine)
        let isRefused = try eventually {
            try deployment.sendVerificationCode("+16505550761", first.fields).errorMessage == "INVALID_APP_CREDENTIAL"
        }
        #expect(isRefused)
        #expect(try deployment.sendVerificationCode("+16505550762", try await proof(2).fields).status == 200)
    }

    @Test("revoking a receipt that does not exist, or one of an unknown app, is reported")
    func nothingToRevoke() async throws {
        let server = try await PushDeployment.start().server
        let project = ["--project", "demo-dialtone", "--config", server.configuration]
        let receipt = try FinishedProcess.run(
            RunningServer.binary,
            ["push-receipts", "revoke", "--receipt", "x"] + project
        )
        #expect(receipt.output == "no such receipt, or it has expired\n")
        let app = try FinishedProcess.run(RunningServer.binary, ["push-receipts", "revoke", "--app", "x"] + project)
        #expect(app.errors == "dialtone: \"x\": no such app in demo-dialtone\n")
        #expect(app.status == .exited(1))
    }
}
