internal import Glibc
public import Redis

/// Redis did not answer in time, or not as agreed. It holds no key, no argument and no secret.
public struct StoreUnavailable: Error, Equatable, CustomStringConvertible {
    /// One line for the log.
    public let description: String

    /// A reason in one line that holds no key, no argument and no secret.
    public init(description: String) {
        self.description = description
    }

    /// What was stored cannot be read.
    public static let unexpectedReply = StoreUnavailable(description: "Redis gave an answer of an unexpected form")
}

/// The domain's storage over one Redis connection; it belongs to the thread that made it.
///
/// Each operation is one round trip, and each that writes is one atomic script or one idempotent command.
public final class Store {
    /// In how many parts the deployment's keys are divided.
    public let shards: ShardCount
    /// Until when operations may take their time; nil leaves the connection's own time-outs.
    public var deadline: ContinuousClock.Instant?

    private let connection: Connection
    /// What the ids of this store's calls begin with, and how many calls have one.
    private let callPrefix = String(UInt64.random(in: .min ... .max), radix: 36)
    private var calls: UInt64 = 0
    /// The scripts of the rules that sends had: four in a deployment, with and without an app
    /// credential's limits, from IPv4 and from IPv6 clients.
    private var sendScripts: [(rules: SendRules, script: Script)] = []

    /// A store that connects on first use.
    ///
    /// Each new connection checks that the deployment was created with the same number of shards, otherwise keys would be
    /// looked for where they are not, and that the two clocks agree.
    public init(_ configuration: ConnectionConfiguration, shards: ShardCount) {
        self.shards = shards
        connection = Connection(configuration)
        connection.onConnect = { connection throws(RedisError) in try Self.checkDeployment(connection, shards) }
        connection.secondTryMark = { key in
            Command(
                Scripts.markSecondTry,
                keys: [KeyNames.secondTry(inSlotOf: key)],
                arguments: [.integer(Self.secondTryMarkMilliseconds)]
            )
        }
    }

    /// Gives the request at hand more time.
    public func extendDeadline(by duration: Duration) {
        guard let former = deadline else { return }
        let next = former + duration
        deadline = next
        connection.moveDeadline(from: former, to: next)
    }

    /// Asks for a sign of life.
    /// - Throws: ``StoreUnavailable``.
    public func ping() throws(StoreUnavailable) {
        _ = try send("PING")
    }

    /// Runs a script. One that changes an account, or what leads to one, is to be `isConfirmed`: it returns when as many
    /// replicas as the operator asks for have the change, too.
    /// - Throws: ``StoreUnavailable``; whether the script ran is then unknown.
    func run(
        _ script: Script,
        isConfirmed: Bool = false,
        keys: [String],
        _ arguments: [Argument]
    ) throws(StoreUnavailable) -> ScriptReply {
        do {
            return ScriptReply(
                try connection.run(
                    script,
                    keys: keys,
                    arguments: arguments,
                    isConfirmed: isConfirmed,
                    deadline: deadline
                )
            )
        } catch {
            throw StoreUnavailable(description: error.description)
        }
    }

    /// Tells a call from all others.
    func newCallID() -> String {
        calls += 1
        return "\(callPrefix)-\(calls)"
    }

    private static let secondTryMarkMilliseconds: Int64 = 1000

    func sendScript(_ rules: SendRules) -> Script {
        if let known = sendScripts.first(where: { $0.rules == rules }) { return known.script }
        let script = rules.script
        sendScripts.append((rules, script))
        return script
    }

    func send(_ name: StaticString, _ arguments: String...) throws(StoreUnavailable) -> ScriptReply {
        try send(name, arguments)
    }

    func send(_ name: StaticString, _ arguments: [String]) throws(StoreUnavailable) -> ScriptReply {
        do {
            return ScriptReply(try connection.send(Self.command(name, arguments), deadline: deadline))
        } catch {
            throw StoreUnavailable(description: error.description)
        }
    }

    /// Sends one command for each list of `arguments`, all in one round trip. One that failed has no value in its place.
    func pipeline(_ name: StaticString, _ arguments: [[String]]) throws(StoreUnavailable) -> [ScriptReply] {
        try pipeline(arguments.map { Self.command(name, $0) }).map(ScriptReply.init)
    }

    /// Sends one command for each list of `arguments`, all in one round trip.
    /// - Throws: ``StoreUnavailable`` where one of them failed; the others were done.
    func sendAll(_ name: StaticString, _ arguments: [[String]]) throws(StoreUnavailable) -> [ScriptReply] {
        try Self.values(try pipeline(arguments.map { Self.command(name, $0) }))
    }

    /// Runs a script for each of `calls`, all in one round trip.
    /// - Throws: ``StoreUnavailable`` where one of them failed; the others were done.
    func run(_ script: Script, _ calls: [ScriptCall]) throws(StoreUnavailable) -> [ScriptReply] {
        guard !calls.isEmpty else { return [] }
        let commands = calls.map { Command(script, keys: $0.keys, arguments: $0.arguments) }
        return try Self.values(try pipeline(commands))
    }

    private func pipeline(_ commands: [Command]) throws(StoreUnavailable) -> [Reply] {
        do {
            return try connection.pipeline(commands, deadline: deadline)
        } catch {
            throw StoreUnavailable(description: error.description)
        }
    }

    private static func values(_ replies: [Reply]) throws(StoreUnavailable) -> [ScriptReply] {
        var values: [ScriptReply] = []
        values.reserveCapacity(replies.count)
        for reply in replies {
            do {
                values.append(ScriptReply(try reply.get()))
            } catch {
                throw StoreUnavailable(description: error.description)
            }
        }
        return values
    }

    private static func command(_ name: StaticString, _ arguments: [String]) -> Command {
        var command = Command(name)
        for argument in arguments { command.append(argument) }
        return command
    }

    /// How far this machine's clock and Redis's may be apart: sessions and limits are counted by the workers' clocks.
    static let maximumClockDifferenceSeconds: Int64 = 30

    private static func checkClock(_ time: Reply) throws(RedisError) {
        guard let theirs = time.array?.first?.text.flatMap({ Int64($0) }) else { return }
        let difference = Int64(Glibc.time(nil)) - theirs
        guard abs(difference) <= maximumClockDifferenceSeconds else {
            throw .unavailable("its clock and this machine's are \(abs(difference)) seconds apart")
        }
    }

    private static func checkDeployment(_ connection: Connection, _ shards: ShardCount) throws(RedisError) {
        let key = KeyNames.deploymentShards
        let replies = try connection.pipeline([
            Command("SET", .text(key), .integer(Int64(shards.value)), "NX"),
            Command("GET", .text(key)),
            Command("TIME"),
        ])
        try checkClock(try replies[2].get())
        // A user who may read but not write, or a replica, fails the first; the second decides.
        guard let known = try replies[1].get().text else { return _ = try replies[0].get() }
        guard known == String(shards.value) else {
            throw .unavailable("it was set up with \(known) shards, but \(shards.value) are configured")
        }
    }
}
