/// A wait that ends early if the dispatcher is stopped.
final class Patience: Sendable {
    private let isStopped: @Sendable () -> Bool

    init(until isStopped: @escaping @Sendable () -> Bool) {
        self.isStopped = isStopped
    }

    /// Waits. Returns false if a stop ends the wait.
    @discardableResult func pause(_ duration: Duration) async -> Bool {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            guard !isStopped() else { return false }
            try? await Task.sleep(for: min(.milliseconds(100), end - .now))
        }
        return true
    }

    /// Waits longer after each failure. Returns false if a stop ends the wait.
    @discardableResult func pause(afterFailures failures: Int) async -> Bool {
        await pause(RetryBackoff.betweenAttempts.delay(afterFailures: failures))
    }
}
