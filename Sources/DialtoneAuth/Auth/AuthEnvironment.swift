internal import Foundation

/// The environment of an ``Auth``, which tests replace.
struct AuthEnvironment: Sendable {
    /// The device's clock.
    var deviceTime: @Sendable () -> Date = { Date() }
    /// The delay after the first failed refresh ahead of expiry, in seconds. It doubles with each failure.
    var firstRefreshRetry: TimeInterval = 60
    var lastRefreshRetry: TimeInterval = 960
    /// The longest wait for the APNs device token, in seconds.
    var longestTokenWait: TimeInterval = 5
    /// Returns how the app is signed.
    var signing: @Sendable () -> AppSigning = { .ofThisApp }
}
