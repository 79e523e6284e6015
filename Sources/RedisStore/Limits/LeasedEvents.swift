internal import Redis
internal import Synchronization

/// Events that a process has counted in rate limits before they happen, in blocks (leases).
///
/// All requests count in the limits of their project and of the deployment, which are in one slot of a Redis Cluster. A
/// busy process therefore leases a block of events and uses them without further calls. Whatever happens, a limit is
/// never exceeded:
///
/// - A leased event counts from the lease on, used or not. If a process dies, its unused events count until the window
///   ends.
/// - An event is used only while the time bucket that counts it is current.
/// - A block is at most an eighth of what the process used in a second, and a hundredth of what the limit has left
///   (`lease-events.lua`). A process with few events, and any process near the limit, leases one event at a time.
/// - Unused events are returned after a second, with the next lease, or when the process ends.
///
/// While this process holds unused events, for about a second, requests to other processes may be refused. If an
/// operator resets a limit or Redis loses its last writes, the leases held at that moment are lost too: up to 64 events
/// of each process.
public final class LeasedEvents: Sendable {
    /// The largest block.
    static let mostEvents = 64
    /// The life of a lease.
    static let lifeMilliseconds: Int64 = 1000

    /// An event of a lease.
    struct Event {
        /// The bucket that counts the event.
        let bucket: Int64
        /// The events in the limit's window with this one, as of the lease.
        let eventsInWindow: Int
    }

    /// Events of a lease to return.
    struct Unused: Hashable {
        let limitKey: String
        let bucket: Int64
        let events: Int
    }

    /// What `lease-events.lua` replied for a limit.
    struct Lease {
        /// The events in the limit's window with all leased ones.
        var eventsInWindow: Int
        /// How many events are leased.
        var events: Int
        /// The bucket that counts them.
        var bucket: Int64
        /// How many events the process may hold unused.
        var mostUnused: Int

        /// Whether Redis can have counted this: arithmetic with other values could overflow.
        var isPlausible: Bool {
            let most = Int(Int32.max)
            return (1...LeasedEvents.mostEvents).contains(events) && (events...most).contains(eventsInWindow)
                && (0...Int64(most) * 1000).contains(bucket)
        }
    }

    /// A limit whose events this process leases.
    private struct Shared {
        /// The maximum of the limit when the events were leased.
        var maximum = 0
        /// The events in the window with the unused ones, as of the last lease.
        var eventsInWindow = 0
        var unused = 0
        var mostUnused = 0
        var bucket: Int64 = 0
        /// When the events become unusable: their bucket is over, or they are too old.
        var end: Int64 = .min
        var rate = EventRate()

        func isUsable(for limit: RateLimit, at now: Int64) -> Bool {
            unused > 0 && maximum == limit.window.maximum && now < end
        }
    }

    private struct State {
        var limits: [String: Shared] = [:]
        var unused: [Unused] = []

        /// Marks the unused events of a limit to be returned, except `kept` of them.
        mutating func giveBack(_ key: String, keeping kept: Int = 0) {
            guard let shared = limits[key], shared.unused > kept else { return }
            unused.append(Unused(limitKey: key, bucket: shared.bucket, events: shared.unused - kept))
            limits[key]?.unused = kept
        }
    }

    private let state = Mutex(State())
    /// The process's counts of regions.
    let regions = LeasedRegions()
    /// The process's corrections of series.
    let series = OwedSeriesCorrections()

    /// Creates the leases of a process: none at first.
    public init() {}

    /// Uses an event of a limit, if the process has one.
    func use(_ limit: RateLimit, now: Int64) -> Event? {
        state.withLock { state in
            var shared = state.limits[limit.key] ?? Shared()
            defer { state.limits[limit.key] = shared }
            shared.rate.count(at: now)
            guard shared.isUsable(for: limit, at: now) else { return nil }
            shared.unused -= 1
            return Event(bucket: shared.bucket, eventsInWindow: shared.eventsInWindow - shared.unused)
        }
    }

    /// Returns how many events of a limit to lease, given that the process has none.
    func wanted(of limit: RateLimit) -> Int {
        state.withLock { $0.limits[limit.key]?.rate.block ?? 1 }
    }

    /// Adds a lease, of which the caller uses one event.
    func add(_ lease: Lease, of limit: RateLimit, now: Int64) -> Event {
        state.withLock { state in
            if state.limits[limit.key]?.bucket != lease.bucket { state.giveBack(limit.key) }
            var shared = state.limits[limit.key] ?? Shared()
            shared.maximum = limit.window.maximum
            shared.eventsInWindow = lease.eventsInWindow
            shared.bucket = lease.bucket
            shared.mostUnused = min(lease.mostUnused, Self.mostEvents)
            shared.end = min(now + Self.lifeMilliseconds, (lease.bucket + 1) * limit.bucketMilliseconds)
            shared.unused += lease.events - 1
            state.limits[limit.key] = shared
            state.giveBack(limit.key, keeping: shared.mostUnused)
            return Event(bucket: lease.bucket, eventsInWindow: lease.eventsInWindow - lease.events + 1)
        }
    }

    /// Takes back an event for the next request.
    /// - Returns: whether the process may hold it; if not, the caller must return it to the limit.
    func takeBack(_ limit: RateLimit, bucket: Int64) -> Bool {
        state.withLock { state in
            guard let shared = state.limits[limit.key], shared.bucket == bucket,
                shared.maximum == limit.window.maximum, shared.unused < shared.mostUnused
            else { return false }
            state.limits[limit.key]?.unused += 1
            return true
        }
    }

    /// Returns the events to return to their limits: those of leases that ended before `now`.
    func removeUnused(now: Int64) -> [Unused] {
        state.withLock { state in
            for (key, shared) in state.limits where shared.end <= now { state.giveBack(key) }
            defer { state.unused = [] }
            return state.unused
        }
    }
}

extension Store {
    /// Returns the events that the process has leased but not used, and makes the corrections that it owes; in a
    /// cluster, on the nodes that respond. Call it when the process ends. `now` is in milliseconds since the Unix
    /// epoch.
    /// - Throws: ``StoreUnavailable``; then limits may count the events until their windows end, and ranges may count
    ///   unsent messages.
    public func returnLeasedEvents(now: Int64) throws(StoreUnavailable) {
        guard let leasedEvents else { return }
        let regions = leasedEvents.regions.removeAll(now: now).map { correctingCall($0, $1, now: now) }
        let series = correctingCalls(leasedEvents.series.removeAll(now: now), now: now)
        try correct(CountCorrection(calls: regions + series))
        _ = try run(ScriptCall.returning(leasedEvents.removeUnused(now: .max)))
    }
}

extension ScriptCall {
    /// Creates the calls that return leased events, one for each slot of a Redis Cluster.
    static func returning(_ unused: [LeasedEvents.Unused]) -> [ScriptCall] {
        Dictionary(grouping: unused) { KeyNames.slot(of: $0.limitKey) }.values.map { unused in
            ScriptCall(
                .returnLease,
                keys: NamedValues(list: "limitKeys", unused.map(\.limitKey)),
                NamedValues(list: "buckets", unused.flatMap { [.integer($0.bucket), .count($0.events)] })
            )
        }
    }
}
