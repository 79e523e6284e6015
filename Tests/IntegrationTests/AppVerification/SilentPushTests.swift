import APNsStandIn
import Encodings
import Glibc
import PhoneAuth
import Processes
import RedisScripts
import Testing
import TestServers

/// Silent pushes, from the app's first call to its sign-in, with a mock of APNs.
@Suite(.timeLimit(.minutes(30))) struct SilentPushTests {
    @Test("a device proves its app by a push, reuses the receipt for sends, and signs in")
    func endToEnd() async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        let answer = try deployment.verifyClient(PushDeployment.device(1), isSandbox: true)
        let receipt = try #require(answer["receipt"])
        #expect(answer["suggestedTimeout"] == "5")

        let push = try #require(await deployment.sandbox.pushes(atLeast: 1).first)
        #expect(push.deviceToken == PushDeployment.device(1).lowercased())
        #expect(push.header("apns-push-type") == "background")
        #expect(push.header("apns-priority") == "5")
        #expect(push.header("apns-topic") == PushDeployment.bundleID)
        let credential = try #require(push.credential)
        #expect(credential.receipt == receipt)

        let proof = #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(credential.secret)""#
        for number in ["+16505550601", "+16505550602"] {
            let session = try #require(try deployment.sendVerificationCode(number, proof)["sessionInfo"])
            let signedIn = try deployment.server.signIn(session, try deployment.code(sentTo: number))
            #expect(signedIn.status == 200)
            #expect(signedIn["idToken"] != nil)
        }
        let wrong = #""iosReceipt":"\#(credential.receipt)","iosSecret":"\#(receipt)""#
        #expect(try deployment.sendVerificationCode("+16505550603", wrong).errorMessage == "INVALID_APP_CREDENTIAL")

        let log = deployment.server.log
        for secret in [credential.secret, credential.receipt, push.deviceToken, "6505550601"] {
            #expect(!log.lowercased().contains(secret.lowercased()))
        }
    }

    @Test("an app without a token, an unknown app or a malformed token gets the challenge page immediately")
    func refusals() async throws {
        let deployment = try await PushDeployment.start()
        let missing = try deployment.server.post(
            "/v1/accounts:verifyIosClient",
            "{}",
            headers: [("X-Ios-Bundle-Identifier", PushDeployment.bundleID)]
        )
        #expect(missing.errorMessage == "MISSING_IOS_APP_TOKEN")
        #expect(try deployment.verifyClient("zz").errorMessage == "INVALID_APP_CREDENTIAL")
        for bundleID in ["com.example.other", nil] {
            let answer = try deployment.verifyClient(PushDeployment.device(1), bundleID: bundleID)
            #expect(answer.status == 400)
            #expect(answer.errorMessage == "INVALID_APP_CREDENTIAL")
        }
        #expect(deployment.server.log.contains("the app is not registered in the project"))
    }

    @Test("the response waits neither for APNs nor for a dispatcher")
    func noWaiting() async throws {
        let deployment = try await PushDeployment.start()
        #expect(try deployment.verifyClient(PushDeployment.device(1))["receipt"] != nil)
        #expect(deployment.production.pushes.isEmpty)
    }

    @Test("a device of the other environment is found there, and that environment is tried first afterwards")
    func otherEnvironment() async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        deployment.production.answer(PushDeployment.device(1).lowercased(), with: .refused(400, "BadDeviceToken"))
        _ = try deployment.verifyClient(PushDeployment.device(1))
        _ = await deployment.sandbox.pushes(atLeast: 1)
        let isRecorded = eventually { deployment.server.redis.cli("--scan", "--pattern", "*push-counts*") != "" }
        #expect(isRecorded)
        _ = try deployment.verifyClient(PushDeployment.device(1))
        _ = await deployment.sandbox.pushes(atLeast: 2)
        #expect(deployment.production.pushes.count == 1)
    }

    @Test("a device that APNs reports as unregistered gets the challenge page immediately")
    func unregistered() async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        deployment.production.answer(PushDeployment.device(1).lowercased(), with: .refused(410, "Unregistered"))
        #expect(try deployment.verifyClient(PushDeployment.device(1))["receipt"] != nil)
        let isKnown = try eventually {
            try deployment.verifyClient(PushDeployment.device(1)).errorMessage == "INVALID_APP_CREDENTIAL"
        }
        #expect(isKnown)
        #expect(try deployment.verifyClient(PushDeployment.device(2))["receipt"] != nil)
    }

    @Test("a push that APNs asks to delay is retried after the delay")
    func retried() async throws {
        let deployment = try await PushDeployment.start(settings: ["PUSH_TIMEOUT_SECONDS": "30"])
        try deployment.server.startDispatcher()
        deployment.production.answer(
            PushDeployment.device(1).lowercased(),
            with: .refused(503, "ServiceUnavailable", retryAfter: "1"),
            .accepted
        )
        _ = try deployment.verifyClient(PushDeployment.device(1))
        let pushes = await deployment.production.pushes(atLeast: 2)
        #expect(pushes[1].time - pushes[0].time >= .seconds(1))
        #expect(Set(pushes.compactMap { $0.credential?.receipt }).count == 1)
    }

    @Test("a stopping dispatcher exits immediately and cleanly")
    func stopped() async throws {
        let deployment = try await PushDeployment.start()
        let dispatcher = try deployment.server.startDispatcher()
        _ = try deployment.verifyClient(PushDeployment.device(1))
        _ = await deployment.production.pushes(atLeast: 1)
        dispatcher.send(SIGTERM)
        #expect(dispatcher.waitForExit(atMost: .seconds(60)) == .exited(0))
        #expect(deployment.server.log.contains(#""message":"stopped""#))
    }
}
