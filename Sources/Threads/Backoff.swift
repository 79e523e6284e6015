/// Exponential backoff with jitter, for a server that cannot be reached or cannot take work.
///
/// Each failure doubles the bound of the delay, up to a maximum. The jitter prevents what failed together, such as the
/// threads of many workers, from trying again at the same time.
package struct Backoff: Sendable {
    private let first: Duration
    private let maximum: Duration
    /// The range of the delay, as parts of its bound.
    private let jitter: ClosedRange<Double>
    private var failures = 0
    private var notBefore: ContinuousClock.Instant?

    /// Creates a backoff from the bound after the first failure and the highest bound.
    package init(first: Duration, maximum: Duration, jitter: ClosedRange<Double> = 0.5...1) {
        self.first = first
        self.maximum = max(first, maximum)
        self.jitter = jitter
    }

    /// Returns the delay after a number of failed attempts, 1 after the first.
    package func delay(afterFailures failures: Int) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return delay(afterFailures: failures, using: &generator)
    }

    package func delay(afterFailures failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        var bound = first
        var doublings = failures - 1
        while doublings > 0, bound < maximum {
            bound = min(bound * 2, maximum)
            doublings -= 1
        }
        return bound * Double.random(in: jitter, using: &generator)
    }

    package func isOver(at now: ContinuousClock.Instant) -> Bool { remaining(at: now) == .zero }

    /// How long to wait from now on.
    package func remaining(at now: ContinuousClock.Instant) -> Duration {
        notBefore.map { max(.zero, now.duration(to: $0)) } ?? .zero
    }

    package mutating func succeeded() {
        failures = 0
        notBefore = nil
    }

    package mutating func failed(at now: ContinuousClock.Instant) {
        failures += 1
        notBefore = now + delay(afterFailures: failures)
    }
}
