internal import Redis

/// An event that was to be counted in some limits.
public struct RateLimitReservation: Hashable, Sendable {
    /// For each limit, in their order, the events in its window with this one. Empty if a limit was exceeded. If the
    /// process has leased events of a limit, other processes' events since then are missing.
    public let events: [Int]
    /// The limits that had no room, in the order of the limits. If there are any, the event must not happen.
    public let exceeded: [ExceededRateLimit]
    /// Takes the event out of the limits in which this call counted it.
    public let refund: RateLimitRefund
}

/// The calls that count an event in limits, one for each slot of a Redis Cluster. The calls are independent of each
/// other and go into one pipeline, possibly with other calls.
struct StartedReservation {
    /// The limits of one slot.
    fileprivate struct Group {
        /// The positions of the limits in the reservation.
        var positions: [Int] = []
        var limits: [RateLimit] = []
    }

    /// A limit of which the process holds a leased event. It needs no call.
    fileprivate struct Leased {
        let position: Int
        let limit: RateLimit
        let event: LeasedEvents.Event
    }

    fileprivate let groups: [Group]
    fileprivate let leased: [Leased]
    fileprivate let eventID: String
    fileprivate let isOwnEvent: Bool
    fileprivate let now: Int64
    /// The number of calls that return leased events. They precede the calls of the groups.
    fileprivate let returnCount: Int
    /// The calls; none if the process has leased events of all limits. Pass their replies, in this order, to
    /// ``Store/finish(_:_:)``.
    let calls: [ScriptCall]
}

/// Limits in several slots first reserve an event, and release it if it does not happen. After a crash in between, or
/// if a reply is lost, some limits count one event too many until their windows end, but never one too few.
extension Store {
    /// Counts an event in all limits if each has room for one more, otherwise in none.
    ///
    /// `now` is in milliseconds since the Unix epoch. Limits that share a key are adjacent, the longest window last.
    /// `isOwnEvent` is true if no other call has the event: the refund then contains all limits, even if a reply was
    /// lost.
    /// - Throws: ``StoreUnavailable``; then any of the limits may have counted the event.
    public func reserve(
        _ limits: [RateLimit],
        eventID: String,
        isOwnEvent: Bool = false,
        now: Int64
    ) throws(StoreUnavailable) -> RateLimitReservation {
        try reserve(startReservation(of: limits, eventID: eventID, isOwnEvent: isOwnEvent, now: now))
    }

    /// Runs the calls of a reservation. If a limit was exceeded, the others release the event.
    func reserve(_ started: StartedReservation) throws(StoreUnavailable) -> RateLimitReservation {
        let reservation = try finish(started, run(started.calls))
        if !reservation.exceeded.isEmpty { release(reservation.refund) }
        return reservation
    }

    /// Returns the calls that count an event in limits. `makeCall` may return a call of another script for the limits
    /// of one slot; its replies are those of `reserve-in-all.lua`.
    func startReservation(
        of limits: [RateLimit],
        eventID: String,
        isOwnEvent: Bool = false,
        now: Int64,
        makeCall: ([RateLimit]) -> ScriptCall? = { _ in nil }
    ) -> StartedReservation {
        var groups: [StartedReservation.Group] = []
        for (position, limit) in limits.enumerated() {
            let slot = KeyNames.slot(of: limit.key)
            let known = groups.firstIndex { KeyNames.slot(of: $0.limits[0].key) == slot }
            if known == nil { groups.append(StartedReservation.Group()) }
            let index = known ?? groups.count - 1
            groups[index].positions.append(position)
            groups[index].limits.append(limit)
        }
        var leased: [StartedReservation.Leased] = []
        var calls: [ScriptCall] = []
        var needsLease = false
        for index in groups.indices {
            if let call = makeCall(groups[index].limits) {
                calls.append(call)
                continue
            }
            useLeasedEvents(of: &groups[index], into: &leased, now: now)
            guard let first = groups[index].limits.first else { continue }
            needsLease = needsLease || first.bucketMilliseconds > 0
            if first.bucketMilliseconds == 0, groups[index].limits.count == 1 {
                calls.append(reservingCall(eventID, in: first, now: now))
                continue
            }
            calls.append(
                ScriptCall(reserving: eventID, in: groups[index].limits, now: now) {
                    leasedEvents?.wanted(of: $0) ?? 1
                }
            )
        }
        groups.removeAll { $0.limits.isEmpty }
        // These calls precede the new leases, which then find the returned room.
        let returns = needsLease ? ScriptCall.returning(leasedEvents?.removeUnused(now: now) ?? []) : []
        return StartedReservation(
            groups: groups,
            leased: leased,
            eventID: eventID,
            isOwnEvent: isOwnEvent,
            now: now,
            returnCount: returns.count,
            calls: returns + calls
        )
    }

