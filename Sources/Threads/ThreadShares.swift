internal import Synchronization

/// The threads that may wait for servers of one kind at once, divided among the owners of the servers.
///
/// If one owner's server is slow, or one owner gets a flood of calls, the other owners keep their shares. Calls beyond
/// a share are not made, so the process's other work continues.
public final class ThreadShares: Sendable {
    /// The number of threads that may wait at once.
    public let maximum: Int
    /// The number of threads that may wait at once for one owner.
    public let share: Int
    /// The number of waiting threads, by owner.
    private let waiting = Mutex<[String: Int]>([:])

    /// Divides threads evenly among owners; each owner gets at least one.
    public init(maximum: Int, owners: Int = 1) {
        self.maximum = maximum
        share = max(1, maximum / max(1, owners))
    }

    /// Runs `body`, which waits for a server of `owner`. Returns nil at once, without running `body`, if all threads,
    /// or all threads of the owner, are waiting.
    public func wait<Result>(for owner: String, _ body: () -> Result) -> Result? {
        guard enter(owner) else { return nil }
        defer { leave(owner) }
        return body()
    }

    private func enter(_ owner: String) -> Bool {
        waiting.withLock { waiting in
            let own = waiting[owner] ?? 0
            guard own < share, waiting.values.reduce(0, +) < maximum else { return false }
            waiting[owner] = own + 1
            return true
        }
    }

    private func leave(_ owner: String) {
        waiting.withLock { waiting in
            let own = waiting[owner] ?? 0
            waiting[owner] = own > 1 ? own - 1 : nil
        }
    }
}
