import Testing

@testable import RedisStore

@Suite struct TestNumbersTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @Test("the number of test numbers is bounded, not the number of changes, and each project has its own")
    func testNumbers() throws {
        for index in 0..<3 { #expect(try test.store.setTestNumber("\(index)", [0, 255], of: "demo", atMost: 3)) }
        #expect(try !test.store.setTestNumber("3", [1], of: "demo", atMost: 3))
        #expect(try test.store.setTestNumber("2", [2], of: "demo", atMost: 3))
        #expect(try test.store.setTestNumber("3", [1], of: "other", atMost: 3))
        #expect(try test.store.testNumbers(of: "demo") == ["0": [0, 255], "1": [0, 255], "2": [2]])
        #expect(try test.store.removeTestNumber("0", of: "demo"))
        #expect(try !test.store.removeTestNumber("0", of: "demo"))
        #expect(try test.store.setTestNumber("3", [1], of: "demo", atMost: 3))
    }
}
