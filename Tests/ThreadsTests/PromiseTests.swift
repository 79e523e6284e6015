import Testing
import Threads

@Suite struct PromiseTests {
    @Test("a value from another thread ends the wait")
    func fulfilled() throws {
        let promise = Promise<Int>()
        let thread = try WorkThread(name: "promise") { promise.fulfill(7) }
        #expect(promise.wait() == 7)
        thread.join()
    }

    @Test("a wait with a time limit ends without a value")
    func late() {
        let promise = Promise<Int?>()
        #expect(promise.wait(atMost: .milliseconds(1)) == nil)
        promise.fulfill(nil)
        #expect(promise.wait(atMost: .zero) == .some(nil))
    }
}
