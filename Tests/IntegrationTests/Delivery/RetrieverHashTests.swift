import PhoneAuth
import TestServers
import Testing

@testable import dialtone

/// SMS Retriever hashes in messages.
@Suite struct RetrieverHashTests {
    private static let registered = [
        "PROJECT_DEMO_DIALTONE_APPS": "android",
        "PROJECT_DEMO_DIALTONE_APP_ANDROID_PACKAGE_NAME": "com.example.app",
        "PROJECT_DEMO_DIALTONE_APP_ANDROID_RETRIEVER_HASHES": "FA+9qCX9VSu, aB3+dE6/hIu",
    ]

    /// Sends a request with this hash, and returns the message's text from the emulator's inbox.
    private func text(_ hash: String, to number: String, _ server: RunningServer) throws -> String {
        let answer = try server.post(
            "/v1/accounts:sendVerificationCode",
            #"{"phoneNumber":"\#(number)","recaptchaToken":"t","autoRetrievalInfo":{"appSignatureHash":"\#(hash)"}}"#
        )
        #expect(answer.status == 200)
        return try #require(try server.messages(to: number).first)
    }

    @Test("an unregistered SMS Retriever hash is dropped, and the message is sent without it")
    func unregistered() throws {
        let server = try RunningServer(workers: 1, settings: Self.registered)
        let text = try text("Evil+App/01", to: "+16505550160", server)
        #expect(!text.contains("Evil+App/01"))
        #expect(!text.contains("\n"))
        for (index, hash) in ["FA+9qCX9VSu", "aB3+dE6/hIu"].enumerated() {
            #expect(try self.text(hash, to: "+1650555016\(index + 1)", server).hasSuffix("\n" + hash))
        }
    }

    @Test("a second-factor message also drops an unregistered hash")
    func secondFactor() throws {
        let server = try RunningServer(
            workers: 1,
            settings: Self.registered.merging(["PROJECT_DEMO_DIALTONE_SECOND_FACTORS": "optional"]) { $1 }
        )
        let user = try SecondFactorUser(server)
        let hash = #""autoRetrievalInfo":{"appSignatureHash":"Evil+App/01"}"#
        let started = try user.startEnrollment(
            #""phoneEnrollmentInfo":{"phoneNumber":"+16505550165","recaptchaToken":"t",\#(hash)}"#
        )
        #expect(started.status == 200, "\(started.errorMessage ?? "")")
        #expect(try server.messages(to: "+16505550165").first?.contains("Evil") == false)
    }

    @Test("without a registered Android app, development mode accepts any hash and production mode none")
    func modes() throws {
        let development = try RunningServer(workers: 1)
        #expect(try text("Evil+App/01", to: "+16505550166", development).hasSuffix("\nEvil+App/01"))
        #expect(try settings("development", [:]).projects[0].androidApps == .anyUnverified)
        #expect(try settings("production", [:]).projects[0].androidApps == .registered([]))
    }

    @Test(
        "an Android app can be registered without a hash, and then no message ends with one",
        arguments: ["development", "production"]
    )
    func withoutHash(mode: String) throws {
        let settings = try settings(mode, Self.registered.filter { !$0.key.hasSuffix("RETRIEVER_HASHES") })
        guard case .registered(let apps) = settings.projects[0].androidApps else {
            Issue.record("any app is accepted")
            return
        }
        #expect(apps.map(\.packageName) == ["com.example.app"] && apps.allSatisfy(\.retrieverHashes.isEmpty))
    }

    @Test(
        "settings that do not register an app are rejected by name",
        arguments: [
            ("RETRIEVER_HASHES", "FA+9qCX9VS", #""FA+9qCX9VS": FA+9qCX9VS is not an SMS Retriever hash"#),
            ("PACKAGE_NAME", "example", #""example" is not a package name"#),
            ("PACKAGE_NAME", "com.1example.app", #""com.1example.app" is not a package name"#),
            ("BUNDLE_ID", "com.example.app", #""com.example.app": an Android app has no such setting"#),
        ]
    )
    func wrong(name: String, value: String, expected: String) throws {
        let setting = "PROJECT_DEMO_DIALTONE_APP_ANDROID_" + name
        let failure = #expect(throws: Failure.self) {
            try settings("production", Self.registered.merging([setting: value]) { $1 })
        }
        #expect(failure?.description.hasPrefix("DIALTONE_\(setting): \(expected)") == true)
    }

    private func settings(_ mode: String, _ more: [String: String]) throws -> Settings {
        let complete = [
            "MODE": mode, "PROJECTS": "demo-dialtone", "PROJECT_DEMO_DIALTONE_API_KEYS": "key",
            "REDIS_ADDRESS": "unix:/run/redis.sock", "KEY_FILE": "/etc/dialtone/keys.json",
        ].merging(more) { $1 }
        let environment = Dictionary(uniqueKeysWithValues: complete.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment))
    }
}
