internal import Encodings
internal import Redis

/// An event that is checked against rate limits and counted in all of them, or in none (check-and-spend).
///
/// A limit with the maximum ``RateLimit/unlimited`` only records the event (spend-only).
public struct RateLimitTransaction: Hashable, Sendable {
    /// The limits in the order in which they are checked. Those that can be refunded are last.
    let limits: [RateLimit]
    let firstRefundable: Int
    let eventID: String

    /// Describes an event that counts toward `limits` whatever its outcome, and toward `reserved` unless its outcome
    /// gives the reservation back.
    ///
    /// If the front end retries a request, its `eventID` is the same. The event is then counted once in each list whose
    /// first limit stores each event.
    public static func spending(
        _ limits: [RateLimit] = [],
        reserving reserved: [RateLimit] = [],
        eventID: String
    ) -> RateLimitTransaction {
        RateLimitTransaction(limits: limits + reserved, firstRefundable: limits.count, eventID: eventID)
    }

    var refund: RateLimitRefund { RateLimitRefund(limits: Array(limits[firstRefundable...]), eventID: eventID) }
}

/// A counted event that can be taken back from the limits that it was reserved in (refund). The first of them stores
/// each event.
public struct RateLimitRefund: Hashable, Sendable {
    let limits: [RateLimit]
    let eventID: String
}

extension Store {
    /// Counts an event in all limits if each has room for one more, in one atomic step.
    ///
    /// `now` is in milliseconds since the Unix epoch. Only the event's first call returns the refund: on a retry it is
    /// not known what the first run did.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func decide(_ transaction: RateLimitTransaction, now: Int64) throws(StoreUnavailable) -> RateLimitDecision {
        let limits = transaction.limits
        guard !limits.isEmpty else { return .allowed(refund: nil) }
        let reply = try run(
            .admit,
            keys: NamedValues(list: "limitKeys", limits.map(\.key)),
            NamedValues(
                [
                    "now": .integer(now),
                    "request": .text(transaction.eventID),
                    "attempts": .count(transaction.firstRefundable),
                ],
                list: "bounds",
                limits.bounds
            )
        )
        return try decision(reply, on: transaction)
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
        let reply = try run(
            .countPasswordAttempt,
            keys: NamedValues(
                ["knownNetworksKey": KeyNames.knownNetworks(email)],
                list: "limitKeys",
                attempt.limits.map(\.key)
            ),
            NamedValues(
                [
                    "now": .integer(now),
                    "attempt": .text(attempt.eventID),
                    "network": .text(knownNetwork.hash),
                ],
                list: "bounds",
                attempt.limits.bounds
            )
        )
        return try decision(reply, on: attempt)
    }

    private func decision(
        _ reply: ScriptReply,
        on transaction: RateLimitTransaction
    ) throws(StoreUnavailable) -> RateLimitDecision {
        switch try reply.outcome() {
        case "allowed": return .allowed(refund: try reply.integer(at: 1) == 1 ? transaction.refund : nil)
        case "limited": return .exceeded(try ExceededRateLimit(reply, of: transaction.limits))
        default: throw .unexpectedReply
        }
    }

    /// Takes an event back from the limits that it was reserved in.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func refund(_ refund: RateLimitRefund) throws(StoreUnavailable) {
        _ = try run(
            .releaseReservation,
            keys: NamedValues(list: "limitKeys", refund.limits.map(\.key)),
            NamedValues(["request": .text(refund.eventID)], list: "bounds", refund.limits.bounds)
        )
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
    /// The bounds that `readLimits` in `sliding-windows.lua` reads.
    var bounds: [Argument] {
        var bounds: [Argument] = []
        bounds.reserveCapacity(4 * count)
        for limit in self {
            bounds.append(.integer(limit.window.milliseconds))
            bounds.append(.count(limit.window.maximum))
            bounds.append(.integer(limit.bucketMilliseconds))
            bounds.append(.count(limit.window.reserved))
        }
        return bounds
    }
}
