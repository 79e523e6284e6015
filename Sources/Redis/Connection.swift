import Metrics
import Threads

/// A connection to one Redis, which belongs to one thread and blocks it. In a cluster, it has a link to each node that
/// it needs (``ClusterNodes``).
///
/// It connects on first use and reconnects after a failure. The connection is checked before each use, so a restart of
/// the server while the connection was idle goes unnoticed. If a command fails after its first byte was sent, the error
/// is reported and the command is not resent, because it may have been executed. The exception is a command that is
/// ``Command/isRepeatable``: it is resent once, on a new connection, if the caller's deadline leaves time for it. After
/// a failed attempt to connect, calls fail at once for a while (`Backoff`). But a request that has already called a
/// script waits for the server, because the script may have used something up.
public final class Connection {
    /// The clock that measures time.
    public typealias Instant = ContinuousClock.Instant

    /// Called for each new connection, after login and before the first command, with this object. If it throws, the
    /// connection is closed. In a cluster, it is called for each node: commands without a key go to the new node,
    /// others to the node that has their key.
    public var onConnect: ((Connection) throws(RedisError) -> Void)?
    /// Returns a script call that makes a write without meaning in the slot of a key. This call follows the second try
    /// of a confirmed call, and confirms earlier writes (``confirmWrites(inSlotsOf:deadline:)``). Nil if no calls are
    /// confirmed.
    public var slotMark: ((_ key: String) -> Command)?

    let configuration: ConnectionConfiguration
    /// The only server; unused in a cluster.
    let node: Node
    /// The nodes of the cluster; nil for a single server.
    let cluster: ClusterNodes?
    /// The node whose new link is being prepared by ``onConnect``, if there is one.
    private(set) var nodeInPreparation: Node?
    /// The deadline of the current attempt to connect, if there is one. ``onConnect`` sends its commands within it.
    private(set) var connectEnd: Instant?
    /// Whether the current call is a second try, which may take until the caller's deadline.
    private(set) var isSecondTry = false
    /// The deadline of the last request that had a second try. A request gets only one.
    private var lastSecondTry: Instant?
    /// The deadline of the last request that called a script. Its user does not get back what the script used up.
    var lastScript: Instant?
    /// How long the commands of the current call may block on the server, in addition to their timeout.
    var blockTime: Duration = .zero
    /// Whether the current call has dropped a link because its server does not execute commands.
    private(set) var hasLeftServer = false
    /// A command whose memory ``run(_:keys:arguments:deadline:)`` reuses.
    private var scratch = Command("EVALSHA")

    /// Creates a connection that connects on first use.
    public init(_ configuration: ConnectionConfiguration) {
        self.configuration = configuration
        node = Node(configuration)
        cluster = configuration.clusterWatch.map { ClusterNodes($0, configuration) }
    }

    /// Moves the deadline of a request. The connection identifies a request by its deadline.
    public func moveDeadline(from former: Instant, to next: Instant) {
        if lastSecondTry == former { lastSecondTry = next }
        if lastScript == former { lastScript = next }
    }

    /// Sends one command and waits for its reply.
    ///
    /// - Parameters:
    ///   - command: the command. If the server does not know its script, the script is loaded and the call is repeated
    ///     once.
    ///   - deadline: the time after which the reply is useless. The configured timeouts apply in any case.
    /// - Returns: the reply, never ``Reply/error(_:)``.
    /// - Throws: ``RedisError``
    public func send(_ command: Command, deadline: Instant? = nil) throws(RedisError) -> Reply {
        if let cluster { return try send(command, nil, cluster, deadline) }
        return try twice(CollectionOfOne(command), deadline) { () throws(RedisError) in
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
    /// If the call `isConfirmed`, waits in the same round trip until as many replicas as the configuration requires
    /// have what the script wrote. If the configuration requires none, `isConfirmed` has no effect.
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
        // Copied, because a script that is called in onConnect would overwrite the memory.
        let command = scratch
        return try send(command, markingSlotOf: keys.first, confirmedBy: confirmation, deadline)
    }

    /// Sends a command that writes to `key`, otherwise like a confirmed call of
    /// ``run(_:keys:arguments:isConfirmed:deadline:)``. A mark always follows, because a repeated command, such as
    /// another deletion of a key, may write nothing, and must still confirm what the first one wrote.
    public func sendConfirmed(
        _ command: Command,
        to key: String,
        deadline: Instant? = nil
    ) throws(RedisError) -> Reply {
        guard let confirmation = configuration.replicaConfirmation else { return try send(command, deadline: deadline) }
        return try send(command, markingSlotOf: key, isAlwaysMarked: true, confirmedBy: confirmation, deadline)
    }

    private func send(
        _ command: Command,
        markingSlotOf key: String?,
        isAlwaysMarked: Bool = false,
        confirmedBy confirmation: ReplicaConfirmation,
        _ deadline: Instant?
    ) throws(RedisError) -> Reply {
        if let cluster {
            let mark = key.flatMap { slotMark?($0) }
            return try run(command, markedBy: mark, always: isAlwaysMarked, confirmation, cluster, deadline)
        }
        return try twice(CollectionOfOne(command), deadline) { () throws(RedisError) in
            // A script that is not repeatable has not been executed before.
            let isMarked = isAlwaysMarked || isSecondTry && command.isRepeatable
            let mark = isMarked ? key.flatMap { slotMark?($0) } : nil
            return try send(command, markedBy: mark, confirmedBy: confirmation, deadline)
        }
    }

    /// Sends commands, again if a second try is permitted, and counts the time.
    private func twice<Answer>(
        _ commands: some Collection<Command>,
        _ deadline: Instant?,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
        try node.metrics.observing(commands.first) { () throws(RedisError) in
            try sendTwice(
                calling: commands.contains { $0.script != nil },
                node.metrics,
                deadline,
                isRepeatable: { commands.allSatisfy(\.isRepeatable) },
                send
            )
        }
    }

    /// Sends commands, and resends them on a new connection if the replies were lost and all commands are repeatable: a
    /// script may have run, and the user could not repeat what it did. Commands that were not executed because the
    /// server is unavailable are resent in any case if the same request has called a script. Commands that a replica
    /// refused are resent once, because another server is, or soon will be, the master.
    func sendTwice<Answer>(
        calling callsScript: Bool,
        _ metrics: ConnectionMetrics,
        _ deadline: Instant?,
        isRepeatable: () -> Bool,
        _ send: () throws(RedisError) -> Answer
    ) throws(RedisError) -> Answer {
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
                ? isRepeatable() : error.isUnavailable && (isAfterScript || hasLeftServer)
            let groups = configuration.groups(ofSecondTryAfterScript: lastScript == deadline)
            guard isSafe, connectEnd == nil, let deadline, deadline != lastSecondTry, deadline > .now,
                configuration.secondTries?.enter(in: groups) != false
            else { throw error }
            defer { configuration.secondTries?.leave(in: groups) }
            lastSecondTry = deadline
            metrics.secondTries.add()
            return try sendAgain(until: deadline, after: error, isLast: hasLeftServer && !isAfterScript, send)
        }
    }

