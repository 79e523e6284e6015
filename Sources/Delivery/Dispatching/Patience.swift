internal import Synchronization

/// Waits that end early if the dispatcher is stopped.
final class Patience: Sendable {
    /// The current waits; nil once the dispatcher has been stopped.
    private let waits = Mutex<Set<Task<Void, Never>>?>([])

    var isStopped: Bool { waits.withLock { $0 == nil } }

    /// Ends all waits.
    func stop() {
        let current = waits.withLock { waits in
            defer { waits = nil }
            return waits
        }
        for wait in current ?? [] { wait.cancel() }
    }

    /// Waits. Returns false if a stop ends the wait.
    @discardableResult func pause(_ duration: Duration) async -> Bool {
        let wait = Task { _ = try? await Task.sleep(for: duration) }
        guard waits.withLock({ $0?.insert(wait) }) != nil else {
            wait.cancel()
            return false
        }
        await wait.value
        return waits.withLock { $0?.remove(wait) } != nil
    }

    /// Waits longer after each failure. Returns false if a stop ends the wait.
    @discardableResult func pause(afterFailures failures: Int) async -> Bool {
        await pause(RetryBackoff.betweenAttempts.delay(afterFailures: failures))
    }
}
