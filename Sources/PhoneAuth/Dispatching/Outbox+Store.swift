internal import Redis
internal import RedisScripts

/// The outboxes are read by one consumer group of dispatchers. Each item goes to one dispatcher, which removes it when
/// its outcome is known. If a dispatcher dies, another one takes over its items. An item that must wait is not pending
/// at any dispatcher: its entry stays in the stream, and a sorted set has the time when it is due.
///
/// Redis gives a new item at once to a dispatcher that waits for it. One command waits for the items of all of the
/// store's projects. In a cluster, such a store must have one project: a command cannot have keys of several slots.
extension Store {
    static let dispatchers = "dispatchers"
    /// A dispatcher asks for items several times a second, so one that was idle for this long has probably died. It may
    /// be alive: Redis before 7.2 does not count an empty read as activity. Redis then creates it again at its next
    /// read.
    private static let idleDispatcherMilliseconds: Int64 = 3_600_000

    /// Creates missing streams and groups, and removes dispatchers that were idle for long and have no pending items.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func prepare(_ outbox: Outbox) throws(StoreUnavailable) {
        try prepare(outbox, removingIdleFor: Self.idleDispatcherMilliseconds)
    }

    func prepare(_ outbox: Outbox, removingIdleFor milliseconds: Int64) throws(StoreUnavailable) {
        try confirmDeployment()
        // If the group exists, the reply is an error. If Redis does not respond, the next command fails, too.
        _ = outcomes(
            of: keys(of: outbox).map { Self.command("XGROUP", ["CREATE", $0, Self.dispatchers, "0", "MKSTREAM"]) }
        )
        let groups = try sendAll("XINFO", keys(of: outbox).map { ["CONSUMERS", $0, Self.dispatchers] })
        var idle: [ScriptCall] = []
        for (key, group) in zip(keys(of: outbox), groups) {
            for consumer in try group.replies() {
                guard try consumer.integer(named: "pending") == 0,
                    try consumer.integer(named: "idle") >= milliseconds
                else { continue }
                idle.append(Self.removal(of: try consumer.text(named: "name"), from: key))
            }
        }
        _ = try run(idle)
    }

    private func keys(of outbox: Outbox) -> [String] { projects.map { KeyNames.outbox(outbox, of: $0) } }

    /// Returns the call that removes a dispatcher from a stream's group, unless it has pending items by then.
    private static func removal(of dispatcher: String, from key: String) -> ScriptCall {
        ScriptCall(
            .leaveOutbox,
            keys: ["outboxKey": key],
            ["group": .text(dispatchers), "dispatcher": .text(dispatcher)]
        )
    }

    /// Waits for items that no dispatcher has, and takes at most `count` of each project for `dispatcher`.
    /// - Throws: ``StoreUnavailable``; ``retake(from:for:except:)`` returns items that were already taken.
    func take(
        from outbox: Outbox,
        for dispatcher: String,
        atMost count: Int,
        waitMilliseconds: Int64
    ) throws(StoreUnavailable) -> [OutboxItem] {
        var command = Command("XREADGROUP", "GROUP", .text(Self.dispatchers), .text(dispatcher), "COUNT", .count(count))
        // BLOCK 0 waits forever.
        if waitMilliseconds > 0 {
            command.append("BLOCK")
            command.append(waitMilliseconds)
        }
        command.append("STREAMS")
        for key in keys(of: outbox) { command.append(key) }
        for _ in projects { command.append(">") }
        let reads = try assign(outbox, [command], waiting: .milliseconds(waitMilliseconds)) { $0 != .null }
        var items: [OutboxItem] = []
        let projects = Dictionary(zip(keys(of: outbox), projects)) { first, _ in first }
        for read in reads where !read.isNull {
            for stream in try read.replies() {
                guard let project = projects[try stream.text(at: 0)] else { throw .unexpectedReply }
                items += try Self.items(try stream.reply(at: 1), outbox, project)
            }
        }
        return items
    }

    /// Sends commands that assign items to a dispatcher, and waits for replicas if a reply has items: otherwise a
    /// failover could lose the session and the lock that came with an item, but not the message that the user has
    /// received. ``retake(from:for:except:)`` returns unconfirmed items.
    private func assign(
        _ outbox: Outbox,
        _ commands: [Command],
        waiting time: Duration = .zero,
        if hasItems: (Reply) -> Bool
    ) throws(StoreUnavailable) -> [ScriptReply] {
        try assigning(outbox) { () throws(StoreUnavailable) in
            try send(commands, blockingFor: time, confirmingSlotsOf: keys(of: outbox), if: hasItems)
        }
    }

    /// Makes a call that assigns items to a dispatcher. If the call fails, ``retake(from:for:except:)`` looks for items
    /// that were assigned nevertheless.
    func assigning<Value>(
        _ outbox: Outbox,
        _ call: () throws(StoreUnavailable) -> Value
    ) throws(StoreUnavailable) -> Value {
        do {
            return try call()
        } catch {
            for project in projects { doubt(outbox, project) }
            throw error
        }
    }

    private func doubt(_ outbox: Outbox, _ project: String, from start: String = Store.firstItem) {
        doubtfulStreams[KeyNames.outbox(outbox, of: project)] = start
    }

    /// Returns items that are already pending at `dispatcher`, but that it does not hold: a reply was lost, or no
    /// replica confirmed them. Looks for them only in the projects where this may have happened.
    ///
    /// - Parameters:
    ///   - outbox: the outbox of the items.
    ///   - dispatcher: the dispatcher.
    ///   - held: the items that it held before the call, even if it has finished some of them since.
    /// - Returns: the items.
    /// - Throws: ``StoreUnavailable``; the next call returns the items.
    func retake(
        from outbox: Outbox,
        for dispatcher: String,
        except held: [OutboxItem]
    ) throws(StoreUnavailable) -> [OutboxItem] {
        let doubtful = projects.compactMap { project in
            doubtfulStreams.removeValue(forKey: KeyNames.outbox(outbox, of: project)).map { (project, $0) }
        }
        if doubtful.isEmpty { return [] }
        let heldIDs = Dictionary(grouping: held, by: \.project).mapValues { $0.map { Argument.text($0.entryID) } }
        let calls = doubtful.map { project, start in
            ScriptCall(
                .retakeItems,
                keys: ["outboxKey": KeyNames.outbox(outbox, of: project)],
                NamedValues(
                    [
                        "group": .text(Self.dispatchers),
                        "dispatcher": .text(dispatcher),
                        "start": .text(start),
                        "maximum": .integer(Self.maximumRetaken),
                    ],
                    list: "held",
                    heldIDs[project] ?? []
                )
            )
        }
        let retaken = try assign(outbox, calls.map(identifiedCommand)) { $0.array?.isEmpty != true }
        var items: [OutboxItem] = []
        for (project, reply) in zip(doubtful.map(\.0), retaken) {
            let ofProject = try Self.items(reply, outbox, project)
            // This dispatcher may leave items to others, because it cannot open them. They must not be claimed again.
            if ofProject.count >= Self.maximumRetaken, let last = ofProject.last {
                doubt(outbox, project, from: "(\(last.entryID)")
            }
            items += ofProject
        }
        return items
    }

    private static let firstItem = "-"
    /// The maximum number of items that are retaken from each project at a time.
    private static let maximumRetaken: Int64 = 100

    /// Takes over items that their dispatcher has not touched for `idleMilliseconds`.
    /// - Throws: ``StoreUnavailable``.
    func takeAbandoned(
        from outbox: Outbox,
        for dispatcher: String,
        atMost count: Int,
        idleMilliseconds: Int64
    ) throws(StoreUnavailable) -> [OutboxItem] {
        let options = [Self.dispatchers, dispatcher, String(idleMilliseconds), "0", "COUNT", String(count)]
        let commands = keys(of: outbox).map { Self.command("XAUTOCLAIM", [$0] + options) }
        let claims = try assign(outbox, commands) { $0.array?.dropFirst().first?.array?.isEmpty != true }
        var items: [OutboxItem] = []
        for (project, claim) in zip(projects, claims) {
            items += try Self.items(try claim.reply(at: 1), outbox, project)
        }
        return items
    }

    /// Shows that a dispatcher is alive, and renews its hold on these items of the outbox, so that no other dispatcher
    /// takes them over.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func touch(_ items: [OutboxItem], of outbox: Outbox, for dispatcher: String) throws(StoreUnavailable) {
        // Redis before 7.2 does not count an empty read of new items as activity. This reads pending items that do not
        // exist: a read of others would renew the hold on them.
        let read = ["GROUP", Self.dispatchers, dispatcher, "COUNT", "1", "STREAMS"]
        _ = try sendAll("XREADGROUP", keys(of: outbox).map { read + [$0, "18446744073709551615-0"] })
        guard !items.isEmpty else { return }
        _ = try sendAll("XCLAIM", items.map { [$0.key, Self.dispatchers, dispatcher, "0", $0.entryID, "JUSTID"] })
    }

    /// Returns the names of the dispatchers that have touched an outbox in the last ten seconds.
    /// - Throws: ``StoreUnavailable``.
    func runningDispatchers(of outbox: Outbox) throws(StoreUnavailable) -> Set<String> {
        var names: Set<String> = []
        // Without a group, the reply is an error.
        let groups = outcomes(of: keys(of: outbox).map { Self.command("XINFO", ["CONSUMERS", $0, Self.dispatchers]) })
        for case .success(let group) in groups {
            for consumer in try group.replies() where try consumer.integer(named: "idle") < 10_000 {
                names.insert(try consumer.text(named: "name"))
            }
        }
        return names
    }

    /// Removes an item that cannot be read.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func discard(_ item: OutboxItem) throws(StoreUnavailable) {
        _ = try send("XACK", item.key, Self.dispatchers, item.entryID)
        _ = try send("XDEL", item.key, item.entryID)
    }

    /// Removes a dispatcher from the groups in which it has no pending item. Redis may have assigned items to it in a
    /// reply that was lost; another dispatcher takes them over.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func leave(_ outbox: Outbox, _ dispatcher: String) throws(StoreUnavailable) {
        _ = try run(keys(of: outbox).map { Self.removal(of: dispatcher, from: $0) })
    }

    /// Returns a project's items of an outbox that are in the stream with this key, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func items(of outbox: Outbox, _ project: String, in key: String) throws(StoreUnavailable) -> [OutboxItem] {
        try Self.items(send("XRANGE", key, "-", "+"), outbox, project)
    }

    /// Returns a project's items that wait or are being sent, `limit` at most, and how many there are. If more than
    /// `limit` wait for their next attempt, the items are those that are due first.
    /// - Throws: ``StoreUnavailable``.
    func queuedItems(
        of outbox: Outbox,
        _ project: String,
        atMost limit: Int
    ) throws(StoreUnavailable) -> (items: [(item: OutboxItem, waiting: WaitingMessage?)], count: Int) {
        let key = KeyNames.outbox(outbox, of: project)
        let waiting = try waitingMessages(in: outbox, of: project, atMost: limit)
        let ranges =
            waiting.count < limit
            ? [[key, "-", "+", "COUNT", String(limit)]] : waiting.keys.map { [key, $0.entryID, $0.entryID] }
        var items: [(item: OutboxItem, waiting: WaitingMessage?)] = []
        for range in try sendAll("XRANGE", ranges) {
            items += try Self.items(range, outbox, project).map { ($0, waiting[$0.id]) }
        }
        return (items, Int(try send("XLEN", key).integer()))
    }

    static func items(
        _ entries: ScriptReply,
        _ outbox: Outbox,
        _ project: String
    ) throws(StoreUnavailable) -> [OutboxItem] {
        var items: [OutboxItem] = []
        for entry in try entries.replies() where !entry.isNull {
            let fields = try entry.reply(at: 1).fields(from: 0)
            items.append(
                OutboxItem(
                    outbox: outbox,
                    project: project,
                    entryID: try entry.text(at: 0),
                    history: AttemptHistory(),
                    fields: fields
                )
            )
        }
        return items
    }
}

/// An item of an outbox: an entry of its stream.
public struct OutboxItem: Sendable {
    /// The item's outbox.
    public let outbox: Outbox
    /// The project's id.
    public let project: String
    /// The entry's id in the stream.
    public let entryID: String
    /// The history of earlier attempts; empty for a new item, and for one whose dispatcher died or lost it.
    public let history: AttemptHistory
    let fields: HashFields

    /// The item's id.
    var id: QueuedMessageID { QueuedMessageID(project: project, entryID: entryID) }
    /// The key of the item's stream.
    var key: String { KeyNames.outbox(outbox, of: project) }
}
