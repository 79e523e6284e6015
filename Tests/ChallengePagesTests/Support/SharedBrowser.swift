import TestBrowser
import Testing

/// Gives all tests of a suite one browser, which ends with the suite. Each visit has a context of its own there.
struct SharedBrowser: SuiteTrait, TestScoping {
    @TaskLocal static var current: Browser?

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try Browser()) { try await function() }
    }
}

extension Trait where Self == SharedBrowser {
    static var sharedBrowser: Self { Self() }
}
