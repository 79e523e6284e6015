internal import RedisStore
internal import Synchronization

/// Bounds how many items each destination of an outbox holds in this process, so that a destination that hangs cannot
/// take the room of others.
final class Bulkheads: Sendable {
    private let names: [String]
    private let maximum: Int
    private let held = Mutex<[String: Int]>([:])

    /// Divides a dispatcher's room among destinations.
    ///
    /// - Parameters:
    ///   - names: all destinations.
    ///   - preferred: how many items a destination is to hold, if all of them together fit into the dispatcher.
    init(_ names: [String], preferred: Int = .max) {
        self.names = names
        maximum = max(1, min(preferred, DispatcherLimits.maximumHeld / max(1, names.count)))
    }

    /// Takes room; false if the destination has none left.
    func enter(_ name: String) -> Bool {
        held.withLock { held in
            guard held[name, default: 0] < maximum else { return false }
            held[name, default: 0] += 1
            return true
        }
    }

    /// Gives room back.
    func leave(_ name: String) {
        held.withLock { $0[name, default: 0] -= 1 }
    }

    /// The room that there is for waiting items. A destination that is nearly full has none: taking items a few at a
    /// time would cost more questions to Redis than it gains.
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

/// What one dispatcher holds at most.
enum DispatcherLimits {
    /// How many items are worked on at a time.
    static let maximumHeld = 1000
}
