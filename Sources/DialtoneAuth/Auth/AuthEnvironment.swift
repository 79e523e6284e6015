internal import Foundation

/// What an ``Auth`` takes from its surroundings. Tests replace it.
struct AuthEnvironment: Sendable {
    /// The device's clock.
    var deviceTime: @Sendable () -> Date = { Date() }
    /// The wait after the first failed refresh ahead of time, in seconds. It doubles with each failure.
    var firstRefreshRetry: TimeInterval = 60
    var lastRefreshRetry: TimeInterval = 960
    /// The longest wait for the system's device token, in seconds.
    var longestTokenWait: TimeInterval = 5
    /// Returns how the app is signed.
    var signing: @Sendable () -> AppSigning = { .ofThisApp }
}
