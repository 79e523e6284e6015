import Testing

@testable import PhoneNumbers

@Suite struct ReadingCacheTests {
    private func reading(_ digits: UInt64) -> ReadingCache.Reading {
        digits.isMultiple(of: 3)
            ? .failure(.tooShort)
            : .success(
                E164(digits: digits, region: Region("US"), mainRegion: .nonGeographic, isValid: true)
            )
    }

    @Test("cached results are returned, including rejections")
    func kept() {
        let cache = ReadingCache(capacity: 4096)
        for digits in 16_505_550_100...16_505_550_199 as ClosedRange<UInt64> {
            #expect(cache.reading(of: digits) == nil)
            cache.insert(reading(digits), of: digits)
            #expect(cache.reading(of: digits) == reading(digits))
        }
        #expect(cache.reading(of: 1) == nil)
    }

    @Test("a flood of numbers does not grow the cache", arguments: [1, 4, 100, 4096])
    func bounded(capacity: Int) {
        let cache = ReadingCache(capacity: capacity)
        for digits in 1...50_000 as ClosedRange<UInt64> {
            cache.insert(reading(digits), of: digits)
            #expect(cache.reading(of: digits) == reading(digits))
        }
        #expect(cache.count <= capacity + 3)
        #expect(cache.count > capacity / 2)
    }

    @Test("the least recently used number of a set is evicted first")
    func eviction() {
        let cache = ReadingCache(capacity: 4)
        for digits in 1...4 as ClosedRange<UInt64> { cache.insert(reading(digits), of: digits) }
        _ = cache.reading(of: 1)
        cache.insert(reading(5), of: 5)
        #expect([1, 2, 3, 4, 5].map { cache.reading(of: $0) != nil } == [true, false, true, true, true])
    }

    @Test("a number cached twice takes one entry")
    func keptTwice() {
        let cache = ReadingCache(capacity: 4)
        for _ in 1...3 { cache.insert(reading(7), of: 7) }
        cache.insert(reading(8), of: 8)
        #expect(cache.count == 2)
    }

    @Test("a cache without capacity stores nothing and asks the library", arguments: [0, -1])
    func none(capacity: Int) throws {
        let cache = ReadingCache(capacity: capacity)
        cache.insert(reading(1), of: 1)
        #expect(cache.reading(of: 1) == nil)
        #expect(try PhoneNumbers(cacheCapacity: capacity).parse("+16505550100").text == "+16505550100")
    }

    @Test("the default cache stays far below a megabyte")
    func memory() {
        #expect(MemoryLayout<E164>.stride <= 16)
        #expect(ReadingCache.bytesForEach * 4096 <= 128 * 1024)
    }
}
