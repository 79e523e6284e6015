import CFastCGI
import Glibc

/// An event that one thread signals and others wait for (Linux eventfd).
struct WakeUp: Sendable {
    private let event: Descriptor

    init() throws(ServerError) {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard number >= 0 else { throw .systemCall("eventfd", error: errno) }
        event = Descriptor(owning: number)
    }

    var descriptor: Int32 { event.number }

    func signal() {
        _ = eventfd_write(event.number, 1)
    }

    /// Waits for a signal and resets it, or until the timeout. May return early.
    func wait(atMost limit: Duration? = nil) {
        let (seconds, attoseconds) = (limit ?? .seconds(-1)).components
        let milliseconds = limit == nil ? -1 : seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        var waiting = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, Int32(clamping: milliseconds))
        var count: eventfd_t = 0
        _ = eventfd_read(event.number, &count)
    }
}
