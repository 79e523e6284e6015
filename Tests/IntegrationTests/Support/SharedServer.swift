import Testing

/// Gives all tests of a suite one server, which stops with the suite. The tests must not interfere with each other.
struct SharedServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: RunningServer?

    let start: @Sendable () throws -> RunningServer

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try start()) { try await function() }
    }
}

extension Trait where Self == SharedServer {
    static var sharedServer: Self { sharedServer { try RunningServer() } }

    static func sharedServer(_ start: @escaping @Sendable () throws -> RunningServer) -> Self { Self(start: start) }
}
