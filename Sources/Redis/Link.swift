import Glibc
import Threads

/// One connection to the server, plain or with TLS, with its buffers. It is used until its first failure and then
/// dropped.
///
/// After a failure or a timeout, the reply may still arrive. Because a link is never reused, such a reply cannot be
/// mistaken for the reply to the next command.
final class Link {
    typealias Instant = ContinuousClock.Instant

    /// How long a thread waits for a reply before another thread may become active. Most replies take a fraction of
    /// this time, and switching to another thread and back would cost more than it gains.
    private static let patienceMilliseconds: Int64 = 20

    /// The most memory that the output buffer keeps between commands.
    private static let keptBytes = 65_536

    /// The server.
    let endpoint: Endpoint
    /// Whether the server may expect TLS, although the connection is plain.
    let mayLackTLS: Bool

    private let socket: Socket
    private let tls: TLSSession?
    private let reader: ReplyReader
    private var output: [UInt8] = []
    /// The buffer for one read from the socket. Almost every reply is shorter.
    private var input = [UInt8](repeating: 0, count: 4096)
    /// The socket's current write timeout; 0 if unknown.
    private var timeoutMilliseconds: Int64 = 0
    /// The bytes that ``nextBytes(until:)`` returns next; nil if replies are read.
    private var raw: [UInt8]?

    /// ``Sentinels/switchCount`` at the time when a Sentinel was asked for the server.
    var switchCount: UInt64 = 0
    /// Whether the Sentinels disagree about the server.
    var isDisputed = false
    /// Whether a command was refused because the server is not the master, or has not loaded its data: another server
    /// may be the master now.
    private(set) var isRefusing = false
    /// When the connection was opened.
    let openedAt = Instant.now

    /// Connects, and completes the TLS handshake if there is a `context`. Name resolution is limited only by the
    /// system's own timeout.
    ///
    /// - Throws: ``RedisError/unavailable(_:)``
    init(to endpoint: Endpoint, tls context: TLSContext? = nil, until end: Instant) throws(RedisError) {
        self.endpoint = endpoint
        reader = try ReplyReader()
        socket = try Socket(connectedTo: endpoint, until: end)
        if case .tcp(let host, _) = endpoint, let context {
            tls = try TLSSession(context, on: socket.descriptor, to: host)
            mayLackTLS = false
        } else {
            tls = nil
            mayLackTLS = if case .tcp = endpoint { true } else { false }
        }
        guard socket.setTimeout(SO_RCVTIMEO, milliseconds: Self.patienceMilliseconds) else {
            throw .unavailable("cannot connect: \(systemReason)")
        }
        if let tls { try shakeHands(tls, until: end) }
    }

    deinit { tls?.close() }

    /// The socket's descriptor.
    var descriptor: Int32 { socket.descriptor }

    /// A plain Redis that receives a TLS handshake takes it for a command and waits for its end.
    private static let noHandshake = "it does not respond to the TLS handshake; is this a port without TLS?"

    private func shakeHands(_ tls: TLSSession, until end: Instant) throws(RedisError) {
        while true {
            switch tls.handshake() {
            case .done: return
            case .unfinished: break
            case .waitsToRead: ActiveThreads.stepAside { _ = socket.wait(for: POLLIN, until: end) }
            case .waitsToWrite: ActiveThreads.stepAside { _ = socket.wait(for: POLLOUT, until: end) }
            case .ended(let reason): throw .unavailable("cannot connect: \(reason)")
            }
            guard .now < end else { throw .unavailable("cannot connect: \(Self.noHandshake)") }
        }
    }

