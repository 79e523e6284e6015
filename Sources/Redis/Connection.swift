import Glibc
import Metrics
import Threads

/// A connection to one Redis, owned by one thread, which it blocks.
///
/// It connects on first use and reconnects after a failure. Before each use the connection is checked, so a restart of
/// the server while it was idle goes unnoticed. A command that fails after its first byte was sent is reported and not
/// resent, because it may have been executed. An exception is a command that is ``Command/isRepeatable``: it is resent
/// once, on a new connection, if the caller's deadline leaves time for it. After a failed attempt to connect, calls
/// fail at once for a while (``Backoff``). A request that has called a script before waits for the server instead,
/// because the script may have used something up.
public final class Connection {
    /// The clock that measures time.
    public typealias Instant = ContinuousClock.Instant

    /// Runs on each new connection after login and before the first command, with this same value. If it throws, the
    /// connection is closed.
    public var onConnect: ((Connection) throws(RedisError) -> Void)?
    /// Returns the call of a script that makes a write with no meaning in the slot of a key. The call follows the
    /// second try of a confirmed call. nil if no call is confirmed.
    public var slotMark: ((_ key: String) -> Command)?

    let configuration: ConnectionConfiguration
    private var link: Link?
    private var backoff: Backoff
    /// The counts of the server to which the connection was opened last; at first of the configured servers.
    private var metrics: ConnectionMetrics
    /// The deadline of the current attempt to connect, if there is one: ``onConnect`` sends its commands within it.
    private var connectEnd: Instant?
    /// Whether the current call is a second try, which may take until the caller's deadline.
    private var isSecondTry = false
    /// The deadline of the last request that had a second try: a request gets only one.
    private var lastSecondTry: Instant?
    /// The deadline of the last request that called a script: its user does not get back what the script used up.
    private var lastScript: Instant?
    /// Whether the current call has dropped a link because its server does not execute commands.
    private var hasLeftServer = false
    /// A command whose memory ``run(_:keys:arguments:deadline:)`` reuses.
    private var scratch = Command("EVALSHA")

    /// Creates a connection that connects on first use.
    public init(_ configuration: ConnectionConfiguration) {
        self.configuration = configuration
        metrics = ConnectionMetrics(of: configuration.servers.description)
        backoff = Backoff(first: configuration.firstRetryDelay, maximum: configuration.maxRetryDelay)
    }

    /// Notes that the deadline of a request has moved: the connection identifies a request by its deadline.
    public func moveDeadline(from former: Instant, to next: Instant) {
        if lastSecondTry == former { lastSecondTry = next }
        if lastScript == former { lastScript = next }
    }

    /// Sends one command and waits for its reply.
    ///
    /// - Parameters:
    ///   - command: the command. If the server does not know its script, the script is loaded and the call repeated
    ///     once.
    ///   - deadline: the time after which the reply is useless. The configured timeouts apply in any case.
    /// - Returns: the reply, never ``Reply/error(_:)``.
    /// - Throws: ``RedisError``
    public func send(_ command: Command, deadline: Instant? = nil) throws(RedisError) -> Reply {
        try twice(CollectionOfOne(command), deadline) { () throws(RedisError) in
            try sendOnce(command, deadline)
        }
    }

    private func sendOnce(_ command: Command, _ deadline: Instant?) throws(RedisError) -> Reply {
        let reply = try roundTrip(deadline: deadline) { link, end throws(RedisError) in
            link.append(command)
            try link.flush(until: end)
            return try link.nextReply(until: end)
        }
        guard case .error(let error) = reply else { return reply }
        guard error.isUnknownScript, let script = command.script else { throw RedisError(error) }
        let repaired = try exchange([script.loading, command], deadline: deadline)
        _ = try repaired[0].get()
        return try repaired[1].get()
    }

    /// Calls a script: like ``send(_:deadline:)``, without creating a command first.
    ///
    /// If it `isConfirmed`, it waits in the same round trip until as many replicas as the configuration requires have
    /// what the script wrote. If the configuration requires none, `isConfirmed` has no effect.
    public func run(
        _ script: Script,
        keys: NamedValues<String>,
        arguments: NamedValues<Argument>,
        isConfirmed: Bool = false,
        deadline: Instant? = nil
    ) throws(RedisError) -> Reply {
        scratch.start(script, keys: keys, arguments: arguments)
        guard isConfirmed, let confirmation = configuration.replicaConfirmation else {
            return try send(scratch, deadline: deadline)
        }
        // A script called in onConnect would overwrite the memory meanwhile.
        let command = scratch
        return try twice(CollectionOfOne(command), deadline) { () throws(RedisError) in
            // A script that is not repeatable has not been executed before.
            let mark = isSecondTry && script.isRepeatable ? keys.first.flatMap { slotMark?($0) } : nil
            return try send(command, markedBy: mark, confirmedBy: confirmation, deadline)
        }
    }

