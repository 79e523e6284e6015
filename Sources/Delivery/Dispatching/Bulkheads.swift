internal import RedisStore
internal import Synchronization

/// Limits on the items of each destination of an outbox in this process, so that a destination that hangs cannot take
/// the capacity of the others (bulkhead).
final class Bulkheads: Sendable {
    private let names: [String]
    private let maximum: Int
    private let held = Mutex<[String: Int]>([:])

    /// Divides a dispatcher's capacity among destinations.
    ///
    /// - Parameters:
    ///   - names: all destinations.
    ///   - preferred: the maximum number of items of a destination, unless all destinations together would exceed the
    ///     dispatcher's capacity.
    init(_ names: [String], preferred: Int = .max) {
        self.names = names
        maximum = max(1, min(preferred, DispatcherLimits.maximumHeld / max(1, names.count)))
    }

    /// Takes a slot; returns false if the destination has none free.
    func enter(_ name: String) -> Bool {
        held.withLock { held in
            guard held[name, default: 0] < maximum else { return false }
            held[name, default: 0] += 1
            return true
        }
    }

    /// Releases a slot.
    func leave(_ name: String) {
        held.withLock { $0[name, default: 0] -= 1 }
    }

    /// Returns the free slots for waiting items. A destination that is nearly full reports none: fetching a few items
    /// at a time would cost more Redis calls than it gains.
    func room() -> [String: DestinationRoom] {
        held.withLock { held in
            let room = names.map { name in
                let free = maximum - held[name, default: 0]
                return (name, DestinationRoom.items(free * 4 >= maximum ? free : 0))
            }
            return Dictionary(room) { first, _ in first }
        }
    }
}
