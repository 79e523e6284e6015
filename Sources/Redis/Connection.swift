import Glibc
import Threads

/// A connection to one Redis, owned by one thread, which it blocks.
///
/// It connects when it is first used, and again after a failure. Before each use the connection is checked, so that a
/// server's restart in between goes unnoticed. A command that fails after its first byte was sent is reported and not
/// sent again, because it may have been executed; but one that is ``Command/isRepeatable`` is sent once more, on a new
/// connection, if the caller's deadline leaves time for it. After a failed attempt to connect it leaves the server
/// alone for a while and fails at once, unless the caller's request has called a script before: it may have used
/// something up, so it waits for the server.
public final class Connection {
    /// Where time is measured.
    public typealias Instant = ContinuousClock.Instant

    /// Runs on each new connection after login and before the first command, on this same value. If it throws, the connection is given up.
    public var onConnect: ((Connection) throws(RedisError) -> Void)?
    /// Makes the call of a script that writes something of no meaning into the slot of a key. It follows the second try
    /// of a confirmed call; nil if no call is confirmed.
    public var secondTryMark: ((_ key: String) -> Command)?

    private let configuration: ConnectionConfiguration
    private var link: Link?
    private var backoff: Backoff
    /// The end of the present attempt to connect, while one is under way: ``onConnect`` sends its commands within it.
    private var connectEnd: Instant?
    /// Whether the present call is a second try. It may take until the caller's deadline.
    private var isSecondTry = false
    /// The deadline of the last request that had a second try: a request gets one.
    private var lastSecondTry: Instant?
    /// The deadline of the last request that called a script: what it used up, its user does not have again.
    private var lastScript: Instant?
    /// A command whose memory is used again and again by ``run(_:keys:arguments:deadline:)``.
    private var scratch = Command("EVALSHA")

    /// Describes a connection; nothing is connected yet.
    public init(_ configuration: ConnectionConfiguration) {
        self.configuration = configuration
        backoff = Backoff(first: configuration.firstRetryDelay, maximum: configuration.maxRetryDelay)
    }

    /// Tells that the deadline of a request has changed: by its deadline the connection knows a request again.
    public func moveDeadline(from former: Instant, to next: Instant) {
        if lastSecondTry == former { lastSecondTry = next }
        if lastScript == former { lastScript = next }
    }

    /// Sends one command and waits for its answer.
    ///
    /// - Parameters:
    ///   - command: a call of a script the server does not know is repeated once, after its source was sent.
    ///   - deadline: when the answer is of no use any more. The configured time-outs hold in any case.
    /// - Returns: the answer, never ``Reply/error(_:)`` itself.
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

    /// Calls a script: like ``send(_:deadline:)``, without making a command first.
    ///
    /// Where it `isConfirmed`, it waits in the same round trip until as many replicas as the configuration asks for have what
    /// the script wrote. Where that asks for none it is no difference.
    public func run(
        _ script: Script,
        keys: [String],
        arguments: [Argument],
        isConfirmed: Bool = false,
        deadline: Instant? = nil
    ) throws(RedisError) -> Reply {
        scratch.start(script, keys: keys, arguments: arguments)
        guard isConfirmed, let confirmation = configuration.replicaConfirmation else {
            return try send(scratch, deadline: deadline)
        }
        // A script in onConnect would take the memory meanwhile.
        let command = scratch
        return try twice(CollectionOfOne(command), deadline) { () throws(RedisError) in
            // One that is not repeatable has not been executed before.
            let mark = isSecondTry && script.isRepeatable ? keys.first.flatMap { secondTryMark?($0) } : nil
            return try send(command, markedBy: mark, confirmedBy: confirmation, deadline)
        }
    }

    /// Sends, and sends again on a new connection if the replies were lost and all commands are repeatable: a script may
    /// have run, and its caller's user could not do the same again. What was not sent because the server is away is
    /// sent again whatever it is, if a script of the same request has run.
    private func twice<Answer>(
        _ commands: some Collection<Command>,
        _ deadline: Instant?,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        let callsScript = commands.contains { $0.script != nil }
        do {
            let answer = try send()
            if callsScript { lastScript = deadline }
            return answer
        } catch {
            let isAfterScript = deadline != nil && lastScript == deadline
            if callsScript, !error.isUnavailable { lastScript = deadline }
            let isSafe =
                error.isReplyLost ? commands.allSatisfy(\.isRepeatable) : error.isUnavailable && isAfterScript
            guard isSafe, connectEnd == nil, let deadline, deadline != lastSecondTry, deadline > .now,
                configuration.secondTries?.begin(afterScript: lastScript == deadline) != false
            else { throw error }
            defer { configuration.secondTries?.end() }
            lastSecondTry = deadline
            return try sendAgain(until: deadline, after: error, send)
        }
    }

