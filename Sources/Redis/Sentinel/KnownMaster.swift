/// What a process knows about the master and its failovers, from what several Sentinels report.
///
/// The leader of a failover announces the promotion of a server at once. The other Sentinels learn of it later, and
/// discard it if the leader fails before. So a promotion is provisional until the subscribed Sentinel confirms it.
struct KnownMaster {
    typealias Instant = Link.Instant

    /// The number of failovers that have begun.
    private(set) var failoverCount: UInt64 = 0

    /// The master that the subscribed Sentinel reports; before its first report, that of the first connection.
    private var reported: Endpoint?
    private var failover: Failover?
    private var promotion: Promotion?
    /// The master at the time of the last change.
    private var last: Endpoint?

    private struct Failover {
        /// The master that is being replaced.
        let master: Endpoint
        /// The time until which this is assumed.
        let end: Instant
    }

    private struct Promotion {
        let former: Endpoint
        let master: Endpoint
    }

    /// The longest duration of a failover. Sentinel limits an election to ten seconds.
    static let longestFailover: Duration = .seconds(15)

    /// The master that the process uses; nil before the first connection.
    func master(at now: Instant) -> Endpoint? {
        if let promotion, isBeingReplaced(promotion.former, at: now) { promotion.master } else { reported }
    }

    /// Returns whether a Sentinel is replacing this master.
    func isBeingReplaced(_ master: Endpoint?, at now: Instant) -> Bool {
        failover.map { $0.master == master && $0.end > now } ?? false
    }

    /// Returns whether a failover has promoted another server than this one.
    func isReplaced(_ master: Endpoint, at now: Instant) -> Bool {
        guard let current = self.master(at: now) else { return false }
        return current != master && isBeingReplaced(master, at: now)
    }

    /// Records an event. Returns whether the master is now another one, whether due to the event or to the time.
    mutating func record(_ event: MasterEvent, at now: Instant) -> Bool {
        let isFirst = last == nil
        apply(event, now)
        if let promotion, promotion.master == reported || !isBeingReplaced(promotion.former, at: now) {
            self.promotion = nil
        }
        let master = master(at: now)
        defer { last = master }
        return !isFirst && master != last
    }

    private mutating func apply(_ event: MasterEvent, _ now: Instant) {
        let current = master(at: now)
        switch event {
        case .connected(let master):
            if reported == nil { reported = master }
        case .reported(let master):
            report(master)
        case .switched(let former, let master):
            // A former master is the master again. A late report of an earlier failover must not end the mark.
            if current == former, failover?.master == master { failover = nil }
            report(master)
        case .failoverBegan(let master):
            failoverCount += 1
            failover = Failover(master: master, end: now + Self.longestFailover)
            // The promoted server is being replaced, or another Sentinel replaces the former master again.
            if current == master { reported = master }
            promotion = nil
        case .failoverAborted(let master):
            // Another Sentinel may have replaced the master.
            if failover?.master == master, !isReplaced(master, at: now) { failover = nil }
        case .promoted(let former, let master):
            guard current == former else { return }
            if !isBeingReplaced(former, at: now) { failoverCount += 1 }
            failover = Failover(master: former, end: now + Self.longestFailover)
            promotion = Promotion(former: former, master: master)
        }
    }

    /// Records a report of the subscribed Sentinel, which may not know of a promotion yet.
    private mutating func report(_ master: Endpoint) {
        reported = master
        if promotion?.former != master { promotion = nil }
    }
}

/// What a process learns about the master.
enum MasterEvent: Equatable {
    /// A new connection leads to it.
    case connected(Endpoint)
    /// The subscribed Sentinel names it.
    case reported(Endpoint)
    /// The subscribed Sentinel announces it: `+switch-master`.
    case switched(from: Endpoint, to: Endpoint)
    /// A Sentinel begins to replace it: `+try-failover`.
    case failoverBegan(Endpoint)
    /// A Sentinel does not replace it.
    case failoverAborted(Endpoint)
    /// A Sentinel has made a replica the master: `+promoted-slave`.
    case promoted(from: Endpoint, to: Endpoint)
}
