internal import Encodings
public import Redis
internal import Threads

/// Runs scripts and commands over one Redis connection. A store belongs to the thread that created it.
///
/// Each write is one atomic script or one idempotent command, with keys of one slot of a Redis Cluster.
public final class Store {
    /// The number of shards of the deployment's keys.
    public let shards: ShardCount
    /// The deadline of operations; nil leaves the connection's own timeouts.
    public var deadline: ContinuousClock.Instant?
    /// Receives the error if some nodes of a cluster failed while others executed their commands.
    public var onPartialFailure: ((StoreUnavailable) -> Void)?
    /// Receives each step that an operation does not depend on and that Redis did not perform.
    public var onDroppedStep: ((_ step: StaticString, StoreUnavailable) -> Void)?

    /// The ids of the projects whose outboxes and decisions are read.
    public let projects: [String]

    /// Returns the marks that Redis must have; nil for a store that does not compare them.
    public let marks: (@Sendable () -> DeploymentMarks)?
    /// Whether this store refuses a Redis whose index key is being moved or is not in the key file. Commands that show
    /// or move the index key accept it.
    public var needsIndexKey = true
    /// The index key that was in force at the last comparison.
    private(set) var indexKey: IndexKeyState?
    /// The id of the index key that was in force when this store last compared the deployment; nil before it connects.
    public var indexKeyID: UInt8? { indexKey?.id }
    /// The name and the database with which Redis lists this process's connections.
    let ownClient: (name: String, database: Int)
    /// Why the last comparison of the deployment's marks failed; nil if it did not.
    var mismatch: DeploymentMismatch?
    /// The streams in which entries may be pending at this store's consumer that it does not hold, and the id from
    /// which to look for them.
    public var doubtfulStreams: [String: String] = [:]
    private let connection: Connection
    /// Whether the keys are on several nodes, some of which may fail while others respond.
    public var isCluster: Bool { connection.isCluster }
    /// The prefix of this store's call ids, and the number of ids issued.
    private let callPrefix = String(UInt64.random(in: .min ... .max), radix: 36)
    private var calls: UInt64 = 0
    /// The scripts with the rules seen so far, which are few.
    private var ruledScripts: [(script: LuaScript, rules: any ScriptRules, ruled: Script)] = []

    /// Creates a store that connects on first use.
    ///
    /// Each new connection checks two things: that Redis has these `marks`, so that it was created with the same keys
    /// and number of shards, and that the clocks of Redis and this machine agree. Without `marks`, a store uses any
    /// Redis, also one without marks.
    public init(
        _ configuration: ConnectionConfiguration,
        shards: ShardCount,
        projects: [String],
        marks: (@Sendable () -> DeploymentMarks)?
    ) {
        self.shards = shards
        self.projects = projects
        self.marks = marks
        ownClient = (configuration.clientName, configuration.database)
        connection = Connection(configuration)
        var knowsDeployment = false
        connection.onConnect = { [weak self] connection throws(RedisError) in
            try Self.checkClock(try connection.send(Command("TIME")))
            // Only one node of a cluster has the key. While that node is down, connections to the others must be
            // possible.
            if knowsDeployment, connection.isCluster { return }
            try self?.compare(ScriptReply(try connection.send(Command("HGETALL", .text(KeyNames.deployment)))))
            knowsDeployment = true
        }
        connection.slotMark = { key in
            let call = Self.mark(inSlotOf: key)
            return Self.command(call, call.script.script(call.keys, call.arguments))
        }
    }

    /// Returns the call that makes a write without effect in the slot of a key.
    private static func mark(inSlotOf key: String) -> ScriptCall {
        ScriptCall(
            .markSlot,
            keys: ["markKey": KeyNames.mark(inSlotOf: key)],
            ["life": .integer(markMilliseconds)]
        )
    }

    /// Extends the deadline of the current request.
    public func extendDeadline(by duration: Duration) {
        guard let former = deadline else { return }
        let next = former + duration
        deadline = next
        connection.moveDeadline(from: former, to: next)
    }

    /// Leaves the current request at least this time for a cleanup, even if its deadline is over.
    public func extendDeadline(toLeave duration: Duration) {
        guard let former = deadline else { return }
        let missing = duration - ContinuousClock.now.duration(to: former)
        if missing > .zero { extendDeadline(by: missing) }
    }

