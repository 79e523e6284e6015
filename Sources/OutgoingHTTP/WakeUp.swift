internal import CCurl
internal import Glibc

/// An eventfd that wakes the thread that polls it.
final class WakeUp: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = ccurl_wake_up_descriptor()
        if descriptor < 0 { return nil }
    }

    deinit { Glibc.close(descriptor) }

    func signal() { ccurl_wake_up(descriptor) }

    func reset() { ccurl_reset_wake_up(descriptor) }
}
