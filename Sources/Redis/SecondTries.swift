internal import Synchronization

/// How many connections of a process may ask a second time at once, because the server did not answer their first call
/// in time.
///
/// A second try waits until the request's deadline, and holds its thread meanwhile. The other threads fail after the
/// command time-out: a server that hangs does not hold all of a process's threads for long, and one that is overloaded
/// does not get all its work twice.
///
/// Requests that have only read have at most half of the second tries. The user of such a request can send it again. A
/// request that has called a script may have used up a code, and its user would need another one.
public final class SecondTries: Sendable {
    private let maximum: Int
    private let present = Mutex(0)

    /// Allows `maximum` at once.
    public init(maximum: Int) { self.maximum = maximum }

    func begin(afterScript: Bool) -> Bool {
        let maximum = afterScript ? maximum : min(maximum, max(1, maximum / 2))
        return present.withLock { present in
            guard present < maximum else { return false }
            present += 1
            return true
        }
    }

    func end() { present.withLock { $0 -= 1 } }
}