    /// Resends until the server is available. A paused server replies when it resumes, and a restarted server becomes
    /// reachable again, so this may take until the deadline, unless only one resend is allowed (`isLast`).
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
                // Even if the second call was not executed, the first one may have been.
                guard second.isUnavailable else { throw second.isUnexecuted && error.isReplyLost ? error : second }
                guard !isLast, deadline > .now else { throw error }
            }
        }
    }

    /// Waits a random time, because a server that was unavailable to all its clients must not get all their requests at
    /// once.
    private static func spreadOut() {
        ActiveThreads.sleep(for: .microseconds(Int.random(in: 1_000..<50_000)))
    }

    /// Sends several commands at once and waits for all replies: one round trip.
    ///
    /// If the server does not know the scripts of some calls, these calls are repeated in a second round trip, after
    /// the other commands.
    ///
    /// - Returns: the replies in the order of the commands. If a command failed, its reply is ``Reply/error(_:)``; the
    ///   other commands were executed.
    /// - Throws: ``RedisError`` if replies are missing. In that case, any number of the commands may have been
    ///   executed.
    public func pipeline(_ commands: [Command], deadline: Instant? = nil) throws(RedisError) -> [Reply] {
        if let cluster { return try send(commands.map { ClusterCall([$0]) }, cluster, deadline) }
        return try twice(commands, deadline) { () throws(RedisError) in try pipelineOnce(commands, deadline) }
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
            throw error.afterWrites
        }
        for (index, reply) in zip(unknown, repaired.dropFirst(loads.count)) { replies[index] = reply }
        return replies
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
        let link = try soundLink(to: node, deadline)
        let end = commandEnd(deadline)
        node.metrics.roundTrips.add()
        do {
            let answer = try exchange(link, end)
            leaveIfRefusing(link, node)
            return answer
        } catch {
            node.drop()
            throw error
        }
    }

    /// Drops a link whose server refuses commands because it is not the master.
    func leaveIfRefusing(_ link: Link, _ node: Node) {
        if connectEnd == nil, node.leaveIfRefusing(link) { hasLeftServer = true }
    }

    /// Returns the current link to a node if it is sound, or a new one.
    func soundLink(to node: Node, _ deadline: Instant?) throws(RedisError) -> Link {
        try node.soundLink(
            deadline,
            isSecondTry: isSecondTry,
            until: earlier(limit(configuration.connectTimeout, deadline), connectEnd),
            spreadOut: Self.spreadOut
        ) { end throws(RedisError) in
            let (outerNode, outerEnd) = (nodeInPreparation, connectEnd)
            (nodeInPreparation, connectEnd) = (node, end)
            defer { (nodeInPreparation, connectEnd) = (outerNode, outerEnd) }
            try onConnect?(self)
        }
    }

    /// Returns the deadline of a command that is sent now.
    func commandEnd(_ deadline: Instant?) -> Instant {
        earlier(limit(configuration.commandTimeout + blockTime, deadline), connectEnd)
    }

    /// Returns the deadline of an operation that may take at most `timeout`. A second try may take until the caller's
    /// deadline.
    func limit(_ timeout: Duration, _ deadline: Instant?) -> Instant {
        if isSecondTry, let deadline { return deadline }
        return earlier(.now + timeout, deadline)
    }
}

func earlier(_ one: ContinuousClock.Instant, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant {
    guard let other else { return one }
    return min(one, other)
}
