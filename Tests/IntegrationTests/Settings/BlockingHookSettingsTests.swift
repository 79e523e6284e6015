import Encodings
import PhoneAuth
import Testing

@testable import dialtone

/// The settings of hooks.
@Suite struct BlockingHookSettingsTests {
    private static func hooks(_ more: [String: String], mode: String = "production") throws -> BlockingHooks {
        let complete = [
            "PROJECTS": "acme", "PROJECT_ACME_API_KEYS": "key", "REDIS_ADDRESS": "unix:/run/redis.sock",
            "KEY_FILE": "/etc/dialtone/keys.json", "MODE": mode,
        ].merging(more) { _, later in later }
        let environment = Dictionary(uniqueKeysWithValues: complete.map { ("DIALTONE_\($0.key)", $0.value) })
        return try Settings(SettingsSource(file: nil, environment: environment)).projects[0].blockingHooks
    }

    @Test("each blocking hook is disabled unless a setting enables it")
    func off() throws {
        #expect(try Self.hooks([:]).isEmpty)
        let one = try Self.hooks(["PROJECT_ACME_BEFORE_SIGN_IN_URL": "https://hooks.example.com/a?b=c"])
        #expect(one.beforeCreate == nil && one.beforeSignIn?.text == "https://hooks.example.com/a?b=c")
        let other = try Self.hooks(["PROJECT_ACME_BEFORE_CREATE_URL": "https://hooks.example.com"])
        #expect(other.beforeCreate != nil && other.beforeSignIn == nil && !other.isEmpty)
        let third = try Self.hooks(["PROJECT_ACME_BEFORE_SECOND_FACTOR_ENROLLMENT_URL": "https://hooks.example.com/f"])
        #expect(third.beforeSecondFactorEnrollment?.text == "https://hooks.example.com/f")
        #expect(third.beforeCreate == nil && third.beforeSignIn == nil && !third.isEmpty)
    }

    @Test(
        "hook URLs are https, or http on loopback in development mode",
        arguments: [
            ("https://hooks.example.com/a", true, true), ("http://127.0.0.1:8080/a", false, true),
            ("http://[::1]:8080/a", false, true), ("http://localhost:8080/a", false, false),
            ("http://hooks.example.com/a", false, false), ("https://user:password@hooks.example.com", false, false),
            ("https://user@hooks.example.com", false, false), ("https://hooks.example.com/#a", false, false),
            ("https://", false, false), ("hooks.example.com", false, false),
        ]
    )
    func urls(url: String, inProduction: Bool, inDevelopment: Bool) {
        for (mode, isTaken) in [("production", inProduction), ("development", inDevelopment)] {
            do {
                let hooks = try Self.hooks(["PROJECT_ACME_BEFORE_CREATE_URL": url], mode: mode)
                #expect(isTaken && hooks.beforeCreate?.text == url)
            } catch {
                #expect(!isTaken)
                #expect("\(error)".hasPrefix("DIALTONE_PROJECT_ACME_BEFORE_CREATE_URL: the value is not an https URL"))
                #expect(!"\(error)".contains("password@"))
            }
        }
    }
}
