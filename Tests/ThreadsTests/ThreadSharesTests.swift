import Testing
import Threads

@Suite struct ThreadSharesTests {
    @Test("one owner gets its share, and all owners together the maximum")
    func shares() {
        let threads = ThreadShares(maximum: 3, owners: 2)
        #expect(threads.share == 1)
        let isNested = threads.wait(for: "a") {
            #expect(threads.wait(for: "a") { true } == nil)
            return threads.wait(for: "b") {
                threads.wait(for: "c") { threads.wait(for: "d") { true } == nil } ?? false
            }
        }
        #expect(isNested == true)
        #expect(threads.wait(for: "a") { true } == true, "the thread was given back")
    }

    @Test("a single owner gets all threads, and each of too many owners one")
    func numbers() {
        #expect(ThreadShares(maximum: 4).share == 4)
        #expect(ThreadShares(maximum: 4, owners: 0).share == 4)
        #expect(ThreadShares(maximum: 2, owners: 5).share == 1)
    }
}