    /// Whether the server has sent nothing since the last reply. A link must not be used if the server has closed it or
    /// if it contains an unexpected reply.
    var isQuiet: Bool {
        // An unexpected reply may have arrived in the same packet as the last one.
        if reader.hasUnreadBytes { return false }
        if let tls { return tls.isQuiet }
        var byte: UInt8 = 0
        let count = recv(socket.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    /// Appends a command to the output buffer.
    func append(_ command: Command) {
        command.write(to: &output)
    }

    /// Writes the output buffer to the socket.
    func flush(until end: Instant) throws(RedisError) {
        var sent = 0
        while sent < output.count { sent += try write(from: sent, until: end) }
        if output.capacity > Self.keptBytes { output = [] }
        output.removeAll(keepingCapacity: true)
    }

    /// Writes the output buffer, or a part of it, starting at an offset. Returns the number of bytes written.
    private func write(from offset: Int, until end: Instant) throws(RedisError) -> Int {
        if let tls { return try write(from: offset, tls, until: end) }
        try setWriteTimeout(until: end)
        let count = output.withUnsafeBytes { output in
            let rest = UnsafeRawBufferPointer(rebasing: output[offset...])
            return send(socket.descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { return count }
        if count == 0 || errno == EINTR { return 0 }
        throw errno == EAGAIN ? .timedOut : .connectionLost(systemReason)
    }

    private func write(from offset: Int, _ tls: TLSSession, until end: Instant) throws(RedisError) -> Int {
        guard .now < end else { throw .timedOut }
        let step = output.withUnsafeBytes { tls.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        switch step {
        case .done(let count): return count
        case .unfinished: return 0
        case .waitsToRead: ActiveThreads.stepAside { _ = socket.wait(for: POLLIN, until: end) }
        case .waitsToWrite: ActiveThreads.stepAside { _ = socket.wait(for: POLLOUT, until: end) }
        case .ended(let reason): throw .connectionLost(reason)
        }
        return 0
    }

    /// Reads the reply to the oldest unanswered command.
    func nextReply(until end: Instant) throws(RedisError) -> Reply {
        while true {
            if let reply = try reader.next() {
                if case .error(let error) = reply, error.meansOtherServer { isRefusing = true }
                return reply
            }
            guard .now < end else {
                // This process may have been paused, and the reply may have arrived meanwhile.
                guard try receive(flags: Int32(MSG_DONTWAIT)) else { throw .timedOut }
                continue
            }
            if try !receive() { ActiveThreads.stepAside { _ = socket.wait(for: POLLIN, until: end) } }
        }
    }

    /// Receives what the server has sent, or sends within ``patienceMilliseconds``. Returns false if there is nothing
    /// to receive.
    private func receive(flags: Int32 = 0) throws(RedisError) -> Bool {
        if let tls { return try receive(tls, flags: flags) }
        let (count, error) = input.withUnsafeMutableBytes { input in
            let count = recv(socket.descriptor, input.baseAddress, input.count, flags)
            guard count > 0 else { return (count, errno) }
            return feed(input, count) ? (count, 0) : (-1, ENOMEM)
        }
        if count > 0 { return true }
        if count == 0 { throw .connectionLost("the server closed it") }
        if error == EAGAIN || error == EINTR { return false }
        throw .connectionLost(String(cString: strerror(error)))
    }

    private func receive(_ tls: TLSSession, flags: Int32) throws(RedisError) -> Bool {
        let (step, hasMemory) = input.withUnsafeMutableBytes { input in
            let step = tls.read(into: input, flags: flags)
            guard case .done(let count) = step else { return (step, true) }
            return (step, feed(input, count))
        }
        switch step {
        case .done:
            guard hasMemory else { throw .connectionLost(String(cString: strerror(ENOMEM))) }
            return true
        // The caller tries again at once, unless its deadline has passed.
        case .unfinished: return flags == 0
        case .waitsToRead, .waitsToWrite: return false
        case .ended(let reason): throw .connectionLost(reason)
        }
    }

    private func feed(_ input: UnsafeMutableRawBufferPointer, _ count: Int) -> Bool {
        if raw == nil { return reader.feed(UnsafeRawBufferPointer(rebasing: input[..<count])) }
        raw?.append(contentsOf: input[..<count])
        return true
    }

    /// Returns what the server sends next, although it is no reply. Afterwards, the link can no longer read replies.
    func nextBytes(until end: Instant) throws(RedisError) -> [UInt8] {
        if raw == nil { input = [UInt8](repeating: 0, count: Self.rawByteCount) }
        raw = []
        while true {
            if try receive(), let raw, !raw.isEmpty { return raw }
            guard .now < end else { throw .timedOut }
            ActiveThreads.stepAside { _ = socket.wait(for: POLLIN, until: end) }
        }
    }

    /// The size of the buffer for bytes that are no replies.
    private static let rawByteCount = 65_536

    /// Sets the timeout of the next write. It is rounded up, so that steady timeouts need no system call for each
    /// command.
    private func setWriteTimeout(until end: Instant) throws(RedisError) {
        let milliseconds = end.millisecondsLeft
        guard milliseconds > 0 else { throw .timedOut }
        let step: Int64 = 10
        let rounded = (milliseconds + step - 1) / step * step
        if rounded == timeoutMilliseconds { return }
        guard socket.setTimeout(SO_SNDTIMEO, milliseconds: rounded) else { throw .connectionLost(systemReason) }
        timeoutMilliseconds = rounded
    }

    private var systemReason: String { String(cString: strerror(errno)) }
}

extension Link {
    /// Logs in, selects the database and sets the connection's name, in one round trip.
    ///
    /// - Parameters:
    ///   - configuration: the user, the database and the name.
    ///   - requiresMaster: whether a replica is an error.
    ///   - end: the deadline.
    /// - Throws: ``RedisError``, such as ``RedisError/refused(_:)`` if the server rejects the user.
    func logIn(
        _ configuration: ConnectionConfiguration,
        requiresMaster: Bool = false,
        until end: Instant
    ) throws(RedisError) {
        var commands: [Command] = []
        if let password = configuration.password {
            var command = Command("AUTH")
            if let user = configuration.user { command.append(user) }
            command.append(password)
            commands.append(command)
        }
        if configuration.database != 0 { commands.append(Command("SELECT", .integer(Int64(configuration.database)))) }
        commands.append(Command("CLIENT", "SETNAME", .text(configuration.clientName)))
        // Every user may read the role from HELLO. ROLE would need an additional permission.
        if requiresMaster { commands.append(Command("HELLO")) }
        for command in commands { append(command) }
        var last = Reply.null
        do {
            try flush(until: end)
            for _ in commands { last = try nextReply(until: end).get() }
        } catch .connectionLost(let reason) {
            // No command of the caller has been sent yet. A Redis that expects TLS closes plain connections.
            throw .unavailable(mayLackTLS ? "\(reason); if it expects TLS, the address is rediss://" : reason)
        } catch .protocolViolation(let reason) {
            throw isAlert(reason)
                ? .unavailable("it expects TLS: the address is rediss://") : .protocolViolation(reason)
        }
        if requiresMaster { try last.requireMaster() }
    }

    /// Whether a protocol error shows the first byte of a TLS alert (RFC 8446 § 5.1).
    private func isAlert(_ reason: String) -> Bool { mayLackTLS && reason.contains(#"\x15"#) }
}

extension Reply {
    /// Verifies that this reply to `HELLO` comes from a master.
    /// - Throws: ``RedisError/unavailable(_:)``
    fileprivate func requireMaster() throws(RedisError) {
        guard let role = value(of: "role") else {
            throw .unavailable("it does not report its role: Redis 6.2 or later is required")
        }
        guard role == "master" else { throw .unavailable("it is a \(role), not the master") }
    }
}

extension Link {
    /// Connects and logs in to the first server that is reachable and not a replica. Each server gets a share of the
    /// remaining time, so that a server that does not respond leaves time for the next.
    ///
    /// A single server may have any role, so that an operator can examine a replica.
    ///
    /// - Throws: ``RedisError``; ``RedisError/unavailable(_:)`` with the reasons of all servers if there are several
    ///   and none of them can be used.
    static func connect(_ configuration: ConnectionConfiguration, until end: Instant) throws(RedisError) -> Link {
        if let watch = configuration.watch { return try connectToMaster(watch, configuration, until: end) }
        let endpoints = configuration.servers.endpoints
        if endpoints.count == 1 { return try connect(to: endpoints[0], configuration, until: end) }
        var reasons: [String] = []
        for (index, endpoint) in endpoints.enumerated() {
            let share = Instant.now.duration(to: end) / (endpoints.count - index)
            do {
                return try connect(to: endpoint, configuration, requiresMaster: true, until: .now + share)
            } catch {
                guard let reason = error.reasonToGoOn else { throw error }
                reasons.append("\(endpoint): \(reason)")
            }
        }
        throw .unavailable("no server can be used: \(reasons.joined(separator: "; "))")
    }

    /// Connects to the master that a Sentinel reports, and verifies that it is a master. Each Sentinel gets a share of
    /// the remaining time.
    private static func connectToMaster(
        _ watch: MasterWatch,
        _ configuration: ConnectionConfiguration,
        until end: Instant
    ) throws(RedisError) -> Link {
        let sentinels = watch.sentinels
        watch.start()
        // If another server becomes the master while this function runs, the new link is outdated.
        let switchCount = sentinels.switchCount
        var reasons: [String] = []
        var tried: Set<Endpoint> = []
        let order = sentinels.inOrder
        for (index, sentinel) in order.enumerated() {
            let left = order.count - index
            let master: Endpoint
            do throws(RedisError) {
                master = try sentinels.master(from: sentinel, until: .now + Instant.now.duration(to: end) / (left + 1))
            } catch {
                reasons.append("\(sentinel): \(error.reasonToGoOn ?? error.description)")
                continue
            }
            sentinels.answered(sentinel)
            guard !sentinels.isReplaced(master) else {
                reasons.append("\(sentinel): it names \(master), which is being replaced")
                continue
            }
            guard tried.insert(master).inserted else { continue }
            do throws(RedisError) {
                let share = Instant.now.duration(to: end) / left
                let link = try connect(to: master, configuration, requiresMaster: true, until: .now + share)
                link.isDisputed = !sentinels.connected(to: master)
                link.switchCount = switchCount
                return link
            } catch {
                guard let reason = error.reasonToGoOn else { throw error }
                reasons.append("\(master): \(reason)")
            }
        }
        throw .unavailable("no Sentinel names a usable master: \(reasons.joined(separator: "; "))")
    }

    static func connect(
        to endpoint: Endpoint,
        _ configuration: ConnectionConfiguration,
        requiresMaster: Bool = false,
        until end: Instant
    ) throws(RedisError) -> Link {
        let link = try Link(to: endpoint, tls: configuration.tls, until: end)
        try link.logIn(configuration, requiresMaster: requiresMaster, until: end)
        return link
    }
}

extension RedisError {
    /// Why a server cannot be used, if another server may be usable; nil for a mistake in the settings, such as a wrong
    /// password.
    var reasonToGoOn: String? {
        switch self {
        case .unavailable(let reason), .connectionLost(let reason), .protocolViolation(let reason): reason
        case .timedOut: "it accepts connections but does not respond"
        case .refused, .notReplicated, .outOfMemory, .server: nil
        }
    }
}