    /// Checks that Redis answers. In a cluster, one node suffices: workers can serve the accounts on the nodes that
    /// respond.
    /// - Throws: ``StoreUnavailable``.
    public func ping() throws(StoreUnavailable) {
        _ = try send("PING")
    }

    /// Returns the servers that have the keys.
    /// - Throws: ``StoreUnavailable``.
    public func layout() throws(StoreUnavailable) -> NodeLayout {
        try StoreUnavailable.wrapping(connection.layout(deadline: deadline))
    }

    /// Sends commands, all in one round trip, and returns the outcome of each. In a cluster, some nodes may fail.
    public func outcomes(of commands: [Command]) -> [Result<ScriptReply, StoreUnavailable>] {
        connection.outcomes(of: commands, deadline: deadline).map { outcome in
            Result { () throws(RedisError) in ScriptReply(try outcome.get().get()) }.mapError(StoreUnavailable.init)
        }
    }

    /// Requests a snapshot of a server.
    /// - Throws: ``StoreUnavailable``.
    func snapshotReader(of node: ServerNode) throws(StoreUnavailable) -> SnapshotReader {
        let stream: SnapshotStream
        do {
            stream = try connection.snapshot(of: node)
        } catch .refused(let reason) {
            throw StoreUnavailable(description: "\(reason): the user needs +sync +replconf")
        } catch {
            throw StoreUnavailable(error)
        }
        return SnapshotReader(database: ownClient.database) { () throws(StoreUnavailable) in
            try StoreUnavailable.wrapping(stream.next())
        }
    }

    /// Sends a command without a key to all servers that have keys. If a server refuses it, its reply has no value.
    /// - Throws: ``StoreUnavailable`` if the servers are not known.
    func outcomes(
        ofAllServersTo name: StaticString,
        _ arguments: String...
    ) throws(StoreUnavailable) -> [Result<ScriptReply, StoreUnavailable>] {
        let command = Self.command(name, arguments)
        return try StoreUnavailable.wrapping(connection.outcomes(ofAllServersTo: command, deadline: deadline))
            .map { $0.map(ScriptReply.init).mapError(StoreUnavailable.init) }
    }

    /// Returns the memory of the server that is closest to its limit, in bytes; nil if the ACL denies `INFO`.
    /// - Throws: ``StoreUnavailable``.
    public func memory() throws(StoreUnavailable) -> (used: Int64, limit: Int64)? {
        try outcomes(ofAllServersTo: "INFO", "memory").compactMap { outcome -> (used: Int64, limit: Int64)? in
            guard let information = try? outcome.get().information else { return nil }
            func bytes(_ name: String) -> Int64 { information[name].flatMap { Int64($0) } ?? 0 }
            let maximum = bytes("maxmemory")
            return (bytes("used_memory"), maximum > 0 ? maximum : bytes("total_system_memory"))
        }
        .max { Double($0.used) / Double($0.limit) < Double($1.used) / Double($1.limit) }
    }

    /// Runs a script. A script that changes an account or what leads to an account, or that opens a session, must be
    /// `isConfirmed`: the call then waits until as many replicas as the operator requires have the change (`WAIT`).
    /// - Throws: ``StoreUnavailable``; whether the script ran is then unknown.
    public func run(_ call: ScriptCall, isConfirmed: Bool = false) throws(StoreUnavailable) -> ScriptReply {
        let call = identified(call)
        let script = script(of: call)
        Self.assertOneSlot(script.name, call.keys.values)
        return ScriptReply(
            try StoreUnavailable.wrapping(
                connection.run(
                    script,
                    keys: call.keys,
                    arguments: call.arguments,
                    isConfirmed: isConfirmed,
                    deadline: deadline
                )
            )
        )
    }

    /// Returns the script of a call, with its rules if it has any.
    private func script(of call: ScriptCall) -> Script {
        guard let rules = call.rules else { return call.script.script(call.keys, call.arguments) }
        if let known = ruledScripts.first(where: { $0.script === call.script && rules.isEqual(to: $0.rules) }) {
            return known.ruled
        }
        let ruled = call.script.script(call.keys, call.arguments, constants: rules.constants)
        ruledScripts.append((call.script, rules, ruled))
        return ruled
    }

