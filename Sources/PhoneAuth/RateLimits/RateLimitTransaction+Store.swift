internal import Encodings
internal import Redis
internal import RedisScripts

/// An event that is checked against rate limits of a project and counted in all of them, or in none (check-and-spend).
///
/// ```swift
/// let event = RateLimitTransaction(of: project, [ofNetwork], refundable: [ofProject], eventID: requestID)
/// guard case .allowed(let refund) = try store.decide(event, now: now) else { return refuse() }
/// if let refund, !isCreated { try store.refund(refund, now: now) }  // the project's limit only
/// ```
struct RateLimitTransaction: Sendable {
    let project: String
    let limits: [RateLimit]
    let firstRefundable: Int
    let eventID: String
    let eventMilliseconds: Int64

    /// Describes an event that counts toward `limits` whatever its outcome, and toward `refundable` unless it is
    /// taken back.
    ///
    /// If the front end retries a request, its `eventID` is the same, and is counted once within
    /// `eventMilliseconds`: longer than any request takes.
    public init(
        of project: String,
        _ limits: [RateLimit] = [],
        refundable: [RateLimit] = [],
        eventID: String,
        eventMilliseconds: Int64 = 60_000
    ) {
        self.project = project
        self.limits = limits + refundable
        firstRefundable = limits.count
        // A request may count events of several kinds.
        self.eventID = "\((limits + refundable).first?.event.rawValue ?? ""):\(eventID)"
        self.eventMilliseconds = eventMilliseconds
    }
}

extension Store {
    /// Counts an event in all limits if each has room for one more. Only known clients may use the reserved parts.
    /// `now` is in milliseconds since the Unix epoch.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func decide(
        _ event: RateLimitTransaction,
        isKnown: Bool = false,
        now: Int64
    ) throws(StoreUnavailable) -> RateLimitDecision {
        guard !event.limits.isEmpty else { return .allowed(refund: nil) }
        let call = ScriptCall(
            .countEvent,
            keys: Self.keys(of: event.eventID, in: event.project, event.limits),
            NamedValues(
                [
                    "now": .integer(now),
                    "event": .text(event.eventID),
                    "eventLife": .integer(event.eventMilliseconds),
                ],
                list: "bounds",
                event.limits.bounds(isKnown: isKnown)
            )
        )
        let reply = try run(call)
        switch try reply.outcome() {
        case "counted":
            let refundable = Array(event.limits.dropFirst(event.firstRefundable))
            return .allowed(
                refund: refundable.isEmpty
                    ? nil : RateLimitRefund(project: event.project, eventID: event.eventID, limits: refundable)
            )
        case "repeated": return .allowed(refund: nil)
        case "limited":
            guard let first = try reply.exceeded(event.limits, isKnown: isKnown).first else { throw .unexpectedReply }
            return .exceeded(first.reported())
        default: throw .unexpectedReply
        }
    }

    /// Counts an attempt to sign in with a password as wrong, before the password is verified.
    ///
    /// The reserved part of a limit is for networks from which the address's user has signed in. `knownNetwork` is the
    /// client's network as in ``rememberKnownNetwork(_:of:now:maximum:lifeMilliseconds:)``.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func decide(
        _ attempt: RateLimitTransaction,
        from knownNetwork: NetworkIdentity,
        of email: EmailIdentity,
        now: Int64
    ) throws(StoreUnavailable) -> RateLimitDecision {
        let known = try send("HEXISTS", KeyNames.knownNetworks(email), knownNetwork.hash).integer() == 1
        return try decide(attempt, isKnown: known, now: now)
    }

    /// Takes an event back from the limits of the refund. A refund may be used once.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func refund(_ refund: RateLimitRefund, now: Int64) throws(StoreUnavailable) {
        let call = ScriptCall(
            .refundEvent,
            keys: Self.keys(of: refund.eventID, in: refund.project, refund.limits),
            NamedValues(
                ["now": .integer(now), "event": .text(refund.eventID)],
                list: "bounds",
                refund.limits.bounds()
            )
        )
        _ = try run(call)
    }

    /// Returns the keys of an event that is counted in limits.
    private static func keys(of eventID: String, in project: String, _ limits: [RateLimit]) -> NamedValues<String> {
        NamedValues(
            ["eventKey": KeyNames.countedEvent(eventID, of: project)],
            list: "limitKeys",
            limits.map(\.key)
        )
    }

    /// Returns how much of a limit is used at `now`, in milliseconds since the Unix epoch (check-only).
    /// - Throws: ``StoreUnavailable``.
    func usage(of limit: RateLimit, now: Int64) throws(StoreUnavailable) -> RateLimitUsage {
        let stored = try send("GET", limit.key)
        let text = stored.isNull ? "" : try stored.text()
        guard limit.isLog else {
            let rate = CellRate(window: limit.window)
            return RateLimitUsage(
                limit: limit,
                events: rate.events(Int64(text), now: now),
                nextLeaves: rate.nextLeaves(Int64(text), now: now).map { Instant(milliseconds: $0) }
            )
        }
        let times = text.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Int64($0) } }
            .filter { $0 > now - limit.window.milliseconds }
        return RateLimitUsage(
            limit: limit,
            events: times.count,
            nextLeaves: times.first.map { Instant(milliseconds: $0 + limit.window.milliseconds) }
        )
    }

    /// Resets limits.
    /// - Returns: whether there was anything to reset.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func reset(_ limits: [RateLimit]) throws(StoreUnavailable) -> Bool {
        var hadAny = false
        for limit in limits where try send("DEL", limit.key).integer() > 0 { hadAny = true }
        return hadAny
    }
}

extension [RateLimit] {
    /// Returns of each limit the maximum for a client, and the window of a log (ms) or the bound and the interval of a
    /// rate (µs).
    func bounds(isKnown: Bool = false) -> [Argument] {
        flatMap { limit -> [Argument] in
            let maximum = Argument.count(limit.window.maximum - (isKnown ? 0 : limit.window.reserved))
            let rate = CellRate(window: limit.window)
            return limit.isLog
                ? [maximum, .integer(limit.window.milliseconds), ""]
                : [maximum, .integer(rate.furthest), .integer(rate.interval)]
        }
    }
}

extension ScriptReply {
    /// Returns the limits without room that a reply names, after its first word: index of the limit from 1, the events
    /// that count and retry after (ms).
    func exceeded(_ limits: [RateLimit], isKnown: Bool = false) throws(StoreUnavailable) -> [ExceededRateLimit] {
        let values = try numbers()
        guard !values.isEmpty, values.count % 3 == 0 else { throw .unexpectedReply }
        var exceeded: [ExceededRateLimit] = []
        for start in stride(from: 0, to: values.count, by: 3) {
            let index = Int(values[start]) - 1
            guard limits.indices.contains(index) else { throw .unexpectedReply }
            exceeded.append(
                ExceededRateLimit(
                    limits[index],
                    events: values[start + 1],
                    reserved: isKnown ? 0 : limits[index].window.reserved,
                    retryAfterMilliseconds: values[start + 2]
                )
            )
        }
        return exceeded
    }
}