    /// Sends once more, when the server is there. A server that was paused answers when it goes on, and one that is being
    /// restarted can be reached then, so that all this may take until the deadline.
    private func sendAgain<Answer>(
        until deadline: Instant,
        after error: RedisError,
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
                // The first call may have been executed, whatever kept the second one from it.
                guard deadline > .now else { throw error }
            }
        }
    }

    /// Waits a moment: a server that stopped for all its clients at once is not to be asked again by all at once.
    private static func spreadOut() {
        ActiveThreads.stepAside { _ = usleep(.random(in: 1_000..<50_000)) }
    }

    /// Sends several commands at once and waits for all answers: one round trip.
    ///
    /// Calls of scripts that the server does not know are repeated in a second round trip, after the other commands. Where the order matters,
    /// ``load(_:)`` the scripts in ``onConnect``.
    ///
    /// - Returns: the answers in the order of the commands. A command that failed has ``Reply/error(_:)``; the others were executed.
    /// - Throws: ``RedisError`` if the answers did not all come; then any number of the commands may have been executed.
    public func pipeline(_ commands: [Command], deadline: Instant? = nil) throws(RedisError) -> [Reply] {
        try twice(commands, deadline) { () throws(RedisError) in try pipelineOnce(commands, deadline) }
    }

    private func pipelineOnce(_ commands: [Command], _ deadline: Instant?) throws(RedisError) -> [Reply] {
        var replies = try exchange(commands, deadline: deadline)
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

    /// Makes scripts known to the server, so that calls in a ``pipeline(_:deadline:)`` keep their order.
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

    /// Does one exchange on a sound link, and lets the link go if it fails.
    private func roundTrip<Answer>(
        deadline: Instant?,
        _ exchange: (Link, Instant) throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        if let deadline, deadline <= .now { throw .timedOut }
        let link = try soundLink(deadline)
        let end = earlier(limit(configuration.commandTimeout, deadline), connectEnd)
        do {
            return try exchange(link, end)
        } catch {
            self.link = nil
            throw error
        }
    }

    /// The present link if it is sound, or a new one.
    private func soundLink(_ deadline: Instant?) throws(RedisError) -> Link {
        if let link, link.isQuiet { return link }
        link = nil
        guard connectEnd == nil else { throw .connectionLost("while the new connection was being prepared") }
        guard backoff.isOver(at: .now) else { throw .unavailable("it could not be reached a moment ago") }
        do {
            let link = try connect(until: limit(configuration.connectTimeout, deadline))
            backoff.succeeded()
            return link
        } catch {
            link = nil
            // A caller in a hurry says nothing about the server.
            if !isSecondTry, let deadline, deadline <= .now { throw .timedOut }
            backoff.failed(at: .now)
            switch error {
            case .timedOut: throw .unavailable("it accepts connections but does not answer")
            case .connectionLost(let reason): throw .unavailable("it ended a new connection: \(reason)")
            default: throw error
            }
        }
    }

    /// The end of something that takes `timeout` at most; a second try takes all the time there is.
    private func limit(_ timeout: Duration, _ deadline: Instant?) -> Instant {
        if isSecondTry, let deadline { return deadline }
        return earlier(.now + timeout, deadline)
    }

    private func connect(until end: Instant) throws(RedisError) -> Link {
        let newLink = try Link(to: configuration.endpoint, until: end)
        try newLink.logIn(configuration, until: end)
        link = newLink
        connectEnd = end
        defer { connectEnd = nil }
        try onConnect?(self)
        // Gone if a command of onConnect's failed, even one whose error it did not pass on.
        guard let link else { throw .connectionLost("while the new connection was being prepared") }
        return link
    }
}

private func earlier(_ one: ContinuousClock.Instant, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    guard let other else { return one }
    return min(one, other)
}