    /// Waits until as many replicas as the operator requires have all earlier writes in the slots of these keys,
    /// whichever process made them. Does nothing if no replica is required.
    /// - Throws: ``StoreUnavailable`` if some of them are not confirmed. Redis has them nevertheless.
    public func confirmAllWrites(inSlotsOf keys: [String]) throws(StoreUnavailable) {
        guard connection.waitsForReplicas, let first = keys.first else { return }
        guard connection.isCluster else {
            // The mark is the server's last write, so its confirmation covers all slots.
            _ = try run(Self.mark(inSlotOf: first), isConfirmed: true)
            return
        }
        let keys = Self.onePerSlot(keys)
        let failures = try StoreUnavailable.wrapping(connection.confirmWrites(inSlotsOf: keys, deadline: deadline))
        if let failure = failures.values.first { throw StoreUnavailable(failure) }
    }

    private static func onePerSlot(_ keys: [String]) -> Set<String> { Set(KeyNames.bySlot(keys).compactMap(\.first)) }

    /// Returns the command that runs a script, with the id that the call needs.
    public func identifiedCommand(_ call: ScriptCall) -> Command {
        let call = identified(call)
        return Self.command(call, script(of: call))
    }

    /// Returns a call with its own id if its script remembers calls and the call has none.
    private func identified(_ call: ScriptCall) -> ScriptCall {
        guard call.script.remembersCalls, !call.isIdentified else { return call }
        var call = call
        call.append(callID: newCallID())
        return call
    }

    /// Returns an id that no other call has.
    private func newCallID() -> String {
        calls += 1
        return "\(callPrefix)-\(calls)"
    }

    private static let markMilliseconds: Int64 = 1000

    /// Sends a command.
    /// - Throws: ``StoreUnavailable``; whether the command was executed is then unknown.
    public func send(_ name: StaticString, _ arguments: String...) throws(StoreUnavailable) -> ScriptReply {
        try send(name, arguments)
    }

    /// Sends a command. If it `isConfirmed`, it writes to the key that is its first argument, and the call waits as
    /// ``run(_:isConfirmed:)`` does. A command without a key may be for one server, a `node`.
    /// - Throws: ``StoreUnavailable``; whether the command was executed is then unknown.
    public func send(
        _ name: StaticString,
        _ arguments: [String],
        isConfirmed: Bool = false,
        to node: ServerNode? = nil
    ) throws(StoreUnavailable) -> ScriptReply {
        let command = Self.command(name, arguments)
        do throws(RedisError) {
            if let node { return ScriptReply(try connection.send(command, to: node, deadline: deadline)) }
            guard isConfirmed else { return ScriptReply(try connection.send(command, deadline: deadline)) }
            return ScriptReply(try connection.sendConfirmed(command, to: arguments[0], deadline: deadline))
        } catch {
            throw StoreUnavailable(error)
        }
    }

    /// Sends one command for each list of `arguments`, ``sendAll(_:)``.
    public func sendAll(_ name: StaticString, _ arguments: [[String]]) throws(StoreUnavailable) -> [ScriptReply] {
        try sendAll(arguments.map { Self.command(name, $0) })
    }

    /// Sends commands, all in one round trip.
    /// - Throws: ``StoreUnavailable`` if one of them failed; the others were executed.
    public func sendAll(_ commands: [Command]) throws(StoreUnavailable) -> [ScriptReply] {
        if commands.isEmpty { return [] }
        return try Self.values(try StoreUnavailable.wrapping(connection.pipeline(commands, deadline: deadline)))
    }

    /// Performs a step that an operation does not depend on. If Redis does not respond, the step is dropped: this
    /// reports it to ``onDroppedStep`` and returns nil.
    @discardableResult
    public func bestEffort<Value>(
        _ step: StaticString,
        _ work: @autoclosure () throws(StoreUnavailable) -> Value
    ) -> Value? {
        do {
            return try work()
        } catch {
            onDroppedStep?(step, error)
            return nil
        }
    }

