import Testing

@testable import PhoneNumbers

@Suite struct ConcurrencyTests {
    @Test("concurrent tasks that parse equal and different numbers get correct results", arguments: [0, 4, 4096])
    func parallel(cacheCapacity: Int) async throws {
        let phoneNumbers = PhoneNumbers(cacheCapacity: cacheCapacity)
        let texts = Array(Reference.examples.prefix(200))
        let alone = PhoneNumbers(cacheCapacity: 0)
        let expected = texts.map(alone.result)
        await withTaskGroup(of: Int.self) { group in
            for start in 0..<8 {
                group.addTask {
                    let places = texts.indices.map { ($0 * 7 + start * 31) % texts.count }
                    return places.count { phoneNumbers.result(texts[$0]) != expected[$0] }
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
    }
}
