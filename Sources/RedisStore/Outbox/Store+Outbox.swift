internal import Redis

/// The outboxes are read by one consumer group of dispatchers. Each item goes to one dispatcher, which removes it when
/// its outcome is known. If a dispatcher dies, another one takes over its items. An item that must wait is not pending
/// at any dispatcher: its entry stays in the stream, and a sorted set has the time when it is due.
///
/// Redis cannot block for entries in streams of several slots, so dispatchers poll.
///
/// In a cluster, the projects of a failed node wait while the others are served. An operation throws only if no project
/// could be used.
extension Store {
    static let dispatchers = "dispatchers"
    /// The interval at which a waiting dispatcher polls.
    private static let pollInterval: Duration = .milliseconds(25)
    /// A dispatcher asks for items several times a second, so one that was idle for this long has probably died. It may
    /// be alive: Redis before 7.2 does not count an empty read as activity. Redis then creates it again at its next
    /// read.
    private static let idleDispatcherMilliseconds: Int64 = 3_600_000

    /// Creates missing streams and groups, and removes dispatchers that were idle for long and have no pending items.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func prepare(_ outbox: Outbox) throws(StoreUnavailable) {
        try prepare(outbox, removingIdleFor: Self.idleDispatcherMilliseconds)
    }

    func prepare(_ outbox: Outbox, removingIdleFor milliseconds: Int64) throws(StoreUnavailable) {
        let prepared = try createGroups(of: outbox, in: projects)
        let groups = try sendEach("XINFO", for: prepared) {
            ["CONSUMERS", KeyNames.outbox(outbox, of: $0), Self.dispatchers]
        }
        var idle: [(project: String, name: String)] = []
        for (project, group) in groups.replies {
            for consumer in try group.replies() {
                guard try consumer.integer(named: "pending") == 0,
                    try consumer.integer(named: "idle") >= milliseconds
                else { continue }
                idle.append((project, try consumer.text(named: "name")))
            }
        }
        _ = try runEach(for: idle, mayFail: true) { Self.removal(of: $0.name, from: outbox, $0.project) }
    }

    /// Returns the call that removes a dispatcher from a project's group, unless it has pending items by then.
    private static func removal(of dispatcher: String, from outbox: Outbox, _ project: String) -> ScriptCall {
        ScriptCall(
            .leaveOutbox,
            keys: ["outboxKey": KeyNames.outbox(outbox, of: project)],
            ["group": .text(dispatchers), "dispatcher": .text(dispatcher)]
        )
    }

    /// Creates missing streams and groups. Returns the projects whose nodes answered.
    private func createGroups(
        of outbox: Outbox,
        in projects: [String],
        mayFail: Bool = false
    ) throws(StoreUnavailable) -> [String] {
        // If the group exists, the reply is an error, which is harmless.
        try sendEach("XGROUP", for: projects, mayFail: mayFail, acceptsErrors: true) {
            ["CREATE", KeyNames.outbox(outbox, of: $0), Self.dispatchers, "0", "MKSTREAM"]
        }.replies.map(\.element)
    }

    /// Waits for items that no dispatcher has, and takes at most `count` of each project for `dispatcher`.
    /// - Throws: ``StoreUnavailable``; ``retake(from:for:except:)`` returns items that were already taken.
    public func take(
        from outbox: Outbox,
        for dispatcher: String,
        atMost count: Int,
        waitMilliseconds: Int64
    ) throws(StoreUnavailable) -> [OutboxItem] {
        let group = ["GROUP", Self.dispatchers, dispatcher, "COUNT", String(count), "STREAMS"]
        let items = try poll(every: Self.pollInterval, milliseconds: waitMilliseconds) {
            () throws(StoreUnavailable) -> [OutboxItem]? in
            let reads = try assigning(outbox, in: projects) { () throws(StoreUnavailable) in
                try sendEach("XREADGROUP", for: projects) { group + [KeyNames.outbox(outbox, of: $0), ">"] }
            }
            // Their nodes were down when the outbox was prepared, or have lost their data since.
            let unprepared = reads.failures.filter(\.error.meansNoGroup).map(\.element)
            if !unprepared.isEmpty, bestEffort("compare the deployment", try confirmDeployment()) != nil {
                _ = try createGroups(of: outbox, in: unprepared, mayFail: true)
            }
            var items: [OutboxItem] = []
            for (project, reply) in reads.replies where !reply.isNull {
                items += try Self.items(try reply.reply(at: 0).reply(at: 1), outbox, project)
            }
            return items.isEmpty ? nil : items
        }
        return try confirmed(items ?? [])
    }

    /// Waits for replicas before anything is sent: otherwise a failover could lose the session and the lock that came
    /// with an item, but not the message that the user has received. ``retake(from:for:except:)`` returns unconfirmed
    /// items.
    private func confirmed(_ items: [OutboxItem]) throws(StoreUnavailable) -> [OutboxItem] {
        var confirmed: Set<String> = []
        defer {
            for item in items where !confirmed.contains(item.key) { doubt(item.outbox, item.project) }
        }
        confirmed = try confirmWrites(inSlotsOf: Set(items.map(\.key)))
        return items.filter { confirmed.contains($0.key) }
    }

    /// Makes calls that assign items to a dispatcher, one for each project. If the outcome of a call is unknown,
    /// ``retake(from:for:except:)`` examines its project.
    func assigning(
        _ outbox: Outbox,
        in projects: [String],
        _ call: () throws(StoreUnavailable) -> PartialReplies<String>
    ) throws(StoreUnavailable) -> PartialReplies<String> {
        do {
            let partial = try call()
            for (project, _) in partial.failures { doubt(outbox, project) }
            return partial
        } catch {
            for project in projects { doubt(outbox, project) }
            throw error
        }
    }

    private func doubt(_ outbox: Outbox, _ project: String, from start: String = Store.firstItem) {
        doubtfulProjects[outbox, default: [:]][project] = start
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
    public func retake(
        from outbox: Outbox,
        for dispatcher: String,
        except held: [OutboxItem]
    ) throws(StoreUnavailable) -> [OutboxItem] {
        guard let doubtful = doubtfulProjects.removeValue(forKey: outbox) else { return [] }
        let projects = Array(doubtful.keys)
        let heldIDs = Dictionary(grouping: held, by: \.project).mapValues { $0.map { Argument.text($0.entryID) } }
        let retaken = try assigning(outbox, in: projects) { () throws(StoreUnavailable) in
            // All of these projects may be on failed nodes while others can be served.
            try runEach(for: projects, mayFail: true) {
                ScriptCall(
                    .retakeItems,
                    keys: ["outboxKey": KeyNames.outbox(outbox, of: $0)],
                    NamedValues(
                        [
                            "group": .text(Self.dispatchers),
                            "dispatcher": .text(dispatcher),
                            "start": .text(doubtful[$0] ?? Self.firstItem),
                            "maximum": .integer(Self.maximumRetaken),
                        ],
                        list: "held",
                        heldIDs[$0] ?? []
                    )
                )
            }
        }
        var items: [OutboxItem] = []
        for (project, reply) in retaken.replies {
            let ofProject = try Self.items(reply, outbox, project)
            // This dispatcher may leave items to others, because it cannot open them. They must not be claimed again.
            if ofProject.count >= Self.maximumRetaken, let last = ofProject.last {
                doubt(outbox, project, from: "(\(last.entryID)")
            }
            items += ofProject
        }
        return try confirmed(items)
    }

    private static let firstItem = "-"
    /// The maximum number of items that are retaken from each project at a time.
    private static let maximumRetaken: Int64 = 100

    /// Takes over items that their dispatcher has not touched for `idleMilliseconds`.
    /// - Throws: ``StoreUnavailable``.
    public func takeAbandoned(
        from outbox: Outbox,
        for dispatcher: String,
        atMost count: Int,
        idleMilliseconds: Int64
    ) throws(StoreUnavailable) -> [OutboxItem] {
        let claims = try assigning(outbox, in: projects) { () throws(StoreUnavailable) in
            try sendEach("XAUTOCLAIM", for: projects) {
                [
                    KeyNames.outbox(outbox, of: $0), Self.dispatchers, dispatcher, String(idleMilliseconds), "0",
                    "COUNT",
                    String(count),
                ]
            }
        }
        var items: [OutboxItem] = []
        for (project, reply) in claims.replies { items += try Self.items(try reply.reply(at: 1), outbox, project) }
        return try confirmed(items)
    }

    /// Renews a dispatcher's hold on these items, so that no other dispatcher takes them over.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func touch(_ items: [OutboxItem], for dispatcher: String) throws(StoreUnavailable) {
        // All of the items may be on a failed node.
        _ = try sendEach("XCLAIM", for: items, mayFail: true, acceptsErrors: true) {
            [KeyNames.outbox($0.outbox, of: $0.project), Self.dispatchers, dispatcher, "0", $0.entryID, "JUSTID"]
        }
    }

    /// Removes an item that cannot be read.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func discard(_ item: OutboxItem) throws(StoreUnavailable) {
        let key = KeyNames.outbox(item.outbox, of: item.project)
        _ = try send("XACK", key, Self.dispatchers, item.entryID)
        _ = try send("XDEL", key, item.entryID)
    }

    /// Removes a dispatcher from the groups in which it has no pending item. Redis may have assigned items to it in a
    /// reply that was lost; another dispatcher takes them over.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func leave(_ outbox: Outbox, _ dispatcher: String) throws(StoreUnavailable) {
        _ = try runEach(for: projects) { Self.removal(of: dispatcher, from: outbox, $0) }
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
