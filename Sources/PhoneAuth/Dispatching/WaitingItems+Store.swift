internal import Redis
internal import RedisScripts

/// The history of an item's earlier attempts, for the dispatcher that takes it next.
public struct AttemptHistory: Sendable, Equatable {
    /// The number of attempts that failed for transient reasons.
    public var failures = 0
    /// The gateways that refused the item.
    public var refusedBy: [String] = []
    /// The gateways that may have sent it without confirmation.
    public var doubted: [String] = []
    /// The last answer of a gateway, for operators: its name and fixed words; nil if none was called.
    public var lastAnswer: String?

    /// Creates the history of a new item.
    public init() {}
}

/// How an item waits in its outbox without occupying a dispatcher.
public struct Postponement: Sendable, Equatable {
    /// The time for which no dispatcher takes the item.
    let delayMilliseconds: Int64
    /// When a dispatcher takes the item even if no destination has room; milliseconds since the Unix epoch.
    let until: Int64
    /// The possible destinations: the names of gateways, or of an app.
    let destinations: [String]
    /// The history of earlier attempts.
    let history: AttemptHistory

    /// Describes how an item waits.
    public init(delayMilliseconds: Int64, until: Int64, destinations: [String], history: AttemptHistory) {
        self.delayMilliseconds = delayMilliseconds
        self.until = until
        self.destinations = destinations
        self.history = history
    }
}

/// How a message waits for its next attempt.
public struct WaitingMessage: Sendable {
    /// When a dispatcher may take it; milliseconds since the Unix epoch, by Redis's clock.
    public let dueAt: Int64
    /// The gateways that may get it.
    public let destinations: [String]
    /// The last answer of a gateway; nil if the message has only waited for room.
    public let lastAnswer: String?
}

/// Whether a destination can take items now.
public enum DestinationRoom: Sendable, Equatable {
    /// It can take this many items, possibly none at this moment.
    case items(Int)
    /// It takes no items for a while: its circuit breaker is open.
    case breakerOpen
}

extension AttemptHistory {
    /// The stored form, `3 main,second - main: refused: unroutable (30003)`: failures, refusals, doubts, last answer.
    fileprivate var stored: String {
        "\(failures) \(Self.list(refusedBy)) \(Self.list(doubted))" + (lastAnswer.map { " \($0)" } ?? "")
    }

    fileprivate init(stored text: String) {
        let parts = text.split(separator: " ", maxSplits: 3)
        guard parts.count >= 3 else { return }
        failures = Int(parts[0]) ?? 0
        refusedBy = Self.names(parts[1])
        doubted = Self.names(parts[2])
        lastAnswer = parts.count > 3 ? String(parts[3]) : nil
    }

    fileprivate static func names(_ text: Substring) -> [String] {
        text == "-" ? [] : text.split(separator: ",").map(String.init)
    }

    fileprivate static func list(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: ",") }
}

extension Store {
    /// The maximum number of a project's due items to examine at once.
    private static let maximumLookedAt: Int64 = 128
    /// How long items are postponed if the circuit breakers of all their destinations are open.
    private static let breakerOpenMilliseconds: Int64 = 1000

