import Synchronization

/// A cache of recent results, which makes a repeated number take only nanoseconds.
///
/// The cache is set-associative: each number belongs to one set, and each set keeps its four most recent numbers. So
/// work and memory are bounded for any input, and a flood of new numbers can only empty the cache. The hash is seeded
/// at start, so an attacker cannot aim at one set.
final class ReadingCache: Sendable {
    typealias Reading = Result<E164, PhoneNumberError>

    private struct Slot {
        /// The parsed digits; 0 is not a number and marks an empty slot.
        var digits: UInt64 = 0
        var reading = Reading.failure(.malformed)
    }

    /// The memory of one result, in bytes.
    static var bytesForEach: Int { MemoryLayout<Slot>.stride }

    private static let slotsInSet = 4

    private let setCount: Int
    private let multiplier = UInt64.random(in: .min ... .max) | 1
    private let slots: Mutex<[Slot]>

    /// Creates a cache.
    ///
    /// - Parameter capacity: the number of results to keep, rounded up to whole sets, at 24 bytes each. 0 keeps none.
    init(capacity: Int) {
        setCount = max(0, capacity + Self.slotsInSet - 1) / Self.slotsInSet
        slots = Mutex(Array(repeating: Slot(), count: setCount * Self.slotsInSet))
    }

    func reading(of digits: UInt64) -> Reading? {
        guard setCount > 0 else { return nil }
        let first = firstSlot(digits)
        return slots.withLock { slots in
            for place in 0..<Self.slotsInSet where slots[first + place].digits == digits {
                let found = slots[first + place]
                Self.putInFront(found, shifting: place, from: first, in: &slots)
                return found.reading
            }
            return nil
        }
    }

    func insert(_ reading: Reading, of digits: UInt64) {
        guard setCount > 0 else { return }
        let first = firstSlot(digits)
        slots.withLock { slots in
            // Another thread may have inserted the same number meanwhile. If not, the set's least recently used number
            // is evicted.
            let places = 0..<Self.slotsInSet
            let place = places.first { slots[first + $0].digits == digits } ?? Self.slotsInSet - 1
            Self.putInFront(Slot(digits: digits, reading: reading), shifting: place, from: first, in: &slots)
        }
    }

    /// The number of results in the cache.
    var count: Int {
        slots.withLock { slots in slots.count { $0.digits != 0 } }
    }

    private static func putInFront(_ slot: Slot, shifting places: Int, from first: Int, in slots: inout [Slot]) {
        for place in stride(from: places, to: 0, by: -1) {
            slots[first + place] = slots[first + place - 1]
        }
        slots[first] = slot
    }

    private func firstSlot(_ digits: UInt64) -> Int {
        let spread = (digits &* multiplier).multipliedFullWidth(by: UInt64(setCount)).high
        return Int(spread) * Self.slotsInSet
    }
}
