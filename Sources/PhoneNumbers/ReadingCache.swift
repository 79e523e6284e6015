import Synchronization

/// The last readings, so that a number that comes back costs nanoseconds.
///
/// A table of small sets: a number has its place in one set only, and the sets keep their four most recent numbers.
/// Work and memory are therefore bounded whatever arrives; somebody who sends ever new numbers only empties the cache.
/// Which numbers share a set is drawn at start, so nobody can aim at one set from outside.
final class ReadingCache: Sendable {
    typealias Reading = Result<E164, PhoneNumberError>

    private struct Slot {
        /// The digits that were read; 0 is no number, and marks an empty slot.
        var digits: UInt64 = 0
        var reading = Reading.failure(.malformed)
    }

    /// Memory for one reading.
    static var bytesForEach: Int { MemoryLayout<Slot>.stride }

    private static let slotsInSet = 4

    private let setCount: Int
    private let multiplier = UInt64.random(in: .min ... .max) | 1
    private let slots: Mutex<[Slot]>

    /// - Parameter capacity: how many readings to keep, rounded up to whole sets; 24 bytes each. With 0, none.
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
            // Another thread may have read the same number meanwhile; otherwise the oldest of the set goes.
            let places = 0..<Self.slotsInSet
            let place = places.first { slots[first + $0].digits == digits } ?? Self.slotsInSet - 1
            Self.putInFront(Slot(digits: digits, reading: reading), shifting: place, from: first, in: &slots)
        }
    }

    /// How many readings are kept at the moment.
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
