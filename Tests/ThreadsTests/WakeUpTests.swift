import Glibc
import Testing
import Threads

@Suite struct WakeUpTests {
    private let event: WakeUp

    init() throws {
        event = try #require(WakeUp())
    }

    private var isSignaled: Bool {
        var entry = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test("signals make the descriptor readable until a reset or a wait")
    func signaled() {
        #expect(!isSignaled)
        event.reset()
        for end in [event.reset, { event.wait() }, { event.wait(atMost: .seconds(30)) }] {
            event.signal()
            event.signal()
            #expect(isSignaled)
            end()
            #expect(!isSignaled)
        }
    }

    @Test("a signal from another thread ends a wait")
    func woken() throws {
        let event = event
        let thread = try WorkThread(name: "waker") { event.signal() }
        event.wait()
        #expect(!isSignaled)
        thread.join()
    }
}
