import Glibc

extension timeval {
    /// A duration to the microsecond; at least one, because zero means "for ever" to a socket.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        if tv_sec <= 0 && tv_usec <= 0 { self = timeval(tv_sec: 0, tv_usec: 1) }
    }
}
