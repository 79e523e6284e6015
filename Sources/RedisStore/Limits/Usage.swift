internal import Redis

/// The current count of a rate limit on messages.
public struct SendUsage: Sendable {
    /// The limit.
    public let limit: SendLimit
    /// The number of messages in its window.
    public let sends: Int
    /// When the oldest message leaves the window, in milliseconds since the Unix epoch; nil if there is none.
    public let oldestLeaves: Int64?
}

/// The wrong codes for a number since the last correct one.
public struct WrongCodeUsage: Sendable {
    /// The number of wrong codes that are not forgotten.
    public let wrongCodes: Int
    /// When they are all forgotten, in milliseconds since the Unix epoch; nil if there are none.
    public let forgottenAt: Int64?
    /// Until when each client that must wait has to wait, in milliseconds since the Unix epoch.
    public let clientsWaitUntil: [Int64]
}

extension Store {
    /// Returns how much of a limit is used at `now`, in milliseconds since the Unix epoch. Changes nothing.
    /// - Throws: ``StoreUnavailable``.
    public func usage(of limit: SendLimit, now: Int64) throws(StoreUnavailable) -> SendUsage {
        let window = try usage(
            ofKey: KeyNames.sends(limit),
            windowMilliseconds: limit.windowMilliseconds,
            bucketMilliseconds: limit.bucketMilliseconds,
            now: now
        )
        return SendUsage(limit: limit, sends: window.events, oldestLeaves: window.oldestLeaves)
    }

    /// Returns how many events a window of `sliding-windows.lua` holds, and when the oldest of them leaves it.
    func usage(
        ofKey key: String,
        windowMilliseconds: Int64,
        bucketMilliseconds: Int64,
        now: Int64
    ) throws(StoreUnavailable) -> (events: Int, oldestLeaves: Int64?) {
        guard bucketMilliseconds == 0 else {
            return try bucketUsage(ofKey: key, windowMilliseconds, bucketMilliseconds, now)
        }
        let earliest = "(\(now - windowMilliseconds)"
        let reply = try send("ZRANGEBYSCORE", key, earliest, "+inf", "WITHSCORES").texts()
        let times = stride(from: 1, to: reply.count, by: 2).compactMap { Int64(reply[$0]) }
        return (times.count, times.first.map { $0 + windowMilliseconds })
    }

    /// Counts as `sliding-windows.lua` does: a bucket is in the window until its end has left it.
    private func bucketUsage(
        ofKey key: String,
        _ windowMilliseconds: Int64,
        _ bucketMilliseconds: Int64,
        _ now: Int64
    ) throws(StoreUnavailable) -> (events: Int, oldestLeaves: Int64?) {
        let fields = try integers(key)
        let current = max(now / bucketMilliseconds, fields["newest"] ?? 0)
        let oldest = current - SendCounter.bucketsPerWindow
        let buckets = fields.compactMap { name, events in Int64(name).map { (number: $0, events: events) } }
            .filter { $0.number >= oldest && $0.events > 0 }
        return (
            Int(buckets.reduce(0) { $0 + $1.events }),
            buckets.map(\.number).min().map { ($0 + 1) * bucketMilliseconds + windowMilliseconds }
        )
    }

    /// Returns the wrong codes for a number, or for it as a test number, at `now`, in milliseconds since the Unix
    /// epoch. Changes nothing.
    /// - Throws: ``StoreUnavailable``.
    public func wrongCodes(
        for phone: PhoneIdentity,
        isTestNumber: Bool,
        _ limits: WrongCodeLimits,
        now: Int64
    ) throws(StoreUnavailable) -> WrongCodeUsage {
        let stored = try send("HGETALL", KeyNames.wrongCodes(phone, isTestNumber: isTestNumber)).fields(from: 0)
        let fields = stored.integers
        guard let last = fields["last"], now < last + limits.memoryMilliseconds else {
            return WrongCodeUsage(wrongCodes: 0, forgottenAt: nil, clientsWaitUntil: [])
        }
        let ofClients = fields.filter { $0.key.hasPrefix("all:") }
        let ends = ofClients.compactMap { name, count -> Int64? in
            let last = fields["last:" + name.dropFirst("all:".count)] ?? 0
            return limits.waitMilliseconds(afterWrongCodesOfClient: Int(count)).map { last + $0 }
        }
        return WrongCodeUsage(
            wrongCodes: limits.left(of: stored.text("all").flatMap { Double($0) } ?? 0, after: now - last),
            forgottenAt: last + limits.memoryMilliseconds,
            clientsWaitUntil: ends.filter { now < $0 }.sorted()
        )
    }

    /// Resets the counters of a number: its messages, its wrong codes, and those for it as a test number.
    /// - Returns: whether there were any.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func forgetLimits(of phone: PhoneIdentity) throws(StoreUnavailable) -> Bool {
        try send(
            "DEL",
            KeyNames.sends(SendLimit(.number(phone), windowMilliseconds: 1, maximum: 1)),
            KeyNames.wrongCodes(phone, isTestNumber: false),
            KeyNames.wrongCodes(phone, isTestNumber: true)
        ).integer() > 0
    }

    private func integers(_ key: String) throws(StoreUnavailable) -> [String: Int64] {
        try send("HGETALL", key).fields(from: 0).integers
    }
}

extension WrongCodeLimits {
    /// Returns the wait as `answer-session.lua` computes it, or nil if the client need not wait.
    fileprivate func waitMilliseconds(afterWrongCodesOfClient count: Int) -> Int64? {
        let excess = count - perClientBeforeWait
        guard excess >= 0 else { return nil }
        return excess < 40 ? min(1000 << Int64(excess), longestWaitMilliseconds) : longestWaitMilliseconds
    }
}
