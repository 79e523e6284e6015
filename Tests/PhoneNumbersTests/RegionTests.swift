import PhoneNumbers
import Testing

@Suite struct RegionTests {
    @Test("a region is its code", arguments: ["US", "GB", "GG", "001"])
    func code(code: String) throws {
        #expect(try #require(Region(code)).description == code)
    }

    @Test(
        "a text other than two capital letters or 001 is not a region",
        arguments: ["", "U", "us", "USA", "ZZ", "002", "0", "U1", "Ü", "+1", " US"]
    )
    func notACode(code: String) {
        #expect(Region(code) == nil)
    }

    @Test("a region takes two bytes")
    func size() {
        #expect(MemoryLayout<Region>.size == 2)
    }
}
