internal import CThreads
import Glibc

/// The signals that ask a process to stop: SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal was closed).
///
/// The program waits for the signals instead of handling them. The main thread calls ``block(inService:)`` before it
/// starts any other thread, and one thread waits. A child process that must receive the signals must not inherit the
/// signal mask.
package enum StopSignals {
    /// Blocks the stop signals for this thread and for threads that it starts later, and ignores SIGPIPE in the
    /// process. A service ignores SIGHUP, too: it has no terminal, and rereads its files by itself.
    package static func block(inService isService: Bool = false) {
        var signals = set(isService ? ofServices : all)
        if isService { signal(SIGHUP, SIG_IGN) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for a stop signal, for at most `limit`.
    ///
    /// - Returns: the signal's number; nil if no signal arrived.
    package static func wait(atMost limit: Duration) -> Int32? {
        var signals = set(all)
        let (seconds, attoseconds) = limit.components
        var timeout = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let received = sigtimedwait(&signals, nil, &timeout)
        return received > 0 ? received : nil
    }

    /// Waits in a service for a stop signal, on a new thread, then calls `action` there once, with the signal's number.
    ///
    /// Call ``block(inService:)`` first.
    /// - Throws: ``ThreadError``.
    package static func whenStopped(_ action: @escaping @Sendable (Int32) -> Void) throws(ThreadError) {
        _ = try WorkThread(name: "stop") {
            // Without SIGHUP: an ignored signal is delivered to `sigwait` if the main thread blocks it for a moment.
            var signals = set(ofServices)
            var received: Int32 = 0
            while sigwait(&signals, &received) != 0 {}
            action(received)
        }
    }

    private static let ofServices = [SIGTERM, SIGINT]
    private static let all = ofServices + [SIGHUP]

    private static func set(_ numbers: [Int32]) -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        return signals
    }
}
