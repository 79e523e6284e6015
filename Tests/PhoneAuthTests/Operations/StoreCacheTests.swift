import RedisScripts
import Testing

@testable import PhoneAuth

@Suite struct StoreCacheTests {
    private let start = ContinuousClock.now
    private let cache = StoreCache<String>(lifetime: .seconds(1), maximumAge: .seconds(3))

    private func value(after age: Duration, reading text: String) throws -> String {
        try cache.value(at: start + age) { () throws(StoreUnavailable) in text }
    }

    private func fails(after age: Duration) -> Bool {
        do {
            _ = try cache.value(at: start + age) { () throws(StoreUnavailable) in throw .unexpectedReply }
            return false
        } catch {
            return true
        }
    }

    @Test("a value is read again when it reaches its lifetime")
    func lifetime() throws {
        #expect(try value(after: .zero, reading: "first") == "first")
        #expect(try value(after: .milliseconds(999), reading: "second") == "first")
        #expect(try value(after: .seconds(1), reading: "second") == "second")
        #expect(try value(after: .milliseconds(1999), reading: "third") == "second")
    }

    @Test("while one caller reads, the others get the previous value until it reaches the maximum age")
    func reading() throws {
        #expect(try value(after: .zero, reading: "first") == "first")
        let read = try cache.value(at: start + .seconds(1)) { () throws(StoreUnavailable) in
            // Other callers, while this caller waits for the store.
            #expect((try? value(after: .milliseconds(1500), reading: "other")) == "first")
            #expect((try? value(after: .seconds(3), reading: "newer")) == "newer")
            return "slow"
        }
        #expect(read == "slow")
        // The value of the read that began later is kept.
        #expect(try value(after: .milliseconds(3100), reading: "last") == "newer")
    }

    @Test("after a failure, every caller fails until the store responds")
    func failure() throws {
        #expect(fails(after: .zero))
        #expect(try value(after: .zero, reading: "first") == "first")
        #expect(fails(after: .seconds(1)))
        #expect(fails(after: .milliseconds(1100)))
        #expect(try value(after: .milliseconds(1200), reading: "second") == "second")
        #expect(try value(after: .milliseconds(1300), reading: "third") == "second")
    }

    @Test("a failure does not remove a value that was read later")
    func lateFailure() throws {
        _ = try? cache.value(at: start) { () throws(StoreUnavailable) in
            #expect((try? value(after: .milliseconds(1), reading: "newer")) == "newer")
            throw .unexpectedReply
        }
        #expect(try value(after: .milliseconds(2), reading: "last") == "newer")
    }

    @Test("in development mode only a project's settings are read in every request")
    func development() throws {
        var policy = Policy()
        policy.development = DevelopmentPolicy()
        let caches = StoreCaches(settingsLifetime: policy.settingsLifetime)
        var reads = 0
        for _ in 1...2 {
            _ = try caches.isMemoryNearlyFull.value(at: start) { () throws(StoreUnavailable) in
                reads += 1
                return false
            }
        }
        #expect(reads == 1)
        let settings = caches.settings(of: Project(id: "demo-app", authorizedDomains: []))
        for _ in 1...2 {
            _ = try settings.value(at: start) { () throws(StoreUnavailable) in
                reads += 1
                return ProjectSettings(
                    configuration: nil,
                    testNumbers: [:],
                    revokedReceipts: [:],
                    refusedPushes: [:],
                    passwordDecoys: [],
                    gatewayCounts: [:]
                )
            }
        }
        #expect(reads == 3)
    }
}
