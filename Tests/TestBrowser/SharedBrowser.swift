public import Testing

/// Gives all tests of a suite one browser, which exits with the suite. Each visit has its own browser context.
public struct SharedBrowser: SuiteTrait, TestScoping {
    /// The browser of the suite whose test is running; nil outside such suites.
    @TaskLocal public static var current: Browser?

    /// Runs the suite with a browser.
    ///
    /// - Throws: `StartError`, `ServerFailure`, or the errors of the tests.
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
