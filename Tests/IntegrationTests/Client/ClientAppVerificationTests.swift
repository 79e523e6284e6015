import APNsStandIn
import DialtoneAuth
import DialtoneFirebaseNames
import Foundation
import Processes
import TestServers
import Testing

/// App verification by Dialtone's own client in production mode.
@Suite(.tags(.client)) struct ClientAppVerificationTests {
    @Test("the proof of work is solved without a page, by a web app and by a registered app", arguments: [false, true])
    func proofOfWork(isRegistered: Bool) async throws {
        let deployment = try await PushDeployment.start()
        let app = try ClientApp(deployment.server, isRegistered: isRegistered)
        let number = "+16505550150"
        let id = try await app.phone.verifyPhoneNumber(number)
        let credential = app.phone.credential(
            withVerificationID: id,
            verificationCode: try deployment.code(sentTo: number)
        )
        let result = try await app.auth.signIn(with: credential)
        #expect(result.additionalUserInfo?.isNewUser == true)
        #expect(result.user.phoneNumber == number)
        #expect(await app.auth.diagnose().allSatisfy { $0.isFine })
    }

    @Test("without swizzling, the token and the push are forwarded, and later sends need no other push")
    func silentPush() async throws {
        let deployment = try await PushDeployment.start()
        try deployment.server.startDispatcher()
        let app = try ClientApp(deployment.server, isRegistered: true)
        app.auth.setAPNSToken(Data(repeating: 0xab, count: 32), type: .sandbox)
        #expect(!app.auth.canHandleNotification(["aps": ["alert": "hello"]]))
        async let first = app.phone.verifyPhoneNumber("+16505550151")
        let push = try #require(await deployment.sandbox.pushes(atLeast: 1).first)
        let payload = try JSONSerialization.jsonObject(with: Data(push.body)) as? [AnyHashable: Any]
        #expect(app.auth.canHandleNotification(try #require(payload)))
        _ = try await first
        let restarted = try ClientApp(deployment.server, isRegistered: true, folder: app.folder)
        _ = try await restarted.phone.verifyPhoneNumber("+16505550152")
        #expect(deployment.sandbox.pushes.count == 1)
        #expect(deployment.production.pushes.isEmpty)
    }

    @Test("a push that never arrives, and a stored credential that the server rejects, lead to the proof of work")
    func fallback() async throws {
        // No dispatcher runs, so no push is sent.
        let deployment = try await PushDeployment.start(settings: ["PUSH_TIMEOUT_SECONDS": "1"])
        let app = try ClientApp(deployment.server, isRegistered: true)
        app.auth.setAPNSToken(Data(repeating: 0xab, count: 32), type: .prod)
        _ = try await app.phone.verifyPhoneNumber("+16505550153")

        let other = try ClientApp(deployment.server, isRegistered: true)
        try ClientApp.store(other.folder).write(
            Data(#"{"receipt":"made-up","secret":"made-up"}"#.utf8),
            for: "app-credential"
        )
        _ = try await other.phone.verifyPhoneNumber("+16505550154")
        #expect(try ClientApp.store(other.folder).read("app-credential") == nil)
    }

    @Test("in testing mode, test numbers need no proof, and real numbers fail")
    func testingMode() async throws {
        let server = try RunningServer(.production, workers: 1)
        let number = "+16505550155"
        #expect(try server.dialtone("test-numbers", "set", number, "135790", "--project", "demo-dialtone").isFine)
        let app = try ClientApp(server)
        app.auth.settings?.isAppVerificationDisabledForTesting = true
        await #expect { try await app.phone.verifyPhoneNumber("+16505550156") } throws: {
            AuthErrorCode($0) == .missingAppCredential
        }
        // Workers apply a changed test number within a second.
        let id = try await app.retry(while: .missingAppCredential) { try await app.phone.verifyPhoneNumber(number) }
        let credential = app.phone.credential(withVerificationID: id, verificationCode: "135 790")
        #expect(try await app.auth.signIn(with: credential).user.phoneNumber == number)
    }

    @Test("the diagnosis names an unknown API key")
    func unknownKey() async throws {
        let server = try RunningServer(.production, workers: 1)
        let folder = try TemporaryFolder(prefix: "dialtone-client")
        var options = try ClientApp.options(server)
        options.apiKey = "unknown"
        let app = FirebaseApp.configure(name: "unknown-key", options: options, store: ClientApp.store(folder))
        defer { app.delete() }
        let auth = Auth.auth(app: app)
        #expect(await auth.diagnose().contains { $0.check == .apiKey && !$0.isFine })
        await #expect { try await auth.signInAnonymously() } throws: { AuthErrorCode($0) == .invalidAPIKey }
    }
}