    /// Sends, perhaps twice, and counts the time.
    private func twice<Answer>(
        _ commands: some Collection<Command>,
        _ deadline: Instant?,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        try metrics.observing(commands.first) { () throws(RedisError) in try sendTwice(commands, deadline, send) }
    }

    /// Sends, and resends on a new connection if the replies were lost and all commands are repeatable: a script may
    /// have run, and the user could not repeat what it did. Commands that were not executed because the server is
    /// unavailable are resent in any case, if a script of the same request has run. Commands that a replica refused are
    /// resent once, because another server is or will be the master.
    private func sendTwice<Answer>(
        _ commands: some Collection<Command>,
        _ deadline: Instant?,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        let callsScript = commands.contains { $0.script != nil }
        hasLeftServer = false
        do {
            let answer = try send()
            if callsScript { lastScript = deadline }
            return answer
        } catch {
            let isAfterScript = deadline != nil && lastScript == deadline
            if callsScript, !error.isUnavailable { lastScript = deadline }
            let isSafe =
                error.isReplyLost
                ? commands.allSatisfy(\.isRepeatable) : error.isUnavailable && (isAfterScript || hasLeftServer)
            guard isSafe, connectEnd == nil, let deadline, deadline != lastSecondTry, deadline > .now,
                configuration.secondTries?.begin(afterScript: lastScript == deadline) != false
            else { throw error }
            defer { configuration.secondTries?.end() }
            lastSecondTry = deadline
            metrics.secondTries.add()
            return try sendAgain(until: deadline, after: error, isLast: hasLeftServer && !isAfterScript, send)
        }
    }

    /// Resends once the server is available. A paused server answers when it resumes, and a restarting server becomes
    /// reachable, so this may take until the deadline, unless the first resend `isLast`.
    private func sendAgain<Answer>(
        until deadline: Instant,
        after error: RedisError,
        isLast: Bool,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        isSecondTry = true
        defer { isSecondTry = false }
        while true {
            Self.spreadOut()
            do {
                return try send()
            } catch let second {
                guard second.isUnavailable else { throw second }
                // The first call may have been executed, whatever made the second one fail.
                guard !isLast, deadline > .now else { throw error }
            }
        }
    }

    /// Waits a random time: a server that stopped for all its clients must not get all their requests again at once.
    private static func spreadOut() {
        ActiveThreads.stepAside { _ = usleep(.random(in: 1_000..<50_000)) }
    }

    /// Sends several commands at once and waits for all replies: one round trip.
    ///
    /// If the server does not know the scripts of some calls, these calls are repeated in a second round trip, after
    /// the other commands. If the order matters, ``load(_:)`` the scripts in ``onConnect``.
    ///
    /// - Returns: the replies in the order of the commands. A command that failed has ``Reply/error(_:)``; the others
    ///   were executed.
    /// - Throws: ``RedisError`` if replies are missing; then any number of the commands may have been executed.
    public func pipeline(_ commands: [Command], deadline: Instant? = nil) throws(RedisError) -> [Reply] {
        try twice(commands, deadline) { () throws(RedisError) in try pipelineOnce(commands, deadline) }
    }

    private func pipelineOnce(_ commands: [Command], _ deadline: Instant?) throws(RedisError) -> [Reply] {
        var replies = try exchange(commands, deadline: deadline)
        if hasLeftServer, replies.allSatisfy(\.meansOtherServer) {
            for reply in replies { _ = try reply.get() }
        }
        let unknown = replies.indices.filter { replies[$0].isUnknownScript && commands[$0].script != nil }
        if unknown.isEmpty { return replies }
        let loads = unknown.compactMap { commands[$0].script?.loading }
        let repaired: [Reply]
        do {
            repaired = try exchange(loads + unknown.map { commands[$0] }, deadline: deadline)
        } catch {
            // The other commands have been executed.
            if case .unavailable(let reason) = error { throw .connectionLost(reason) }
            throw error
        }
        for (index, reply) in zip(unknown, repaired.dropFirst(loads.count)) { replies[index] = reply }
        return replies
    }

