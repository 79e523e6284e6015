import Testing
import Threads

@Suite struct SemaphoreTests {
    @Test(
        "a signal is consumed once, whatever the timeout",
        arguments: [Duration.seconds(30), .zero, .seconds(-1)]
    )
    func signaled(limit: Duration) {
        let semaphore = Semaphore()
        semaphore.signal()
        #expect(semaphore.wait(atMost: limit))
        #expect(!semaphore.wait(atMost: .zero))
    }

    @Test("a wait without a signal ends at its timeout, not before", arguments: [1, 20, 1100])
    func over(milliseconds: Int) {
        let start = ContinuousClock.now
        #expect(!Semaphore().wait(atMost: .milliseconds(milliseconds)))
        #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
    }

    @Test("a signal from another thread ends a wait")
    func woken() throws {
        let asked = Semaphore()
        let answered = Semaphore()
        let thread = try WorkThread(name: "waker") {
            asked.wait()
            answered.signal()
        }
        asked.signal()
        #expect(answered.wait(atMost: .seconds(30)))
        thread.join()
    }
}