    /// Returns the call that counts an event in the one limit of a slot. Most events have one limit there.
    private func reservingCall(_ eventID: String, in limit: RateLimit, now: Int64) -> ScriptCall {
        ScriptCall(
            .reserve,
            ReserveRules(window: limit.window),
            among: &reserveScripts,
            keys: ["limitKey": limit.key],
            [
                "now": .integer(now), "event": .text(eventID),
                "since": .text("(\(now - limit.window.milliseconds)"),
            ]
        )
    }

    /// Uses the process's leased events for the limits of a group, and removes these limits from the group.
    private func useLeasedEvents(
        of group: inout StartedReservation.Group,
        into leased: inout [StartedReservation.Leased],
        now: Int64
    ) {
        guard let leasedEvents, group.limits[0].bucketMilliseconds > 0 else { return }
        var rest = StartedReservation.Group()
        for (position, limit) in zip(group.positions, group.limits) {
            if let event = leasedEvents.use(limit, now: now) {
                leased.append(StartedReservation.Leased(position: position, limit: limit, event: event))
            } else {
                rest.positions.append(position)
                rest.limits.append(limit)
            }
        }
        group = rest
    }

    /// Returns what the calls of a reservation replied. If a limit was exceeded, the caller must release the event from
    /// the others: ``refund(_:)``.
    func finish(
        _ started: StartedReservation,
        _ replies: some Sequence<ScriptReply>
    ) throws(StoreUnavailable) -> RateLimitReservation {
        let count = started.groups.reduce(started.leased.count) { $0 + $1.limits.count }
        var events = [Int](repeating: 0, count: count)
        var exceeded: [(position: Int, limit: ExceededRateLimit)] = []
        var refund = RateLimitRefund(eventID: started.eventID)
        for leased in started.leased {
            events[leased.position] = leased.event.eventsInWindow
            refund.add(leased.limit, at: leased.position, bucket: leased.event.bucket)
        }
        for (group, reply) in zip(started.groups, replies.dropFirst(started.returnCount)) {
            if let number = reply.number {
                guard group.limits.count == 1 else { throw .unexpectedReply }
                events[group.positions[0]] = Int(clamping: number.magnitude)
                guard started.isOwnEvent || number > 0 else { continue }
                refund.add(group.limits[0], at: group.positions[0], bucket: nil)
                continue
            }
            let values = try reply.numbers()
            switch try reply.outcome() {
            case "reserved" where values.count == 2 * group.limits.count:
                for (index, position) in group.positions.enumerated() {
                    events[position] = Int(values[2 * index])
                    guard started.isOwnEvent || values[2 * index + 1] == 1 else { continue }
                    refund.add(group.limits[index], at: position, bucket: nil)
                }
            case "leased" where values.count == 4 * group.limits.count:
                for (index, position) in group.positions.enumerated() {
                    let lease = LeasedEvents.Lease(
                        eventsInWindow: Int(values[4 * index]),
                        events: Int(values[4 * index + 1]),
                        bucket: values[4 * index + 2],
                        mostUnused: Int(values[4 * index + 3])
                    )
                    guard lease.isPlausible else { throw .unexpectedReply }
                    let event = use(lease, of: group.limits[index], now: started.now)
                    events[position] = event.eventsInWindow
                    refund.add(group.limits[index], at: position, bucket: event.bucket)
                }
            case "limited":
                for (index, limit) in try reply.exceeded(group.limits) {
                    exceeded.append((group.positions[index], limit))
                }
            default: throw .unexpectedReply
            }
        }
        exceeded.sort { $0.position < $1.position }
        return RateLimitReservation(
            events: exceeded.isEmpty ? events : [],
            exceeded: exceeded.map(\.limit),
            refund: refund
        )
    }

