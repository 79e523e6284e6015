import Glibc

extension timeval {
    /// Creates a time of at least one microsecond, because for a socket, zero means no timeout.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        if tv_sec <= 0 && tv_usec <= 0 { self = timeval(tv_sec: 0, tv_usec: 1) }
    }
}
