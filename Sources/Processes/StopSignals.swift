import Glibc

/// The signals that ask a process to stop: SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal went away).
///
/// They are not handled but waited for. The main thread calls ``block()`` before it starts any other thread, and ``wait()``
/// when everything runs. Processes started by ``ChildProcess`` do not inherit the blocking.
public enum StopSignals {
    /// Blocks the stop signals for this thread and all that it starts later, and ignores SIGPIPE in the whole process.
    public static func block() {
        var signals = all()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits until a stop signal arrives, without a bound.
    ///
    /// - Returns: the signal's number.
    public static func wait() -> Int32 {
        var signals = all()
        var received: Int32 = 0
        while sigwait(&signals, &received) != 0 {}
        return received
    }

    /// Waits until a stop signal arrives, but no longer than `limit`.
    ///
    /// - Returns: the signal's number, or nil if none came.
    public static func wait(atMost limit: Duration) -> Int32? {
        var signals = all()
        let (seconds, attoseconds) = limit.components
        var timeout = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        let received = sigtimedwait(&signals, nil, &timeout)
        return received > 0 ? received : nil
    }

    private static func all() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }
}
