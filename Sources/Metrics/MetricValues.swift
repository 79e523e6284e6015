internal import Synchronization

/// A count of events.
///
/// `@unchecked Sendable`: the address of an atomic value that is never deallocated.
public struct Counter: @unchecked Sendable {
    let word: MetricArena.Word

    /// Adds to the count.
    public func add(_ amount: UInt64 = 1) { word.pointee.wrappingAdd(amount, ordering: .relaxed) }
    /// Adds a duration, to a counter of seconds.
    public func add(_ duration: Duration) { add(duration.nanoseconds) }
}

/// A current value.
///
/// `@unchecked Sendable`: the address of an atomic value that is never deallocated.
public struct Gauge: @unchecked Sendable {
    let word: MetricArena.Word

    /// Replaces the value.
    public func set(_ value: Int) { word.pointee.store(UInt64(bitPattern: Int64(value)), ordering: .relaxed) }
    /// Adds to the value.
    public func add(_ change: Int) { word.pointee.wrappingAdd(UInt64(bitPattern: Int64(change)), ordering: .relaxed) }
}

/// A distribution of durations.
///
/// `@unchecked Sendable`: the address of atomic values that are never deallocated.
public struct Histogram: @unchecked Sendable {
    let words: MetricArena.Word
    let bounds: [UInt64]

    /// Counts a duration.
    public func observe(_ duration: Duration) {
        let nanoseconds = duration.nanoseconds
        var bucket = 0
        while bucket < bounds.count, nanoseconds > bounds[bucket] { bucket += 1 }
        words[bucket].wrappingAdd(1, ordering: .relaxed)
        words[bounds.count + 1].wrappingAdd(nanoseconds, ordering: .relaxed)
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 if it is negative.
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000))
    }
}
