/// A watch that subscribes to the Sentinels, once per process.
///
/// One subscription reports who the master is. Changes that were missed while no subscription was active are found by
/// comparison: ``MasterEvent/reported(_:)``. A further subscription to each Sentinel reports when it begins a failover
/// and when it has promoted a server, which no other Sentinel announces. The Sentinel that has promoted a server
/// announces `+switch-master` only once the replicas follow it, or `failover-timeout` is over. The others announce this
/// when they learn of the promotion.
final class MasterWatch: Sendable {
    let sentinels: Sentinels
    private let subscriptions: [Subscription]

    /// Creates a watch that is not started.
    init(_ sentinels: Sentinels, connectTimeout: Duration) {
        self.sentinels = sentinels
        let newMaster = Subscription(
            sentinels,
            to: sentinels.servers.endpoints,
            channels: MasterEvent.masterChannels,
            connectTimeout: connectTimeout,
            reportMaster: { [sentinels] in sentinels.record(.reported($0)) },
            report: { [sentinels] channel, message in
                switch MasterEvent(channel, message, of: sentinels.masterName) {
                // The Sentinel names the promoted server from now on.
                case .promoted(_, let master): sentinels.record(.reported(master))
                case let event?: sentinels.record(event)
                case nil: break
                }
            }
        )
        let failovers = sentinels.servers.endpoints.map { endpoint in
            Subscription(
                sentinels,
                to: [endpoint],
                channels: MasterEvent.failoverChannels,
                connectTimeout: connectTimeout,
                reportFailover: { [sentinels] in sentinels.record(.failoverBegan($0)) },
                report: { [sentinels] channel, message in
                    if let event = MasterEvent(channel, message, of: sentinels.masterName) { sentinels.record(event) }
                }
            )
        }
        subscriptions = [newMaster] + failovers
    }

    /// Starts the threads, unless they are running. Without them, connections find a new master only once the former
    /// one fails.
    func start() {
        for subscription in subscriptions { subscription.start() }
    }
}

extension MasterEvent {
    static let masterChannels = [switchOfMaster, promotion]
    static let failoverChannels = [failoverBegins, promotion] + failoverAborts

    private static let switchOfMaster = "+switch-master"
    private static let failoverBegins = "+try-failover"
    private static let promotion = "+promoted-slave"
    private static let failoverAborts = [
        "-failover-abort-not-elected", "-failover-abort-no-good-slave", "-failover-abort-slave-timeout",
    ]

    /// Parses a Sentinel's message about the master with this name; nil if it is about another.
    ///
    /// | channel | message |
    /// |---|---|
    /// | `+switch-master` | `<name> <former address> <former port> <address> <port>` |
    /// | `+promoted-slave` | `slave <its name> <address> <port> @ <name> <former address> <former port>` |
    /// | the others | `master <name> <address> <port>`, and possibly more |
    ///
    /// <https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#pubsub-messages>
    init?(_ channel: String, _ message: String, of name: String) {
        let fields = message.split(separator: " ").map(String.init)
        func server(_ index: Int) -> Endpoint? { Endpoint(host: fields[index], port: fields[index + 1]) }
        switch channel {
        case Self.switchOfMaster:
            guard fields.count == 5, fields[0] == name, let master = server(3) else { return nil }
            self = .reported(master)
        case Self.promotion:
            guard fields.count == 8, fields[0] == "slave", fields[4] == "@", fields[5] == name,
                let former = server(6), let master = server(2)
            else { return nil }
            self = .promoted(from: former, to: master)
        default:
            guard fields.count >= 4, fields[0] == "master", fields[1] == name, let master = server(2)
            else { return nil }
            self = channel == Self.failoverBegins ? .failoverBegan(master) : .failoverAborted(master)
        }
    }
}

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
