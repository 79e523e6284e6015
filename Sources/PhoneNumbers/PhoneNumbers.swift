import Synchronization

/// A parser of phone numbers. One object serves all threads.
///
/// The numbers' plans come from ``NumberingData``, which can be replaced while others parse. Parsing takes about a
/// microsecond. Recent results, including errors, are cached.
///
/// ```swift
/// let number = try phoneNumbers.parse("+1 650-555-0100")
/// number.text  // +16505550100
/// number.region  // US
/// ```
public final class PhoneNumbers: Sendable {
    /// Numbering data and the results of parsing with them.
    private struct State {
        let data: NumberingData
        let cache: ReadingCache
    }

    private let state: Mutex<State>
    private let cacheCapacity: Int

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - data: the numbering data.
    ///   - cacheCapacity: the number of results to cache, at 24 bytes each. 0 disables the cache.
    public init(data: NumberingData = .builtIn, cacheCapacity: Int = 4096) {
        self.cacheCapacity = cacheCapacity
        state = Mutex(State(data: data, cache: ReadingCache(capacity: cacheCapacity)))
    }

    /// The numbering data in use.
    public var data: NumberingData { state.withLock(\.data) }

    /// Replaces the numbering data, and drops all cached results.
    public func use(_ data: NumberingData) {
        let new = State(data: data, cache: ReadingCache(capacity: cacheCapacity))
        state.withLock { $0 = new }
    }

    /// Reads the plan of one calling code, so that the first number does not take this time.
    public func warmUp() {
        _ = try? parse("+16505550100")
    }

    /// Parses a number in international form: `+` and digits, with any usual spacing and punctuation.
    ///
    /// The number is possible, but it may be invalid, or its region unknown. The result contains this information, and
    /// the caller decides. Parsing the `text` of a result returns the same result.
    public func parse(_ text: String) throws(PhoneNumberError) -> E164 {
        try parse(text.utf8Span)
    }

    /// Parses a number from the bytes of a request, like ``parse(_:)-(String)``. Bytes that are not UTF-8 are
    /// malformed.
    public func parse(_ bytes: Span<UInt8>) throws(PhoneNumberError) -> E164 {
        guard bytes.count <= DialedDigits.longestTextBytes else { throw .malformed }
        let text: UTF8Span
        do { text = try UTF8Span(validating: bytes) } catch { throw .malformed }
        return try parse(text)
    }

    /// Returns whether the data have a numbering plan for this region. Use it to find typing errors in a configuration,
    /// such as `UK` instead of `GB`.
    public func knows(_ region: Region) -> Bool {
        region == .nonGeographic || data.callingCode(of: region) != nil
    }

    /// Returns the type of a number; nil if the data do not have its range.
    func type(of number: E164) -> NumberType? {
        let data = data
        let digits = Digits.of(number.digits)
        guard let code = data.callingCode(of: digits) else { return nil }
        let plan = data.plan(code)
        let national = Array(digits.dropFirst(Digits.count(code)))
        return plan.region(of: national)?.type(of: national)
    }

    private func parse(_ text: UTF8Span) throws(PhoneNumberError) -> E164 {
        let digits = try DialedDigits.read(text)
        let state = state.withLock(\.self)
        if let known = state.cache.reading(of: digits) { return try known.get() }
        let reading = state.data.read(Digits.of(digits))
        state.cache.insert(reading, of: digits)
        return try reading.get()
    }
}

extension PhoneNumbers: CustomReflectable {
    /// Empty: the cache contains phone numbers.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension NumberingData {
    /// The most digits that a number has, by E.164.
    static let mostDigits = 15

    /// Reads an international number without its plus sign.
    func read(_ digits: [UInt8]) -> Result<E164, PhoneNumberError> {
        guard digits.count > 2 else { return .failure(.malformed) }
        guard let code = callingCode(of: digits) else { return .failure(.unknownCallingCode) }
        let plan = plan(code)
        var national = Array(digits.dropFirst(Digits.count(code)))
        // A national prefix may follow another: +49 0 0151... Two spellings of a number must not be two numbers.
        for _ in 0...Self.mostDigits {
            let shortened = plan.mainRegion.national(national)
            if shortened == national { return finish(national, plan) }
            national = shortened
        }
        return .failure(.malformed)
    }

    private func finish(_ national: [UInt8], _ plan: NumberingPlan) -> Result<E164, PhoneNumberError> {
        if let obstacle = plan.obstacle(of: national) { return .failure(obstacle) }
        guard national.count + Digits.count(plan.callingCode) <= Self.mostDigits else { return .failure(.tooLong) }
        let digits = national.reduce(UInt64(plan.callingCode)) { $0 * 10 + UInt64($1) }
        let canonical = CanonicalDigits.of(digits)
        if canonical != digits {
            return finish(Array(Digits.of(canonical).dropFirst(Digits.count(plan.callingCode))), plan)
        }
        let region = plan.region(of: national)
        return .success(
            E164(
                digits: digits,
                region: region?.region,
                mainRegion: plan.mainRegion.region,
                isValid: region?.type(of: national) != nil
            )
        )
    }
}

/// Conversions between numbers and digits.
enum Digits {
    /// Returns the decimal digits of a number.
    static func of(_ number: UInt64) -> [UInt8] { String(number).utf8.map { $0 - 0x30 } }

    /// Returns the number of digits of a calling code.
    static func count(_ callingCode: Int) -> Int { callingCode < 10 ? 1 : callingCode < 100 ? 2 : 3 }
}

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

/// A region, as an entry in a list of countries.
public struct DialedRegion: Sendable, Equatable {
    /// The region.
    public let region: Region
    /// Its calling code, without the plus sign.
    public let callingCode: Int
    /// Whether the region is the main one of its calling code, as US is for +1.
    public let isMainOfCallingCode: Bool
    /// A mobile number in national format that is not in use; empty if the data have no example.
    public let example: String

    /// Describes a geographic region; nil for others.
    init?(_ facts: RegionFacts, mainRegion: String, _ formats: NumberFormats?) {
        guard let region = Region(facts.region), region != .nonGeographic else { return nil }
        self.region = region
        callingCode = facts.callingCode
        isMainOfCallingCode = facts.region == mainRegion
        let digits = facts.descriptions.first { $0.type == NumberType.mobile.rawValue }?.example.utf8.map { $0 &- 0x30 }
        example = digits.flatMap { formats?.format($0, .national) } ?? ""
    }
}

/// Why a text is not a phone number that can be dialed from abroad.
public enum PhoneNumberError: Error, Hashable, Sendable {
    /// Not `+` with digits and the usual separators, or longer than 64 bytes.
    case malformed
    /// No numbering plan has the digits after the `+`.
    case unknownCallingCode
    /// Shorter than any number of its plan, or long enough only for dialing within its own area.
    case tooShort
    /// Longer than the 15 digits of E.164, or than the ten of +1.
    case tooLong
}