    /// Postpones a dispatcher's items, which then wait in their outbox. Items of other dispatchers are ignored.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func postpone(_ items: [(item: OutboxItem, Postponement)], for dispatcher: String) throws(StoreUnavailable) {
        _ = try run(
            items.map { item, postponement in
                let destinations = AttemptHistory.list(postponement.destinations)
                return ScriptCall(
                    .postponeItem,
                    keys: ["outboxKey": item.key, "waitingKey": KeyNames.waiting(item.outbox, of: item.project)],
                    [
                        "group": .text(Self.dispatchers),
                        "dispatcher": .text(dispatcher),
                        "id": .text(item.entryID),
                        "delay": .integer(postponement.delayMilliseconds),
                        "state": .text("\(postponement.until) \(destinations) \(postponement.history.stored)"),
                    ]
                )
            }
        )
    }

    /// Takes waiting items that are due and that have a destination with room.
    ///
    /// The room of each destination is divided among the projects that have due items, rounded up. A few items too many
    /// may therefore be taken and must be postponed again.
    ///
    /// - Parameters:
    ///   - outbox: the outbox in which the items wait.
    ///   - dispatcher: the dispatcher that takes the items.
    ///   - room: what each known destination can take. An item with an unknown destination is always taken.
    ///   - now: milliseconds since the Unix epoch.
    /// - Returns: the items, each project's in the order in which they became due; and the time until the next item is
    ///   due: zero if there may be due items without room, nil if no item waits.
    /// - Throws: ``StoreUnavailable``; ``retake(from:for:except:)`` returns items that were taken.
    func takeWaiting(
        from outbox: Outbox,
        for dispatcher: String,
        room: [String: DestinationRoom],
        now: Int64
    ) throws(StoreUnavailable) -> (items: [OutboxItem], next: Duration?) {
        let (due, next) = try dueProjects(outbox)
        var rooms: [Argument] = []
        for (destination, room) in room {
            rooms.append(.text(destination))
            switch room {
            case .breakerOpen: rooms.append(-1)
            case .items(let count): rooms.append(.count((count + due.count - 1) / max(1, due.count)))
            }
        }
        let calls = due.map {
            ScriptCall(
                .takeWaiting,
                keys: ["outboxKey": KeyNames.outbox(outbox, of: $0), "waitingKey": KeyNames.waiting(outbox, of: $0)],
                NamedValues(
                    [
                        "group": .text(Self.dispatchers),
                        "dispatcher": .text(dispatcher),
                        "now": .integer(now),
                        "maximum": .integer(Self.maximumLookedAt),
                        "breakerOpenDelay": .integer(Self.breakerOpenMilliseconds),
                    ],
                    list: "rooms",
                    rooms
                )
            )
        }
        let taken = try assigning(outbox) { () throws(StoreUnavailable) in try run(calls) }
        var items: [OutboxItem] = []
        for (project, reply) in zip(due, taken) {
            for item in try reply.replies() {
                let entry = try item.reply(at: 1)
                items.append(
                    OutboxItem(
                        outbox: outbox,
                        project: project,
                        entryID: try entry.text(at: 0),
                        history: AttemptHistory(stored: try item.text(at: 0)),
                        fields: try entry.reply(at: 1).fields(from: 0)
                    )
                )
            }
        }
        return (items, next)
    }

    /// Returns how a project's postponed messages or e-mails wait: the `limit` that are due first.
    /// - Throws: ``StoreUnavailable``.
    func waitingMessages(
        in outbox: Outbox,
        of project: String,
        atMost limit: Int = .max
    ) throws(StoreUnavailable) -> [QueuedMessageID: WaitingMessage] {
        var waiting: [QueuedMessageID: WaitingMessage] = [:]
        let key = KeyNames.waiting(outbox, of: project)
        let texts = try send("ZRANGE", key, "0", String(limit - 1), "WITHSCORES").texts()
        for (member, due) in zip(texts, texts.dropFirst()) {
            let parts = member.split(separator: " ", maxSplits: 3)
            // A score is followed by the next member.
            guard parts.count == 4, let due = Int64(due) else { continue }
            waiting[QueuedMessageID(project: project, entryID: String(parts[0]))] = WaitingMessage(
                dueAt: due,
                destinations: AttemptHistory.names(parts[2]),
                lastAnswer: AttemptHistory(stored: String(parts[3])).lastAnswer
            )
        }
        return waiting
    }

    /// Returns the projects that have due items, and the time until the next item is due: zero if an item is due, nil
    /// if no item waits. Uses Redis's clock, like the scripts that set due times.
    private func dueProjects(_ outbox: Outbox) throws(StoreUnavailable) -> (projects: [String], next: Duration?) {
        let reads = projects.map {
            let key = KeyNames.waiting(outbox, of: $0)
            return Self.command("ZRANGEBYSCORE", [key, "-inf", "+inf", "WITHSCORES", "LIMIT", "0", "1"])
        }
        let replies = try sendAll(reads + [Command("TIME")])
        let time = try replies[replies.count - 1].texts().compactMap { Int64($0) }
        guard time.count == 2 else { throw .unexpectedReply }
        let now = time[0] * 1000 + time[1] / 1000
        var due: [String] = []
        var next: Int64?
        for (project, reply) in zip(projects, replies) {
            guard let time = try reply.texts().last.flatMap({ Int64($0) }) else { continue }
            if time <= now { due.append(project) }
            next = min(next ?? .max, max(0, time - now))
        }
        return (due, next.map { .milliseconds($0) })
    }
}
