import Glibc
import Threads

/// A connected stream socket, which is closed with the value.
///
/// The socket blocks, with a timeout for each direction.
struct Socket: ~Copyable {
    typealias Instant = ContinuousClock.Instant

    let descriptor: Int32

    deinit { close(descriptor) }

    /// Connects to an endpoint. Until the deadline, tries all addresses of a host name in the system's order; each gets
    /// a share of the remaining time.
    ///
    /// Name resolution is limited only by the system's own timeout.
    ///
    /// - Throws: ``RedisError/unavailable(_:)``
    init(connectedTo endpoint: Endpoint, until end: Instant) throws(RedisError) {
        let attempt =
            switch endpoint {
            case .unix(let path): Self.connect(toPath: path, until: end)
            case .tcp(let host, let port): Self.connect(to: host, port, until: end)
            }
        switch attempt {
        case .connected(let descriptor): self.descriptor = descriptor
        case .failed(let reason): throw .unavailable("cannot connect: \(reason)")
        }
    }

    /// Waits until the socket is ready for poll(2)'s `events`, or has ended. Returns false at the deadline.
    func wait(for events: Int32, until end: Instant) -> Bool {
        Self.wait(descriptor, for: events, until: end)
    }

    /// Sets the timeout of reads (`SO_RCVTIMEO`) or writes (`SO_SNDTIMEO`).
    func setTimeout(_ option: Int32, milliseconds: Int64) -> Bool {
        Self.setTimeout(descriptor, option, milliseconds: milliseconds)
    }

    // MARK: Connecting

    private enum Attempt {
        case connected(Int32)
        case failed(String)

        static func failed(errno number: Int32) -> Attempt { .failed(String(cString: strerror(number))) }
    }

    private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    private static func connect(toPath path: String, until end: Instant) -> Attempt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count <= Endpoint.maxPathBytes else { return .failed(errno: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return .failed(errno: errno) }
        // If a server accepts no connections, connect(2) waits. The write timeout limits this wait.
        let milliseconds = max(1, end.millisecondsLeft)
        let isConnected =
            setTimeout(descriptor, SO_SNDTIMEO, milliseconds: milliseconds)
            && ActiveThreads.stepAside {
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    }
                }
            }
        guard isConnected else { return closing(descriptor, errno == EAGAIN ? ETIMEDOUT : errno) }
        return .connected(descriptor)
    }

    private static func connect(to host: String, _ port: UInt16, until end: Instant) -> Attempt {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = ActiveThreads.stepAside { getaddrinfo(host, String(port), &hints, &list) }
        guard failure == 0 else { return .failed(String(cString: gai_strerror(failure))) }
        defer { freeaddrinfo(list) }
        let addresses = Array(
            sequence(state: list) { next in
                defer { next = next?.pointee.ai_next }
                return next?.pointee
            }
        )
        var last = Attempt.failed("the host name has no address")
        for (index, address) in addresses.enumerated() {
            guard end > .now else { return .failed(errno: ETIMEDOUT) }
            last = connect(to: address, until: .now + ContinuousClock.now.duration(to: end) / (addresses.count - index))
            if case .connected = last { return last }
        }
        return last
    }

    private static func connect(to address: addrinfo, until end: Instant) -> Attempt {
        let descriptor = socket(address.ai_family, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return .failed(errno: errno) }
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 {
            guard errno == EINPROGRESS else { return closing(descriptor, errno) }
            let isOver = ActiveThreads.stepAside { wait(descriptor, for: POLLOUT, until: end) }
            guard isOver else { return closing(descriptor, ETIMEDOUT) }
            var error: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
                return closing(descriptor, error == 0 ? errno : error)
            }
        }
        guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 else {
            return closing(descriptor, errno)
        }
        // The connection also works without these options.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
        set(descriptor, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        return .connected(descriptor)
    }

    private static func closing(_ descriptor: Int32, _ error: Int32) -> Attempt {
        close(descriptor)
        return .failed(errno: error)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        withUnsafeBytes(of: value) { value in
            _ = setsockopt(descriptor, level, option, value.baseAddress, socklen_t(value.count))
        }
    }

    private static func setTimeout(_ descriptor: Int32, _ option: Int32, milliseconds: Int64) -> Bool {
        let time = timeval(tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000 * 1000))
        return withUnsafeBytes(of: time) { time in
            setsockopt(descriptor, SOL_SOCKET, option, time.baseAddress, socklen_t(time.count)) == 0
        }
    }

    private static func wait(_ descriptor: Int32, for events: Int32, until end: Instant) -> Bool {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let milliseconds = end.millisecondsLeft
            if poll(&waiting, 1, Int32(max(0, milliseconds))) > 0 { return true }
            if milliseconds <= 0 { return false }
        }
    }
}

extension ContinuousClock.Instant {
    /// The milliseconds until this instant, rounded up, at most eleven days; not positive if the instant has passed.
    var millisecondsLeft: Int64 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: self).components
        if seconds > 1_000_000 { return 1_000_000_000 }
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
