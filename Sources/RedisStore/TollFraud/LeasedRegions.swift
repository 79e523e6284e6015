internal import Synchronization

/// The counts of regions that a process keeps for a moment: messages that it has counted but not yet sent, and
/// corrections that it has not yet made.
///
/// All messages to a region count in one key, and so do the correct codes that follow. A busy process therefore counts
/// messages in blocks, before they are sent, and makes corrections in blocks, afterwards. A region's debt may be too
/// high for a moment, or until its counts decay if the process dies, but never too low:
///
/// - A block has at most an eighth of what the process counted in a second. It also has at most a hundredth of the
///   messages for which the region has room before new clients are stepped up. A process with few messages, and any
///   process near an allowance or a cap, uses blocks of one. While a call counts a block, and after its reply was lost,
///   other calls count one message each, so lost replies leave only a few messages too many.
/// - Unused messages are taken back with a correction after a second. Corrections are made when they fill a block, or
///   with another one after a second, or when the process ends. They only reduce counts. A correction that had to wait
///   longer is reduced, because the counts have decayed since.
///
/// If an operator resets a region's debt or Redis loses its last writes, the messages that were counted in advance are
/// lost too: up to 64 of each process.
final class LeasedRegions: Sendable {
    /// A block has at most one in this many of the messages for which there is room before a step-up.
    private static let partOfRoom = 100.0

    /// A region with the counts of one day.
    struct Region: Hashable {
        let key: String
        let spendingKey: String
        /// The field of the day's spending.
        let name: String
        let halfLifeMilliseconds: Int64
    }

    /// The amounts to add to the counts of a region. The price is in millionths.
    struct Correction: Hashable {
        var sent: Int64 = 0
        var verified: Int64 = 0
        var price: Int64 = 0

        static func += (left: inout Correction, right: Correction) {
            left.sent += right.sent
            left.verified += right.verified
            left.price += right.price
        }

        /// Returns the correction of counts that have decayed since they were made. Spending does not decay.
        func decayed(for age: Int64, _ halfLifeMilliseconds: Int64) -> Correction {
            Correction(
                sent: RangeCounts.remaining(of: sent, after: age, halfLifeMilliseconds),
                verified: RangeCounts.remaining(of: verified, after: age, halfLifeMilliseconds),
                price: price
            )
        }
    }

    /// Messages that were counted together.
    struct Lease {
        /// The region's counts without these messages, as `number-ranges.lua` stores them.
        let stored: String
        /// The day's spending without these messages, in millionths.
        let spent: Int64
        /// The price of each, in millionths.
        let price: Int64
        let messages: Int
        /// How many messages the region had room for before a step-up.
        let room: Double
    }

    /// What was counted before one message.
    struct Counted {
        let stored: String
        /// Messages of this process that `stored` does not contain.
        let sent: Int
        let spent: Int64
    }

    private struct Shared {
        var lease = Lease(stored: "", spent: 0, price: 0, messages: 0, room: 0)
        var used = 0
        /// When the messages become unusable.
        var end: Int64 = .min
        /// The room as of the last call.
        var room = 0.0
        /// Until when a call that counts a block may be in progress.
        var leasingUntil: Int64 = .min
        var sends = EventRate()
        var owed = Correction()
        var owedSince: Int64 = .max
        var corrections = EventRate()

        func block(_ rate: EventRate) -> Int {
            max(1, min(rate.block, Int(min(room / LeasedRegions.partOfRoom, Double(LeasedEvents.mostEvents)))))
        }

        mutating func owe(_ correction: Correction, _ now: Int64) {
            owed += correction
            owedSince = min(owedSince, now)
        }

        /// Takes back the unused messages, with the next correction.
        mutating func endLease() {
            let unused = Int64(lease.messages - used)
            if unused > 0 {
                owe(Correction(sent: -unused, price: -unused * lease.price), end - LeasedEvents.lifeMilliseconds)
            }
            used = lease.messages
        }

        /// Returns the correction to make, which is then no longer owed.
        mutating func takeOwed(by region: Region, _ now: Int64) -> Correction {
            defer { (owed, owedSince) = (Correction(), .max) }
            return owed.decayed(for: now - owedSince, region.halfLifeMilliseconds)
        }

