import CHiredis
import Glibc
import Threads

/// One connected socket to the server, with its buffers. It is used until its first failure and then dropped.
///
/// After a failure or a timeout the reply may still arrive. A link that is never reused cannot mistake that reply for
/// the reply to the next command.
final class Link {
    typealias Instant = ContinuousClock.Instant

    /// How long to wait for a reply before another thread may become active. Most replies take a small part of that
    /// time, and switching to another thread and back would cost more than it gains.
    private static let patience = timeval(milliseconds: 20)

    /// The most memory that the output buffer keeps between commands.
    private static let keptBytes = 65_536

    private let context: UnsafeMutablePointer<redisContext>
    private let reader: ReplyReader
    private var output: [UInt8] = []
    /// The buffer for one read from the socket. Almost every reply is shorter.
    private var input = [UInt8](repeating: 0, count: 4096)
    /// The socket's current write timeout; 0 for none.
    private var timeoutMilliseconds: Int64 = 0

    /// Connects. Name resolution, unlike the rest, has only the system's own timeout.
    ///
    /// - Throws: ``RedisError/unavailable(_:)``
    init(to endpoint: Endpoint, until end: Instant) throws(RedisError) {
        reader = try ReplyReader()
        let timeout = timeval(milliseconds: Self.milliseconds(until: end))
        let made = ActiveThreads.stepAside {
            switch endpoint {
            case .unix(let path): redisConnectUnixWithTimeout(path, timeout)
            case .tcp(let host, let port): redisConnectWithTimeout(host, Int32(port), timeout)
            }
        }
        guard let made else { throw .unavailable("no memory for a connection") }
        context = made
        guard context.pointee.err == 0 else { throw .unavailable("cannot connect: \(reason)") }
        _ = fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
        guard setTimeout(SO_RCVTIMEO, Self.patience) else { throw .unavailable("cannot connect: \(systemReason)") }
        if case .tcp = endpoint { redisEnableKeepAlive(context) }
    }

    deinit { redisFree(context) }

    /// Whether the server has sent nothing since the last reply. A link that the server closed, or that holds an
    /// unexpected reply, must not be used.
    var isQuiet: Bool {
        // An unexpected reply may have arrived in one packet with the last one.
        if reader.hasUnreadBytes { return false }
        var byte: UInt8 = 0
        let count = recv(context.pointee.fd, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    /// Appends a command to the output buffer.
    func append(_ command: Command) {
        command.write(to: &output)
    }

    /// Writes the output buffer to the socket.
    func flush(until end: Instant) throws(RedisError) {
        var sent = 0
        while sent < output.count {
            try setWriteTimeout(until: end)
            let count = output.withUnsafeBytes { output in
                let rest = UnsafeRawBufferPointer(rebasing: output[sent...])
                return send(context.pointee.fd, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                throw errno == EAGAIN ? .timedOut : .connectionLost(systemReason)
            }
        }
        if output.capacity > Self.keptBytes { output = [] }
        output.removeAll(keepingCapacity: true)
    }

    /// Reads the reply to the oldest unanswered command.
    func nextReply(until end: Instant) throws(RedisError) -> Reply {
        while true {
            if let reply = try reader.next() { return reply }
            guard .now < end else {
                // This process may have been paused, and the reply may have arrived in the meantime.
                guard try receive(flags: MSG_DONTWAIT) else { throw .timedOut }
                continue
            }
            if try !receive() { ActiveThreads.stepAside { waitForBytes(until: end) } }
        }
    }

    /// Receives what the server has sent, or sends within ``patience``. Returns false if there is nothing.
    private func receive(flags: Int = 0) throws(RedisError) -> Bool {
        let (count, error) = input.withUnsafeMutableBytes { input in
            let count = recv(context.pointee.fd, input.baseAddress, input.count, Int32(flags))
            guard count > 0 else { return (count, errno) }
            return reader.feed(UnsafeRawBufferPointer(rebasing: input[..<count])) ? (count, 0) : (-1, ENOMEM)
        }
        if count > 0 { return true }
        if count == 0 { throw .connectionLost("the server closed it") }
        if error == EAGAIN || error == EINTR { return false }
        throw .connectionLost(String(cString: strerror(error)))
    }

    /// Waits until there is something to read (data, or the end of the connection), or until the deadline.
    private func waitForBytes(until end: Instant) {
        while true {
            let milliseconds = Self.milliseconds(until: end)
            guard milliseconds > 0 else { return }
            var waiting = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Int32(milliseconds)) > 0 { return }
        }
    }

    /// Sets the timeout of the next write, rounded up, so that steady timeouts need no system call for each command.
    private func setWriteTimeout(until end: Instant) throws(RedisError) {
        let milliseconds = Self.milliseconds(until: end)
        guard milliseconds > 0 else { throw .timedOut }
        let step: Int64 = 10
        let rounded = (milliseconds + step - 1) / step * step
        if rounded == timeoutMilliseconds { return }
        guard setTimeout(SO_SNDTIMEO, timeval(milliseconds: rounded)) else { throw .connectionLost(systemReason) }
        timeoutMilliseconds = rounded
    }

    private func setTimeout(_ option: Int32, _ time: timeval) -> Bool {
        withUnsafeBytes(of: time) { time in
            setsockopt(context.pointee.fd, SOL_SOCKET, option, time.baseAddress, socklen_t(time.count)) == 0
        }
    }

    private static func milliseconds(until end: Instant) -> Int64 {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
        if seconds > 1_000_000 { return 1_000_000_000 }
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    private var systemReason: String { String(cString: strerror(errno)) }

    /// hiredis's message about a failed attempt to connect.
    private var reason: String {
        withUnsafeBytes(of: &context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension timeval {
    fileprivate init(milliseconds: Int64) {
        self.init(tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000 * 1000))
    }
}
