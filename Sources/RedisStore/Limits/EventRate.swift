/// How many events a process has per second, and how many of them share a call to Redis.
struct EventRate {
    /// The number of blocks into which the events of a second are divided.
    private static let blocksPerSecond = 8

    /// The second (since the Unix epoch) in which ``events`` were counted.
    private var second: Int64 = 0
    private var events = 0
    private var eventsInSecondBefore = 0

    /// Counts an event of this process.
    mutating func count(at now: Int64) {
        let current = now / 1000
        if second < current {
            eventsInSecondBefore = second == current - 1 ? events : 0
            (second, events) = (current, 0)
        }
        events += 1
    }

    /// Returns whether the process has had no event for a day.
    func isOver(at now: Int64) -> Bool { second < (now - Store.dayMilliseconds) / 1000 }

    /// The events that share a call: one if the process has few, ``LeasedEvents/mostEvents`` at most.
    var block: Int {
        max(1, min(max(events, eventsInSecondBefore) / Self.blocksPerSecond, LeasedEvents.mostEvents))
    }
}
