import Synchronization
import TestServers
import Testing

/// Gives all tests of a suite one redis-server, which stops with the suite. Each test uses its own database.
struct SharedRedis: SuiteTrait, TestScoping {
    @TaskLocal static var current: SharedRedisServer?

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try SharedRedisServer()) { try await function() }
    }
}

extension Trait where Self == SharedRedis {
    static var sharedRedis: Self { Self() }
}

/// A redis-server with thousands of databases.
final class SharedRedisServer: Sendable {
    let server: RedisServer
    private let usedDatabases = Atomic<Int>(0)

    init() throws {
        server = try RedisServer.start(settings: ["databases 4096"])
    }

    /// Returns a database that no other test uses.
    func nextDatabase() -> Int { usedDatabases.add(1, ordering: .relaxed).newValue }
}
