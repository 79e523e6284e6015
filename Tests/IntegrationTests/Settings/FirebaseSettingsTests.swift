import Testing

@testable import dialtone

/// The settings of the takeover of Firebase sessions: completeness and consistency.
@Suite struct FirebaseSettingsTests {
    private static let complete = ["SESSIONS_UNTIL": "2099-12-31", "API_KEY": "AIza-key"]

    private static func settings(_ ofFirebase: [String: String]) throws -> Settings {
        let ofProject = ofFirebase.map { ("FIREBASE_\($0.key)", $0.value) }
        return try ProjectSettingsTests.settings(Dictionary(uniqueKeysWithValues: ofProject))
    }

    @Test("sessions are taken over if a date and an API key are set; the server is Google's or another one")
    func complete() throws {
        #expect(try Self.settings([:]).firebaseProjects.isEmpty)
        for url in ["https://proxy.example.com", "http://127.0.0.1:8080"] {
            let settings = try Self.settings(Self.complete.merging(["URL": url, "PROJECT_ID": "old"]) { $1 })
            #expect(settings.firebaseProjects.count == 1 && settings.callsOtherServers)
        }
        #expect(try Self.settings(Self.complete).firebaseProjects["acme"] != nil)
    }

    @Test(
        "faults name the setting, and no error shows the API key",
        arguments: [
            (["API_KEY": "AIza-key"], "API_KEY", "FIREBASE_SESSIONS_UNTIL is not set"),
            (["SESSIONS_UNTIL": "2099-12-31"], "API_KEY", "not set, but required"),
            (["SESSIONS_UNTIL": "31.12.2099", "API_KEY": "AIza-key"], "SESSIONS_UNTIL", "is not a date"),
            (["SESSIONS_UNTIL": "2099-12-31", "API_KEY": "AIza-key&x=1"], "API_KEY", "the value is not letters"),
            (["SESSIONS_UNTIL": "2099-12-31", "API_KEY": "k", "URL": "http://example.com"], "URL", "is not an https"),
            (["SESSIONS_UNTIL": "2099-12-31", "API_KEY": "k", "URL": "https://a.b/c"], "URL", "without a path"),
        ]
    )
    func faults(settings: [String: String], name: String, reason: String) {
        let lines = #expect(throws: Failure.self) { try Self.settings(settings) }?.lines ?? []
        #expect(lines.contains { $0.hasPrefix("DIALTONE_PROJECT_ACME_FIREBASE_\(name): ") && $0.contains(reason) })
        #expect(!lines.contains { $0.contains("AIza") })
    }
}
