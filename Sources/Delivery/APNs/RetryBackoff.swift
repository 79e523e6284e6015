internal import Encodings

/// How long to wait before a push is tried again.
///
/// The bound doubles with each failure up to a maximum, and the delay is drawn evenly from zero to the bound:
/// many pushes that failed together do not come back together. What APNs asked for in `Retry-After` is always waited out.
public struct RetryBackoff: Sendable {
    /// The bound after the first failure.
    public let first: Duration
    /// The highest bound.
    public let maximum: Duration

    /// A back-off between two bounds.
    public init(first: Duration, maximum: Duration) {
        self.first = first
        self.maximum = max(first, maximum)
    }

    /// The delay before the next try.
    ///
    /// - Parameters:
    ///   - failures: how many tries have failed so far, 1 after the first.
    ///   - retryAfter: what APNs asked for; the random part is added to it.
    ///   - generator: where the random part comes from.
    /// - Returns: a delay of `retryAfter` at least and `retryAfter` + ``maximum`` at most.
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
