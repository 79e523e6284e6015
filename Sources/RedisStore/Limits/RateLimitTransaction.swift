internal import Encodings
internal import Redis

/// An event that is checked against rate limits and counted in all of them, or in none (check-and-spend).
///
/// ```swift
/// let event = RateLimitTransaction.spending([ofNetwork], reserving: [ofProject], eventID: requestID)
/// guard case .allowed(let refund) = try store.decide(event, now: now) else { return refuse() }
/// if let refund, !isCreated { try store.refund(refund) }  // the project's limit only
/// ```
public struct RateLimitTransaction: Hashable, Sendable {
    /// The limits in the order in which they are checked. Those that can be refunded are last.
    let limits: [RateLimit]
    let firstRefundable: Int
    let eventID: String

    /// Describes an event that counts toward `limits` whatever its outcome, and toward `reserved` unless its outcome
    /// gives the reservation back.
    ///
    /// If the front end retries a request, its `eventID` is the same. A limit that stores each event then counts it
    /// once. A limit that counts in buckets may count it again.
    public static func spending(
        _ limits: [RateLimit] = [],
        reserving reserved: [RateLimit] = [],
        eventID: String
    ) -> RateLimitTransaction {
        RateLimitTransaction(limits: limits + reserved, firstRefundable: limits.count, eventID: eventID)
    }
}

extension Store {
    /// Counts an event in all limits if each has room for one more.
    ///
    /// `now` is in milliseconds since the Unix epoch. The refund contains the limits in which this call counted the
    /// event: on a retry, what the first call counted is unknown.
    /// - Throws: ``StoreUnavailable``; after a retry, a limit that counts in buckets may have counted the event twice.
    public func decide(_ transaction: RateLimitTransaction, now: Int64) throws(StoreUnavailable) -> RateLimitDecision {
        let reservation = startReservation(of: transaction.limits, eventID: transaction.eventID, now: now)
        return try decide(transaction, reservation)
    }

    /// Counts an attempt to sign in with a password as wrong, before the password is verified.
    ///
    /// The reserved part of a limit is for networks from which the address's user has signed in. `knownNetwork` is the
    /// client's network as in ``rememberKnownNetwork(_:of:now:maximum:lifeMilliseconds:)``.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func decide(
        _ attempt: RateLimitTransaction,
        from knownNetwork: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64
    ) throws(StoreUnavailable) -> RateLimitDecision {
        let knownNetworks = KeyNames.knownNetworks(email)
        let reservation = startReservation(of: attempt.limits, eventID: attempt.eventID, now: now) { limits in
            guard KeyNames.shareSlot([knownNetworks, limits[0].key]) else { return nil }
            return ScriptCall(
                .countPasswordAttempt,
                keys: NamedValues(["knownNetworksKey": knownNetworks], list: "limitKeys", limits.map(\.key)),
                NamedValues(
                    [
                        "now": .integer(now), "event": .text(attempt.eventID), "network": .text(knownNetwork.hash),
                    ],
                    list: "bounds",
                    limits.flatMap { limit -> [Argument] in
                        [
                            .integer(limit.window.milliseconds), .count(limit.window.maximum),
                            .count(limit.window.reserved),
                        ]
                    }
                )
            )
        }
        return try decide(attempt, reservation)
    }

    private func decide(
        _ transaction: RateLimitTransaction,
        _ started: StartedReservation
    ) throws(StoreUnavailable) -> RateLimitDecision {
        let reservation = try reserve(started)
        if let first = reservation.exceeded.first { return .exceeded(first.reported()) }
        let refund = reservation.refund.limits(from: transaction.firstRefundable)
        return .allowed(refund: refund.isEmpty ? nil : refund)
    }

    /// Counts an event in limits that count in buckets, once per `occasion`, which is a limit that stores each event
    /// and is never exceeded. An event that the occasion has counted is allowed, and concurrent calls count it once.
    /// - Throws: ``StoreUnavailable``; a later retry may count the event twice in `limits`.
    public func decide(
        _ limits: [RateLimit],
        oncePer occasion: RateLimit,
        eventID: String,
        now: Int64
    ) throws(StoreUnavailable) -> RateLimitDecision {
        if try usage(of: occasion, now: now).events > 0 { return .allowed(refund: nil) }
        let started = startReservation(of: limits, eventID: eventID, now: now) { limits in
            // Concurrent calls for the same event have one id, so only one is executed.
            var call = ScriptCall(reserving: eventID, in: limits, now: now)
            call.append(callID: KeyNames.withoutSlot(occasion.key))
            return call
        }
        let reservation = try reserve(started)
        if let first = reservation.exceeded.first { return .exceeded(first.reported()) }
        // The occasion counts the event last: if it has counted an event, so have all limits.
        _ = try reserve([occasion], eventID: eventID, now: now)
        return .allowed(refund: nil)
    }

    /// Returns how much of a limit is used at `now`, in milliseconds since the Unix epoch (check-only).
    /// - Throws: ``StoreUnavailable``.
    public func usage(of limit: RateLimit, now: Int64) throws(StoreUnavailable) -> RateLimitUsage {
        guard limit.bucketMilliseconds == 0 else { return try bucketUsage(of: limit, now) }
        let earliest = "(\(now - limit.window.milliseconds)"
        let reply = try send("ZRANGEBYSCORE", limit.key, earliest, "+inf", "WITHSCORES").texts()
        let times = stride(from: 1, to: reply.count, by: 2).compactMap { Int64(reply[$0]) }
        return RateLimitUsage(
            limit: limit,
            events: times.count,
            oldestLeaves: times.first.map { Instant(milliseconds: $0 + limit.window.milliseconds) }
        )
    }

    /// Counts as `sliding-windows.lua` does: a bucket is in the window until its end has left it.
    private func bucketUsage(of limit: RateLimit, _ now: Int64) throws(StoreUnavailable) -> RateLimitUsage {
        let fields = try send("HGETALL", limit.key).fields(from: 0).integers
        let current = max(now / limit.bucketMilliseconds, fields["newest"] ?? 0)
        let oldest = current - RateLimit.bucketsPerWindow
        let buckets = fields.compactMap { name, events in Int64(name).map { (number: $0, events: events) } }
            .filter { $0.number >= oldest && $0.events > 0 }
        return RateLimitUsage(
            limit: limit,
            events: Int(buckets.reduce(0) { $0 + $1.events }),
            oldestLeaves: buckets.map(\.number).min().map {
                Instant(milliseconds: ($0 + 1) * limit.bucketMilliseconds + limit.window.milliseconds)
            }
        )
    }

    /// Resets limits.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func reset(_ limits: [RateLimit]) throws(StoreUnavailable) -> Bool {
        var hadAny = false
        for limit in limits where try send("DEL", limit.key).integer() > 0 { hadAny = true }
        return hadAny
    }
}

extension [RateLimit] {
    /// The window and the maximum of each limit.
    var bounds: [Argument] {
        var bounds: [Argument] = []
        bounds.reserveCapacity(2 * count)
        for limit in self {
            bounds.append(.integer(limit.window.milliseconds))
            bounds.append(.count(limit.window.maximum))
        }
        return bounds
    }
}
