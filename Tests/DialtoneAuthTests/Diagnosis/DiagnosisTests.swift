import Foundation
import Testing

@testable import DialtoneAuth

/// The diagnosis of an app, with a mock system and server.
@Suite struct DiagnosisTests {
    private func server() throws -> StandIn {
        try StandIn { _ in StandIn.Answer(headers: ["Date": httpDate()], body: #"{"projectId":"demo"}"#) }
    }

    /// Returns the Auth of a registered app.
    private func auth(_ signing: AppSigning, backgroundModes: [String]? = ["remote-notification"]) throws -> Auth {
        let options = DialtoneOptions(
            url: URL(string: try server().url),
            apiKey: "k",
            googleAppID: "1:123:ios:abc",
            bundleID: "com.example.app"
        )
        var environment = AuthEnvironment()
        environment.signing = { signing }
        environment.backgroundModes = { backgroundModes }
        return Auth(DialtoneApp(name: "diagnosis", options: options, store: MemoryStore()), environment)
    }

    private func profile(_ entitlements: String) -> AppSigning {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>Name</key><string>p</string>
            <key>Entitlements</key><dict>\(entitlements)</dict></dict></plist>
            """
        // In a signed message, other bytes precede and follow the property list.
        return .profile(Data([0x30, 0x82, 0xff, 0x00]) + Data(list.utf8) + Data([0xa0, 0x82, 0x00, 0xff]))
    }

    private func pushProfile(_ environment: String) -> AppSigning {
        profile("<key>aps-environment</key><string>\(environment)</string>")
    }

    private func diagnosis(_ check: AuthDiagnosis.Check, of auth: Auth) async throws -> AuthDiagnosis {
        try #require(await auth.diagnose().first { $0.check == check })
    }

    @Test("the entitlement is read from the profile or from the signature")
    func entitlements() {
        #expect(pushProfile("development").pushEntitlement == .allowed(.development))
        #expect(pushProfile("production").pushEntitlement == .allowed(.production))
        let key = "com.apple.developer.aps-environment"
        #expect(profile("<key>\(key)</key><string>production</string>").pushEntitlement == .allowed(.production))
        #expect(profile("<key>get-task-allow</key><true/>").pushEntitlement == .missing)
        #expect(profile("<key>aps-environment</key><true/>").pushEntitlement == .missing)
        #expect(pushProfile("other").pushEntitlement == .unknown)
        #expect(AppSigning.entitlement("development").pushEntitlement == .present(.development))
        #expect(AppSigning.entitlement(nil).pushEntitlement == .missing)
        #expect(AppSigning.noProfile.pushEntitlement == .assumed(.production))
        #expect(AppSigning.simulator.pushEntitlement == .present(.development))
    }

    @Test(
        "a damaged profile gives no information",
        arguments: [
            "", "<?xml", "</plist><?xml", "<?xml?><plist></plist>", "<?xml version='1.0'?><plist><dict></plist>",
        ]
    )
    func damaged(text: String) {
        #expect(AppSigning.profile(Data(text.utf8)).pushEntitlement == .unknown)
    }

    @Test("a missing entitlement is reported with the capability that adds it")
    func missing() async throws {
        let diagnosis = try await diagnosis(.entitlement, of: auth(.entitlement(nil)))
        #expect(!diagnosis.isFine && diagnosis.detail.contains("Push Notifications"))
    }

    @Test("a missing background mode is reported with the capability that adds it, if the system has background modes")
    func backgroundMode() async throws {
        for modes in [[], ["audio"]] {
            let auth = try auth(pushProfile("development"), backgroundModes: modes)
            let diagnosis = try await diagnosis(.backgroundMode, of: auth)
            #expect(!diagnosis.isFine && diagnosis.detail.contains("Background Modes"))
        }
        let auth = try auth(pushProfile("development"), backgroundModes: nil)
        #expect(await !auth.diagnose().contains { $0.check == .backgroundMode })
    }

    @Test("the diagnosis explains why there is no device token")
    func token() async throws {
        let auth = try auth(pushProfile("development"))
        let unconnected = try await diagnosis(.deviceToken, of: auth)
        #expect(!unconnected.isFine && unconnected.detail.contains("dialtoneAuth()"))
        #expect(auth.connect(presenter: nil) {})
        #expect(try await diagnosis(.deviceToken, of: auth).isFine)
        let error = NSError(domain: "push", code: 1, userInfo: [NSLocalizedDescriptionKey: "no valid entitlement"])
        auth.registrationFailed(error)
        let refused = try await diagnosis(.deviceToken, of: auth)
        #expect(!refused.isFine && refused.detail.hasSuffix("no valid entitlement"))
        auth.setAPNSToken(Data([1]), type: .unknown)
        #expect(await auth.diagnose().allSatisfy { $0.isFine })
    }

    @Test("a system that does not respond is reported")
    func silence() async throws {
        var environment = AuthEnvironment()
        environment.longestTokenWait = 0.01
        environment.signing = { .simulator }
        let options = try auth(.simulator).options
        let auth = Auth(DialtoneApp(name: "silent", options: options, store: MemoryStore()), environment)
        #expect(auth.connect(presenter: nil) {})
        try await auth.verifier.registration.wait()
        let diagnosis = try await diagnosis(.deviceToken, of: auth)
        #expect(!diagnosis.isFine && diagnosis.detail.contains("DialtoneAppDelegate"))
    }

    @Test(
        "a device token of another APNs environment than the app's is reported",
        arguments: [
            ("development", AuthAPNSTokenType.prod, false), ("production", .sandbox, false),
            ("development", .sandbox, true), ("production", .prod, true), ("production", .unknown, true),
        ]
    )
    func environments(environment: String, type: AuthAPNSTokenType, isFine: Bool) async throws {
        let auth = try auth(pushProfile(environment))
        auth.setAPNSToken(Data([1]), type: type)
        let diagnosis = try await diagnosis(.pushEnvironment, of: auth)
        #expect(diagnosis.isFine == isFine && diagnosis.detail.contains(environment))
        #expect(isFine || diagnosis.detail.contains(".unknown"))
    }

    @Test("an app that is verified like a web app needs no entitlement")
    func webApp() async throws {
        let app = try TestApp(server().url)
        let checks = await app.auth.diagnose().map(\.check)
        #expect(checks == [.configuration, .server, .apiKey, .clock, .store, .appVerification, .session])
    }

    @Test("a system without pushes is not reported as an error")
    func withoutPushes() async throws {
        let diagnoses = try await auth(.withoutPushes).diagnose()
        #expect(diagnoses.contains { $0.check == .entitlement } && diagnoses.allSatisfy { $0.isFine })
        #expect(!diagnoses.contains { [.deviceToken, .pushEnvironment].contains($0.check) })
    }

    @Test("settings that have no effect, or that prevent every sign-in, are reported")
    func settings() async throws {
        let auth = try auth(.withoutPushes)
        auth.shareAuthStateAcrossDevices = true
        #expect(try await diagnosis(.configuration, of: auth).detail.contains("shareAuthStateAcrossDevices"))
        auth.tenantID = "tenant"
        let diagnosis = try await diagnosis(.configuration, of: auth)
        #expect(!diagnosis.isFine && diagnosis.detail.contains("tenantID"))
    }

    @Test("each diagnosis is one line in a log")
    func lines() async throws {
        for diagnosis in try await auth(.entitlement(nil)).diagnose() {
            #expect(!diagnosis.description.contains("\n"))
            #expect(diagnosis.description.hasPrefix(diagnosis.isFine ? "ok " : "FAILED "))
        }
    }
}
