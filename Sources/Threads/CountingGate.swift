internal import Synchronization

/// A bound on concurrent work: at most `maximum` holders at a time, of which at most `share` work for one owner
/// (bulkhead).
///
/// No caller waits: without room, it is refused at once. So if the work of one owner hangs, or one owner gets a flood
/// of work, the other owners keep their shares, and the rest of the process continues.
public final class CountingGate: Sendable {
    /// A bound on the holders of a group, besides the bounds on their owners. Each group has its own name.
    public typealias Group = (name: String, maximum: Int)

    private struct Holders {
        var all = 0
        /// The number of holders, by owner or group.
        var byName: [String: Int] = [:]
    }

    /// The maximum number of holders.
    public let maximum: Int
    /// The maximum number of holders of one owner.
    public let share: Int
    private let holders = Mutex(Holders())

    /// Bounds all holders, and those of one owner.
    public init(maximum: Int = .max, share: Int = .max) {
        self.maximum = maximum
        self.share = share
    }

    /// Divides `maximum` evenly among owners. Each owner gets at least one holder, and at most `most`.
    public convenience init(maximum: Int, owners: Int, most: Int = .max) {
        self.init(maximum: maximum, share: max(1, min(most, maximum / max(1, owners))))
    }

    /// Adds a holder of an owner, which also counts in `groups`. Returns false, and adds nothing, if a bound is
    /// reached.
    public func enter(_ owner: String = "", in groups: [Group] = []) -> Bool {
        holders.withLock { holders in
            guard hasRoom(for: owner, in: groups, holders) else { return false }
            holders.all += 1
            for name in [owner] + groups.map(\.name) { holders.byName[name, default: 0] += 1 }
            return true
        }
    }

    /// Removes a holder, with the owner and the groups that it was added with.
    public func leave(_ owner: String = "", in groups: [Group] = []) {
        holders.withLock { holders in
            holders.all -= 1
            for name in [owner] + groups.map(\.name) {
                let count = holders.byName[name, default: 0]
                holders.byName[name] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// Runs `work` as a holder of `owner`. Returns nil, without running it, if there is no room.
    public func run<Result>(for owner: String, _ work: () -> Result) -> Result? {
        guard enter(owner) else { return nil }
        defer { leave(owner) }
        return work()
    }

    /// Returns whether a holder would have room now.
    public func hasRoom(for owner: String, in groups: [Group] = []) -> Bool {
        holders.withLock { hasRoom(for: owner, in: groups, $0) }
    }

    /// Returns the number of holders of an owner.
    public func count(of owner: String) -> Int { holders.withLock { $0.byName[owner, default: 0] } }

    private func hasRoom(for owner: String, in groups: [Group], _ holders: borrowing Holders) -> Bool {
        guard holders.all < maximum, holders.byName[owner, default: 0] < share else { return false }
        for group in groups where holders.byName[group.name, default: 0] >= group.maximum { return false }
        return true
    }
}
