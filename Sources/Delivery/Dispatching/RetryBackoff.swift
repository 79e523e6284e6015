internal import Encodings

/// Exponential backoff with full jitter for retries.
///
/// The bound doubles with each failure up to a maximum. The delay is uniformly distributed between zero and the bound,
/// so that items that failed together are not retried together. `Retry-After` of APNs or a gateway is always respected.
public struct RetryBackoff: Sendable {
    /// The bound after the first failure.
    public let first: Duration
    /// The highest bound.
    public let maximum: Duration

    /// Creates a backoff between two bounds.
    public init(first: Duration, maximum: Duration) {
        self.first = first
        self.maximum = max(first, maximum)
    }

    /// Returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts, 1 after the first.
    ///   - retryAfter: the `Retry-After` of APNs or a gateway; the random delay is added to it.
    ///   - generator: the source of randomness.
    /// - Returns: a delay between `retryAfter` and `retryAfter` + ``maximum``.
    public func delay(
        afterFailures failures: Int,
        retryAfter: Duration? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        var bound = first
        var doublings = max(0, failures - 1)
        while doublings > 0, bound < maximum {
            bound = min(bound * 2, maximum)
            doublings -= 1
        }
        let random = Duration.milliseconds(Int64.random(in: 0...max(0, bound.milliseconds), using: &generator))
        return (retryAfter ?? .zero) + random
    }
}
