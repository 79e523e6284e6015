internal import Synchronization

/// How many connections of a process may ask a second time at once, because the server did not answer their first call
/// in time.
///
/// A second try waits until the request's deadline, and holds its thread meanwhile. The other threads fail after the
/// command time-out: a server that hangs does not hold all of a process's threads for long, and one that is overloaded
/// does not get all its work twice.
public final class SecondTries: Sendable {
    private let maximum: Int
    private let present = Mutex(0)

    /// Allows `maximum` at once.
    public init(maximum: Int) { self.maximum = maximum }

    func begin() -> Bool {
        present.withLock { present in
            guard present < maximum else { return false }
            present += 1
            return true
        }
    }

    func end() { present.withLock { $0 -= 1 } }
}
