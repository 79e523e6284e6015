import CHiredis
import Glibc
import Threads

/// One connected socket to the server, with its buffers: used until its first failure, then let go.
///
/// After a failure or a time-out the answer may still arrive. A link that is not used again cannot take it for the
/// answer to the next command.
final class Link {
    typealias Instant = ContinuousClock.Instant

    /// How long an answer may be on its way before another thread may be active meanwhile. Most take a small part of
    /// that time, in which handing over to another thread and back would cost more than it gains.
    private static let patience = timeval(milliseconds: 20)

    /// The most memory that the output buffer keeps between commands.
    private static let keptBytes = 65_536

    private let context: UnsafeMutablePointer<redisContext>
    private let reader: ReplyReader
    private var output: [UInt8] = []
    /// What one read from the socket may bring. Almost every answer is shorter.
    private var input = [UInt8](repeating: 0, count: 4096)
    /// The socket's present time-out for writing, 0 for none.
    private var timeoutMilliseconds: Int64 = 0

    /// Connects. Name resolution, unlike the rest, has no bound but the system's.
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

    /// Whether nothing has come from the server since the last answer: a link that the server closed, or that holds
    /// an unexpected answer, must not be used.
    var isQuiet: Bool {
        // An unexpected answer may have come in one packet with the last one.
        if reader.hasUnreadBytes { return false }
        var byte: UInt8 = 0
        let count = recv(context.pointee.fd, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    /// Puts a command into the output buffer.
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

    /// Reads the answer to the first command that has none yet.
    func nextReply(until end: Instant) throws(RedisError) -> Reply {
        while true {
            if let reply = try reader.next() { return reply }
            guard .now < end else {
                // This process may have been paused meanwhile, and the answer be here since.
                guard try receive(flags: MSG_DONTWAIT) else { throw .timedOut }
                continue
            }
            if try !receive() { ActiveThreads.stepAside { waitForBytes(until: end) } }
        }
    }

    /// Takes what the server has sent, or sends before the patience is over; false if that is nothing.
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

    /// Waits until there is something to read, if only that the server has closed the connection, or until the end.
    private func waitForBytes(until end: Instant) {
        while true {
            let milliseconds = Self.milliseconds(until: end)
            guard milliseconds > 0 else { return }
            var waiting = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Int32(milliseconds)) > 0 { return }
        }
    }

    /// Bounds the next write. In steps, so that a steady time-out takes no system call for each command.
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

    /// hiredis's own words about an attempt to connect.
    private var reason: String {
        withUnsafeBytes(of: &context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension timeval {
    fileprivate init(milliseconds: Int64) {
        self.init(tv_sec: Int(milliseconds / 1000), tv_usec: Int(milliseconds % 1000 * 1000))
    }
}
