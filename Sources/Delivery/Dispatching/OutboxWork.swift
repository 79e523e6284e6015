internal import PhoneAuth
internal import RedisStore

/// What is done with what lies in an outbox.
protocol OutboxWork: Sendable {
    associatedtype Content: OutboxContent
    associatedtype Result: Sendable

    /// Names the outbox in logs.
    var name: String { get }

    /// Works until the fate is known.
    ///
    /// - Parameters:
    ///   - content: what was taken.
    ///   - outbox: for questions on the way; others wait for the same connection.
    ///   - patience: for waiting.
    /// - Returns: nil where the dispatcher stops before; another one will take it over.
    func carryOut(_ content: Content, _ outbox: OutboxConnection<Content>, _ patience: Patience) async -> Result?

    /// Records the fate and takes it off the outbox.
    func finish(_ content: Content, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable)

    /// What is to be looked after every few seconds.
    func lookAfter(_ authenticator: Authenticator) throws(StoreUnavailable)
}

/// Waiting that ends when the dispatcher is told to stop.
final class Patience: Sendable {
    private let isStopped: @Sendable () -> Bool
    private let backoff = RetryBackoff(first: .milliseconds(250), maximum: .seconds(10))

    init(until isStopped: @escaping @Sendable () -> Bool) {
        self.isStopped = isStopped
    }

    /// Waits; false where a stop comes before the time is over.
    @discardableResult func pause(_ duration: Duration) async -> Bool {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            guard !isStopped() else { return false }
            try? await Task.sleep(for: min(.milliseconds(100), end - .now))
        }
        return true
    }

    /// How long to wait after so many failures: longer each time, and never quite as long as others do.
    func delay(afterFailures failures: Int, retryAfter: Duration? = nil) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return backoff.delay(afterFailures: failures, retryAfter: retryAfter, using: &generator)
    }
}
