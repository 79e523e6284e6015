internal import CThreads
import Glibc

/// The signals that ask a process to stop: SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal went away).
///
/// The program waits for them instead of handling them. The main thread calls ``block()`` before it starts any other
/// thread, and one thread waits. A child process that is to receive them must not inherit the mask.
package enum StopSignals {
    /// Blocks the stop signals for this thread and all threads that it starts later, and ignores SIGPIPE in the process.
    package static func block() {
        var signals = all()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits until a stop signal arrives, without a bound.
    ///
    /// - Returns: the signal's number.
    package static func wait() -> Int32 {
        var signals = all()
        var received: Int32 = 0
        while sigwait(&signals, &received) != 0 {}
        return received
    }

    /// Waits until a stop signal arrives, but no longer than `limit`.
    ///
    /// - Returns: the signal's number, or nil if none came.
    package static func wait(atMost limit: Duration) -> Int32? {
        var signals = all()
        let (seconds, attoseconds) = limit.components
        var timeout = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let received = sigtimedwait(&signals, nil, &timeout)
        return received > 0 ? received : nil
    }

    /// Waits for a stop signal on a thread of its own, then calls `action` there, once, with the signal's number.
    ///
    /// Call ``block()`` first.
    /// - Throws: ``ThreadError``.
    package static func whenStopped(_ action: @escaping @Sendable (Int32) -> Void) throws(ThreadError) {
        _ = try WorkThread(name: "stop") { action(wait()) }
    }

    private static func all() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }
}