    /// Polls until there is a value or the time is over: Redis can block for keys of one slot only.
    public func poll<Value>(
        every interval: Duration,
        milliseconds: Int64,
        _ read: () throws(StoreUnavailable) -> Value?
    ) throws(StoreUnavailable) -> Value? {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            if let value = try read() { return value }
            let pause = min(interval, ContinuousClock.now.duration(to: end))
            guard pause > .zero else { return nil }
            ActiveThreads.sleep(for: pause)
        }
    }

    /// Runs the scripts of `calls`, all in one round trip. If they must be `isConfirmed`, as in
    /// ``run(_:isConfirmed:)``, waits for the replicas in one more.
    /// - Throws: ``StoreUnavailable`` if one of them failed or is not confirmed; the others were executed.
    public func run(_ calls: [ScriptCall], isConfirmed: Bool = false) throws(StoreUnavailable) -> [ScriptReply] {
        if calls.isEmpty { return [] }
        if calls.count == 1 { return [try run(calls[0], isConfirmed: isConfirmed)] }
        let commands = calls.map(identifiedCommand)
        guard isConfirmed else { return try sendAll(commands) }
        let keys = Self.onePerSlot(calls.compactMap(\.keys.first))
        return try Self.values(
            try StoreUnavailable.wrapping(
                connection.pipeline(commands, confirmingSlotsOf: keys, deadline: deadline)
            )
        )
    }

    /// Sends commands that may block on the server for a while. If a reply shows that its command has written
    /// something, waits for the replicas as ``run(_:isConfirmed:)`` does.
    /// - Throws: ``StoreUnavailable``; whether the commands were executed is then unknown.
    public func send(
        _ commands: [Command],
        blockingFor blockTime: Duration,
        confirmingSlotsOf keys: [String],
        if hasWritten: (Reply) -> Bool
    ) throws(StoreUnavailable) -> [ScriptReply] {
        try Self.values(
            try StoreUnavailable.wrapping(
                connection.pipeline(
                    commands,
                    confirmingSlotsOf: keys,
                    blockingFor: blockTime,
                    if: hasWritten,
                    deadline: deadline
                )
            )
        )
    }

    private static func command(_ call: ScriptCall, _ script: Script) -> Command {
        assertOneSlot(script.name, call.keys.values)
        return Command(script, keys: call.keys, arguments: call.arguments)
    }

    /// Stops a debug build if a script or a command has keys of several slots, which a Redis Cluster would refuse.
    private static func assertOneSlot(_ name: @autoclosure () -> String, _ keys: @autoclosure () -> [String]) {
        assert(KeyNames.shareSlot(keys()), "\(name()) has keys of several slots")
    }

    private static func values(_ replies: [Reply]) throws(StoreUnavailable) -> [ScriptReply] {
        var values: [ScriptReply] = []
        values.reserveCapacity(replies.count)
        for reply in replies { values.append(ScriptReply(try StoreUnavailable.wrapping(reply.get()))) }
        return values
    }

    /// Returns a command.
    public static func command(_ name: StaticString, _ arguments: [String]) -> Command {
        assertOneSlot("\(name)", arguments.filter { $0.hasPrefix("dt:{") })
        var command = Command(name)
        for argument in arguments { command.append(argument) }
        return command
    }

    /// The maximum difference between this machine's clock and Redis's: sessions and limits use the workers' clocks.
    public static let maximumClockDifferenceSeconds: Int64 = 30

    private static func checkClock(_ time: Reply) throws(RedisError) {
        guard let theirs = time.array?.first?.text.flatMap({ Int64($0) }) else { return }
        let difference = Instant.system().seconds - theirs
        guard abs(difference) <= maximumClockDifferenceSeconds else {
            throw .unavailable("its clock and this machine's are \(abs(difference)) seconds apart")
        }
    }

    /// Compares the deployment's marks in Redis with those of this process.
    func compare(_ stored: ScriptReply) throws(RedisError) {
        let stored = stored.fields(from: 0).texts
        mismatch =
            if let marks { marks().mismatch(with: stored, shards) } else {
                DeploymentMarks.mismatch(with: stored, shards)
            }
        let state = stored[IndexKeyState.field].map { IndexKeyState(text: $0) } ?? .first
        guard let state else { throw .protocolViolation("the index key in force is malformed") }
        if mismatch == nil, needsIndexKey {
            mismatch = marks?().mismatch(of: state) ?? DeploymentMarks.mismatch(of: state, since: indexKey)
        }
        if let mismatch { throw Self.refusal(mismatch) }
        indexKey = state
    }

    static func refusal(_ mismatch: DeploymentMismatch) -> RedisError { .unavailable("it \(mismatch)") }
}
