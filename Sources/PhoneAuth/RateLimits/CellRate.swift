/// A rate limit that stores one value, by the generic cell rate algorithm (GCRA): the theoretical arrival time. Each
/// event moves this time by the window divided by the maximum. What it is ahead of now, divided by that, is the number
/// of events that still count.
///
/// A client may have its maximum at once, and then gets one event back after each part of the window. So a single
/// window may have twice the maximum, but a long time never has more than the maximum for each window, except
/// for rounding: a part of the window is a whole number of microseconds. Within the tolerance, the order in which
/// requests are counted and the difference of workers' clocks refuse no event that would have had room.
/// `rate-limits.lua` and `send-verification-code.lua` compute the same.
struct CellRate {
    let window: RateLimit.Window

    /// How far an event moves the theoretical arrival time, in microseconds.
    var interval: Int64 { max(1, 1000 * window.milliseconds / Int64(window.maximum)) }

    /// How much earlier an event may be than its room, in microseconds: a request keeps the time of its arrival, and a
    /// later one may be counted before it.
    var tolerance: Int64 { min(interval / 2, 5_000_000) }

    /// Returns the events that count at `now` (milliseconds since the Unix epoch), given the stored `arrival`
    /// (microseconds since the Unix epoch).
    func events(_ arrival: Int64?, now: Int64) -> Int {
        Int(Self.quotient(max(0, ahead(arrival, now) - tolerance), interval))
    }

    /// Returns when there is one event less, in milliseconds since the Unix epoch; nil if none counts.
    func nextLeaves(_ arrival: Int64?, now: Int64) -> Int64? {
        let events = Int64(events(arrival, now: now))
        guard events > 0, let arrival else { return nil }
        return Self.quotient(arrival - (events - 1) * interval, 1000)
    }

    /// Returns how long until there is room for one more event, in milliseconds: 0 if there is. Without a share of the
    /// known clients, `reserved` events are missing from the maximum.
    func wait(_ arrival: Int64?, now: Int64, reserved: Int = 0) -> Int64 {
        let free = window.maximum - reserved
        guard events(arrival, now: now) >= free else { return 0 }
        return Self.quotient(ahead(arrival, now) - Int64(free - 1) * interval, 1000)
    }

    /// Returns the time to store after one more event, in microseconds since the Unix epoch.
    func next(_ arrival: Int64?, now: Int64) -> Int64 { 1000 * now + ahead(arrival, now) + interval }

    /// How far ahead an arrival can be, in microseconds, if clocks differ by at most two minutes. What is further ahead
    /// counts nothing: a clock that was set wrong for a moment must not use up a limit for hours.
    var furthest: Int64 { 1000 * (window.milliseconds + 120_000) }

    private func ahead(_ arrival: Int64?, _ now: Int64) -> Int64 {
        let ahead = max(0, (arrival ?? 0) - 1000 * now)
        return ahead > furthest ? 0 : ahead
    }

    /// Divides, and rounds up.
    private static func quotient(_ dividend: Int64, _ divisor: Int64) -> Int64 { (dividend + divisor - 1) / divisor }
}
