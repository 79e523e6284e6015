/// What a process knows about the master and its failovers, from what several Sentinels report in any order.
///
/// The leader of a failover announces at once that it has promoted a server. The other Sentinels learn of it a tenth of
/// a second later, and undo the promotion if the leader fails before. So a promotion is provisional until the
/// subscribed Sentinel reports it, and is given up after ``longestFailover``.
struct KnownMaster {
    typealias Instant = Link.Instant

    /// The number of failovers that have begun.
    private(set) var failoverCount: UInt64 = 0

    /// The master that the subscribed Sentinel reports; before its first report, that of the first connection.
    private var reported: Endpoint?
    private var promotion: Promotion?
    /// The masters that are being replaced, and the time until which this is assumed.
    private var replaced: [Endpoint: Instant] = [:]
    /// The master after the last event.
    private var last: Endpoint?

    private struct Promotion {
        let former: Endpoint
        let master: Endpoint
        let end: Instant
    }

    /// How long a failover is assumed to take if its end is not reported. Sentinel limits an election to ten seconds.
    static let longestFailover: Duration = .seconds(15)

    /// The master that the process uses; nil before the first connection.
    func master(at now: Instant) -> Endpoint? {
        if let promotion, promotion.end > now { promotion.master } else { reported }
    }

    /// Returns whether a Sentinel is replacing this master, or has replaced it a moment ago: replicas that still follow
    /// it confirm writes that are then dropped.
    func isBeingReplaced(_ master: Endpoint?, at now: Instant) -> Bool {
        guard let master, let end = replaced[master] else { return false }
        return end > now
    }

    /// Returns whether a failover has promoted another server than this one.
    func isReplaced(_ master: Endpoint, at now: Instant) -> Bool {
        self.master(at: now) != master && isBeingReplaced(master, at: now)
    }

    /// Records an event. Returns whether the master is now another one, whether due to the event or to the time.
    mutating func record(_ event: MasterEvent, at now: Instant) -> Bool {
        apply(event, now)
        if let promotion, promotion.end <= now { self.promotion = nil }
        replaced = replaced.filter { $0.value > now }
        let former = last
        last = master(at: now)
        guard let former, let last, former != last else { return false }
        if isBeingReplaced(former, at: now) {
            // It replaces the former master, even if it was replaced itself a moment ago.
            replaced[last] = nil
        } else {
            // The begin of this failover was not reported.
            begin(former, now)
        }
        return true
    }

    private mutating func apply(_ event: MasterEvent, _ now: Instant) {
        switch event {
        case .connected(let master):
            if reported == nil { reported = master }
        case .reported(let master):
            reported = master
            // The Sentinel may not know of the promotion yet.
            if promotion?.former != master { promotion = nil }
        case .failoverBegan(let master):
            begin(master, now)
            // Another Sentinel replaces the former master again.
            if promotion?.former == master { promotion = nil }
        case .failoverAborted(let master):
            // If another Sentinel has replaced the master, that one's failover continues.
            if !isReplaced(master, at: now) { replaced[master] = nil }
        case .promoted(let former, let master):
            // Otherwise, the event is outdated.
            guard self.master(at: now) == former else { return }
            let end = now + Self.longestFailover
            if isBeingReplaced(former, at: now) { replaced[former] = end }
            promotion = Promotion(former: former, master: master, end: end)
        }
    }

    private mutating func begin(_ master: Endpoint, _ now: Instant) {
        failoverCount += 1
        replaced[master] = now + Self.longestFailover
    }
}

/// What a process learns about the master.
enum MasterEvent: Equatable {
    /// A new connection leads to it.
    case connected(Endpoint)
    /// The subscribed Sentinel names it.
    case reported(Endpoint)
    /// A Sentinel begins to replace it: `+try-failover`.
    case failoverBegan(Endpoint)
    /// A Sentinel does not replace it.
    case failoverAborted(Endpoint)
    /// A Sentinel has made a replica the master: `+promoted-slave`.
    case promoted(from: Endpoint, to: Endpoint)
}
