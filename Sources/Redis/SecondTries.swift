internal import Synchronization

/// A limit on how many connections of a process may be in a second try at the same time, because the server did not
/// reply to the first call in time.
///
/// A second try waits until the request's deadline and blocks its thread; the other threads fail after the command
/// timeout. So a server that hangs does not block all threads of a process for long, and an overloaded server does not
/// get all of its work twice.
///
/// Requests that have only read get at most half of the second tries, because their users can repeat them. A request
/// that has called a script may have used up a code, and its user would need a new one.
public final class SecondTries: Sendable {
    private let maximum: Int
    private let present = Mutex(0)

    /// Allows at most `maximum` second tries at a time.
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
