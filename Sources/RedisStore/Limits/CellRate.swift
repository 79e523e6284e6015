internal import Glibc

/// A rate limit that stores one value, by the generic cell rate algorithm (GCRA): the theoretical arrival time. Each
/// event moves this time by the window divided by the maximum. What it is ahead of now, divided by that, is the number
/// of events that still count.
///
/// A client may have its maximum at once, and then gets one event back after each part of the window. So a single
/// window may have nearly twice the maximum, but a long time never has more than the maximum for each window.
/// `rate-limits.lua` and `send-verification-code.lua` compute the same.
struct CellRate {
    let window: RateLimit.Window

    /// How far an event moves the theoretical arrival time, in milliseconds.
    private var interval: Double { Double(window.milliseconds) / Double(window.maximum) }

    /// Returns the events that count at `now`, given the stored time. Both times are in milliseconds since the Unix
    /// epoch.
    func events(_ arrival: Double?, now: Int64) -> Int { max(0, Int(used(arrival, now).rounded(.up))) }

    /// Returns when there is one event less, in milliseconds since the Unix epoch; nil if none counts.
    func nextLeaves(_ arrival: Double?, now: Int64) -> Int64? {
        let events = events(arrival, now: now)
        guard events > 0, let arrival else { return nil }
        return Int64((arrival - Double(events - 1) * interval).rounded(.up))
    }

    /// Returns how long until there is room for one more event, in milliseconds: 0 if there is. Without a share of the
    /// known clients, `reserved` events are missing from the maximum.
    func wait(_ arrival: Double?, now: Int64, reserved: Int = 0) -> Int64 {
        let free = Double(window.maximum - reserved)
        guard used(arrival, now) > free - 1, let arrival else { return 0 }
        return Int64((arrival + (1 - free) * interval - Double(now)).rounded(.up))
    }

    /// Returns the time to store after one more event.
    func next(_ arrival: Double?, now: Int64) -> Double { max(Double(now), arrival ?? 0) + interval }

    /// The small number is for errors of rounding.
    private func used(_ arrival: Double?, _ now: Int64) -> Double {
        max(0, (arrival ?? 0) - Double(now)) / interval - 0.01
    }
}