        func isForgotten(at now: Int64) -> Bool {
            owed == Correction() && sends.isOver(at: now) && corrections.isOver(at: now)
        }
    }

    private struct State {
        var regions: [Region: Shared] = [:]
        /// When to look for corrections that have waited long enough.
        var nextLook: Int64 = .min
    }

    private let state = Mutex(State())

    /// Uses a message of a region at this price, if the process has one.
    /// - Returns: what was counted before it, or how many messages to count.
    func use(_ region: Region, price: Int64, now: Int64) -> (message: Counted?, wanted: Int) {
        state.withLock { state in
            var shared = state.regions[region] ?? Shared()
            defer { state.regions[region] = shared }
            shared.sends.count(at: now)
            guard shared.used < shared.lease.messages, shared.lease.price == price, now < shared.end else {
                let wanted = now < shared.leasingUntil ? 1 : shared.block(shared.sends)
                if wanted > 1 { shared.leasingUntil = now + LeasedEvents.lifeMilliseconds }
                return (nil, wanted)
            }
            shared.used += 1
            return (Self.counted(shared.lease, used: shared.used), 1)
        }
    }

    /// Adds messages that were counted, of which the caller uses one.
    func add(_ lease: Lease, of region: Region, now: Int64) -> Counted {
        state.withLock { state in
            var shared = state.regions[region] ?? Shared()
            defer { state.regions[region] = shared }
            shared.room = lease.room
            // A block that another call has counted, or is counting, remains.
            guard lease.messages > 1 else { return Self.counted(lease, used: 1) }
            shared.leasingUntil = .min
            shared.endLease()
            (shared.lease, shared.used, shared.end) = (lease, 1, now + LeasedEvents.lifeMilliseconds)
            return Self.counted(lease, used: 1)
        }
    }

    private static func counted(_ lease: Lease, used: Int) -> Counted {
        let before = used - 1
        let (spent, overflows) = lease.spent.addingReportingOverflow(Int64(before) * lease.price)
        return Counted(stored: lease.stored, sent: before, spent: overflows ? .max : spent)
    }

    /// Takes back a message that was counted in advance, and not sent, with the next correction.
    func takeBack(_ region: Region, price: Int64, now: Int64) {
        state.withLock { state in
            state.regions[region, default: Shared()].owe(Correction(sent: -1, price: -price), now)
        }
    }

    /// Adds a correction to those that are owed.
    /// - Returns: the corrections to make now.
    func owe(_ correction: Correction, to region: Region, now: Int64) -> [(Region, Correction)] {
        state.withLock { state in
            var shared = state.regions[region] ?? Shared()
            shared.corrections.count(at: now)
            var due: [(Region, Correction)] = []
            if shared.owedSince <= now - LeasedEvents.lifeMilliseconds {
                due.append((region, shared.takeOwed(by: region, now)))
            }
            shared.owe(correction, now)
            if abs(shared.owed.sent) + shared.owed.verified >= shared.block(shared.corrections) {
                due.append((region, shared.takeOwed(by: region, now)))
            }
            state.regions[region] = shared
            guard now >= state.nextLook else { return due }
            state.nextLook = now + LeasedEvents.lifeMilliseconds
            return due + Self.removeOwed(&state.regions, now)
        }
    }

    /// Removes and returns all corrections, including those that take back all unused messages.
    func removeAll(now: Int64) -> [(Region, Correction)] {
        state.withLock { Self.removeOwed(&$0.regions, now, isLast: true) }
    }

    /// Returns the corrections that have waited long enough, and those of ended leases. Drops regions of earlier days.
    private static func removeOwed(
        _ regions: inout [Region: Shared],
        _ now: Int64,
        isLast: Bool = false
    ) -> [(Region, Correction)] {
        var removed: [(Region, Correction)] = []
        for (region, var shared) in regions {
            if isLast || shared.end <= now { shared.endLease() }
            if shared.owed != Correction(), isLast || shared.owedSince <= now - LeasedEvents.lifeMilliseconds {
                removed.append((region, shared.takeOwed(by: region, now)))
            }
            regions[region] = shared.isForgotten(at: now) ? nil : shared
        }
        return removed
    }
}
