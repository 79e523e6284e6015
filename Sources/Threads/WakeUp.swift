internal import CThreads
internal import Glibc

/// An event that one thread signals, and that others poll or wait for (Linux eventfd).
public final class WakeUp: Sendable {
    /// The descriptor, which is readable after a signal.
    public let descriptor: Int32

    /// Creates an event. Returns nil and sets `errno` on failure.
    public init?() {
        let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        if number < 0 { return nil }
        descriptor = number
    }

    deinit { close(descriptor) }

    /// Signals the event.
    public func signal() {
        _ = eventfd_write(descriptor, 1)
    }

    /// Resets the event, whether or not it was signaled.
    public func reset() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor, &count)
    }

    /// Waits for a signal and resets it, or until the timeout. May return early.
    public func wait(atMost limit: Duration? = nil) {
        let (seconds, attoseconds) = (limit ?? .seconds(-1)).components
        let milliseconds = limit == nil ? -1 : seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, Int32(clamping: milliseconds))
        reset()
    }
}
