public import Testing

/// Gives all tests of a suite one browser, which ends with the suite. Each visit has a context of its own there.
public struct SharedBrowser: SuiteTrait, TestScoping {
    /// The browser of the suite whose test is running; nil outside of such suites.
    @TaskLocal public static var current: Browser?

    /// Runs the suite with a browser.
    ///
    /// - Throws: `StartError` or `ServerFailure`, and what the tests throw.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$current.withValue(try Browser()) { try await function() }
    }
}

extension Trait where Self == SharedBrowser {
    /// One browser for all tests of the suite.
    public static var sharedBrowser: Self { Self() }
}