    /// Loads scripts into the server, so that calls in a ``pipeline(_:deadline:)`` keep their order.
    public func load(_ scripts: [Script], deadline: Instant? = nil) throws(RedisError) {
        for reply in try exchange(scripts.map(\.loading), deadline: deadline) { _ = try reply.get() }
    }

    func exchange(_ commands: [Command], deadline: Instant?) throws(RedisError) -> [Reply] {
        try roundTrip(deadline: deadline) { link, end throws(RedisError) in
            for command in commands { link.append(command) }
            try link.flush(until: end)
            var replies: [Reply] = []
            replies.reserveCapacity(commands.count)
            for _ in commands { replies.append(try link.nextReply(until: end)) }
            return replies
        }
    }

    /// Runs one exchange on a sound link, and drops the link if it fails.
    private func roundTrip<Answer>(
        deadline: Instant?,
        _ exchange: (Link, Instant) throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        if let deadline, deadline <= .now { throw .timedOut }
        let link = try soundLink(deadline)
        let end = earlier(limit(configuration.commandTimeout, deadline), connectEnd)
        metrics.roundTrips.add()
        do {
            let answer = try exchange(link, end)
            leaveIfRefusing(link)
            return answer
        } catch {
            self.link = nil
            throw error
        }
    }

    /// Drops a link whose server refuses commands because it is not the master. A new link would lead to the same
    /// server again if the link is new, so this happens at most once a second.
    private func leaveIfRefusing(_ link: Link) {
        guard link.isRefusing, connectEnd == nil, isOld(link) else { return }
        self.link = nil
        hasLeftServer = true
    }

    /// Whether a new link may lead to another server than this one.
    private func isOld(_ link: Link) -> Bool { link.openedAt.duration(to: .now) >= .seconds(1) }

    /// Whether a link may lead to a former master.
    private func isOutdated(_ link: Link) -> Bool {
        guard let watch = configuration.watch else { return false }
        return watch.sentinels.switchCount != link.switchCount || link.isDisputed && isOld(link)
    }

    /// Returns the current link if it is sound, or a new one.
    private func soundLink(_ deadline: Instant?) throws(RedisError) -> Link {
        if let link, connectEnd != nil || !isOutdated(link), link.isQuiet { return link }
        // The connections of all threads are outdated at once.
        if let link, connectEnd == nil, isOutdated(link) { Self.spreadOut() }
        link = nil
        guard connectEnd == nil else { throw .connectionLost("while the new connection was being prepared") }
        guard backoff.isOver(at: .now) else { throw .unavailable("it could not be reached a moment ago") }
        do {
            let link = try connect(until: limit(configuration.connectTimeout, deadline))
            backoff.succeeded()
            metrics.connections.add()
            return link
        } catch {
            link = nil
            // If the caller's own deadline passed, that says nothing about the server.
            if !isSecondTry, let deadline, deadline <= .now { throw .timedOut }
            backoff.failed(at: .now)
            switch error {
            case .timedOut: throw .unavailable("it accepts connections but does not answer")
            case .connectionLost(let reason): throw .unavailable("it ended a new connection: \(reason)")
            default: throw error
            }
        }
    }

    /// Returns the deadline of something that takes `timeout` at most. A second try may take until the caller's
    /// deadline.
    private func limit(_ timeout: Duration, _ deadline: Instant?) -> Instant {
        if isSecondTry, let deadline { return deadline }
        return earlier(.now + timeout, deadline)
    }

    private func connect(until end: Instant) throws(RedisError) -> Link {
        let newLink = try Link.connect(configuration, until: end)
        let node = newLink.endpoint.description
        if node != metrics.node { metrics = ConnectionMetrics(of: node) }
        link = newLink
        connectEnd = end
        defer { connectEnd = nil }
        try onConnect?(self)
        // nil if a command in onConnect failed, even if onConnect did not rethrow its error.
        guard let link else { throw .connectionLost("while the new connection was being prepared") }
        return link
    }
}

private func earlier(_ one: ContinuousClock.Instant, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    guard let other else { return one }
    return min(one, other)
}