    /// Uses one event of a lease, and keeps the others for the process's next requests.
    private func use(_ lease: LeasedEvents.Lease, of limit: RateLimit, now: Int64) -> LeasedEvents.Event {
        guard let leasedEvents else {
            return LeasedEvents.Event(bucket: lease.bucket, eventsInWindow: lease.eventsInWindow)
        }
        return leasedEvents.add(lease, of: limit, now: now)
    }

    /// Takes back what a request reserved and did not use. If that fails, limits count it until their windows end.
    func release(_ unused: RateLimitRefund...) {
        bestEffort("release a reservation", try runEach(for: unused.flatMap(releases), mayFail: true) { $0 })
    }

    /// Takes an event back from the limits in which a call counted it. A refund may be used once: buckets do not know
    /// which events they counted.
    /// - Throws: ``StoreUnavailable``; then some limits may count the event until their windows end.
    public func refund(_ refund: RateLimitRefund) throws(StoreUnavailable) {
        _ = try run(releases(of: refund))
    }

    /// Returns the calls that take an event back from limits, one for each slot of a Redis Cluster. A leased event is
    /// kept for the process's next request, if the process may hold it.
    func releases(of refund: RateLimitRefund) -> [ScriptCall] {
        var unused: [LeasedEvents.Unused] = []
        var stored: [String] = []
        for counted in refund.counted {
            let key = counted.limit.key
            if let bucket = counted.bucket {
                if leasedEvents?.takeBack(counted.limit, bucket: bucket) == true { continue }
                unused.append(LeasedEvents.Unused(limitKey: key, bucket: bucket, events: 1))
            } else {
                stored.append(key)
            }
        }
        let releases = KeyNames.bySlot(stored).map { keys in
            ScriptCall(
                .releaseReservation,
                keys: NamedValues(list: "limitKeys", keys),
                ["event": .text(refund.eventID)]
            )
        }
        return releases + ScriptCall.returning(unused)
    }
}

extension ScriptCall {
    /// Creates the call that counts an event in limits of one slot. It leases as many events as are `wanted` of a limit
    /// that counts in buckets.
    init(
        reserving eventID: String,
        in limits: [RateLimit],
        now: Int64,
        wanted: (RateLimit) -> Int = { _ in 1 }
    ) {
        let keys = NamedValues<String>(list: "limitKeys", limits.map(\.key))
        if limits[0].bucketMilliseconds > 0 {
            let bounds = limits.flatMap { limit -> [Argument] in
                [
                    .integer(limit.window.milliseconds), .count(limit.window.maximum),
                    .integer(limit.bucketMilliseconds), .count(wanted(limit)),
                ]
            }
            self.init(.leaseEvents, keys: keys, NamedValues(["now": .integer(now)], list: "bounds", bounds))
        } else {
            let arguments: NamedValues<Argument> = ["now": .integer(now), "event": .text(eventID)]
            self.init(.reserveInAll, keys: keys, NamedValues(arguments, list: "bounds", limits.bounds))
        }
    }
}

extension ScriptReply {
    /// Returns the limits without room that a reply names, after its first word, and their positions: index of the
    /// limit from 1, events in its window and retry after (ms).
    func exceeded(
        _ limits: [RateLimit]
    ) throws(StoreUnavailable) -> [(position: Int, limit: ExceededRateLimit)] {
        let values = try numbers()
        guard !values.isEmpty, values.count % 3 == 0 else { throw .unexpectedReply }
        var exceeded: [(Int, ExceededRateLimit)] = []
        for start in stride(from: 0, to: values.count, by: 3) {
            let index = Int(values[start]) - 1
            guard limits.indices.contains(index) else { throw .unexpectedReply }
            let limit = ExceededRateLimit(
                limits[index],
                events: values[start + 1],
                retryAfterMilliseconds: values[start + 2]
            )
            exceeded.append((index, limit))
        }
        return exceeded
    }
}
