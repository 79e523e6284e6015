public import Encodings
internal import RedisScripts

/// The record of a decision about a request.
public struct DecisionRecord: Sendable {
    /// When the decision was made; milliseconds since the Unix epoch.
    public let at: Int64
    /// The operation.
    public let operation: String
    /// The project's id; nil if the request named none.
    public let project: String?
    /// The number, masked; nil if there was none.
    public let maskedNumber: String?
    /// The number's region.
    public let region: String?
    /// The name of the outcome or of the error.
    public let outcome: String
    /// The details that the operator's log contains in addition.
    public let detail: String?
    /// What proved the app.
    public internal(set) var proof: String?
    /// The rate limits that counted the message, with their counts including it; empty if no message was queued.
    public internal(set) var limits: [CountedLimit] = []
    /// The toll fraud decision about the number's ranges; nil if none was needed.
    public internal(set) var breaker: Breaker?
    /// The queued message.
    var message: QueuedMessageID?
    /// The queued e-mail.
    var mail: QueuedMessageID?
    /// The outbox of what was queued.
    public var outbox: Outbox { mail == nil ? .messages : .mails }

    /// The toll fraud decision about the number's ranges.
    public enum Breaker: Sendable {
        /// The client had signed in with the number before.
        case clientKnown
        /// The step-up level of sends to new clients.
        case checked(StepUp)
    }
}

extension DecisionRecord {
    fileprivate init?(_ fields: DecisionFields, of project: String?) {
        guard let at = fields.text("at").flatMap({ Int64($0) }), let operation = fields.text("operation"),
            let outcome = fields.text("outcome")
        else { return nil }
        self.init(
            at: at,
            operation: operation,
            project: project,
            maskedNumber: fields.text("number"),
            region: fields.text("region"),
            outcome: outcome,
            detail: fields.text("detail"),
            proof: fields.text("proof"),
            limits: fields.limits,
            breaker: fields.breaker.flatMap { words in
                words == "known"
                    ? .clientKnown : StepUp(words.split(separator: " ").map(String.init)).map { .checked($0) }
            },
            message: project.flatMap { fields.message(of: $0) },
            mail: project.flatMap { project in
                fields.text("mail").map { QueuedMessageID(project: project, entryID: $0) }
            }
        )
    }
}

/// A request about a number.
public struct NumberRequest: Sendable {
    /// The reference of its decision.
    public let reference: DecisionReference
    /// When it was decided.
    public let at: Instant
    /// The outcome or the error.
    public let outcome: String

    /// Whether it queued a message.
    public var isSend: Bool { outcome == Self.sent }

    fileprivate static let sent = "opened"
}

/// A rate limit, and how much of it was used when a message was queued.
public struct CountedLimit: Sendable {
    /// The limit's scope, a name of ``RateLimit/Scope``.
    public let name: String
    /// The number of messages in the window, including this one.
    public let sends: Int
    /// The maximum number of messages in the window.
    public let maximum: Int
    /// The length of the window.
    public let windowMilliseconds: Int64

    /// Appends what a record contains about a limit.
    static func append(_ limit: RateLimit, to record: inout [UInt8]) {
        record.append(limit.scope.name)
        record.append(UInt8(ascii: ":"))
        record.append(decimal: Int64(limit.window.maximum))
        record.append(UInt8(ascii: ":"))
        record.append(decimal: limit.window.milliseconds)
    }

    /// Parses what a record contains about a limit, and what was `stored` of it: the count of the number's messages, or
    /// the arrival of a rate, see ``CellRate``. Now is in milliseconds since the Unix epoch.
    init?(_ text: Substring, stored: Substring, at now: Int64) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 3, let stored = Int64(stored), let maximum = Int(words[1]), let window = Int64(words[2]),
            maximum > 0, window > 0
        else { return nil }
        name = String(words[0])
        let rate = CellRate(window: RateLimit.Window(milliseconds: window, maximum: maximum))
        sends = name == RateLimit.Scope.number.name ? Int(stored) : rate.events(stored, now: now)
        self.maximum = maximum
        windowMilliseconds = window
    }
}

/// The record of a message's delivery, step by step.
public struct MessageRecord: Sendable {
    /// `accepted`, `delivered`, `undelivered`, `unconfirmed`, `dead` or `ended`, and of an e-mail also `unaddressed` or
    /// `late`; nil while it waits or is being sent.
    public internal(set) var state: String?
    /// The gateway that accepted the message.
    public internal(set) var gateway: String?
    /// The id that the gateway gave the message.
    public internal(set) var gatewayID: String?
    /// The channel of the gateway that accepted the message; nil if none did, or for an e-mail.
    public internal(set) var channel: String?
    /// Which gateways of the route got the message first, and why.
    public internal(set) var route = MessageRoute.ofSettings
    /// All gateways that had the message, including this one and those of earlier attempts.
    public internal(set) var tried: [String] = []
    /// Why no gateway accepted the message.
    public internal(set) var reason: String?
    /// When each state began; milliseconds since the Unix epoch.
    public internal(set) var times: [(state: String, at: Int64)] = []
    /// The id under which the message was requeued.
    var next: QueuedMessageID?
}

extension Store {
    /// The number of decisions that each stream keeps: it bounds Redis's memory however many requests are refused.
    static let maximumDecisions: Int64 = 5000
    /// The number of refusals that each stream of ``KeyNames/refusals(of:)`` keeps.
    static let maximumRefusals: Int64 = 1000
    static let decisionMilliseconds: Int64 = 86_400_000

    /// Records a decision that queued no message, but perhaps an e-mail. The record is lost if Redis does not answer.
    func record(_ decision: DecisionRecord, as reference: DecisionReference, about phone: PhoneIdentity? = nil) {
        let key = KeyNames.decisions(of: decision.project, reference)
        let fields: [(String, String?)] = [
            ("at", String(decision.at)), ("operation", decision.operation),
            ("number", decision.maskedNumber), ("region", decision.region), ("outcome", decision.outcome),
            ("detail", decision.detail), ("mail", decision.mail?.entryID),
        ]
        var arguments = [key, "MAXLEN", "~", String(Self.maximumDecisions), "*", "reference", reference.digits]
        for case (let name, let value?) in fields { arguments += [name, value] }
        var entries = [arguments]
        if let phone {
            let stream = [KeyNames.refusals(of: phone), "MAXLEN", "~", String(Self.maximumRefusals), "*"]
            let request = ["reference", reference.digits, "at", String(decision.at), "outcome", decision.outcome]
            entries.append(stream + ["number", phone.hash] + request)
        }
        guard bestEffort("record a decision", try sendAll("XADD", entries)) != nil else { return }
        let lives = entries.map { [$0[0], String(Self.decisionMilliseconds)] }
        bestEffort("set the TTL of decisions", try sendAll("PEXPIRE", lives))
    }

    /// Returns the requests that queued the messages to a number, which its log of messages names.
    /// - Throws: ``StoreUnavailable``.
    func sends(to phone: PhoneIdentity) throws(StoreUnavailable) -> [NumberRequest] {
        let log = try send("GET", RateLimit.messages(to: phone, .day(1)).key)
        guard !log.isNull else { return [] }
        return try log.text().split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 3, let reference = DecisionReference(String(parts[1])), let at = Int64(parts[2]) else {
                return nil
            }
            return NumberRequest(reference: reference, at: Instant(milliseconds: at), outcome: NumberRequest.sent)
        }
    }

    /// Returns the refused requests about a number.
    /// - Throws: ``StoreUnavailable``.
    func refusals(of phone: PhoneIdentity) throws(StoreUnavailable) -> [NumberRequest] {
        var requests: [NumberRequest] = []
        for entry in try send("XRANGE", KeyNames.refusals(of: phone), "-", "+").replies() {
            let fields = try entry.reply(at: 1).fields(from: 0)
            guard fields.text("number") == phone.hash, let outcome = fields.text("outcome"),
                let reference = fields.text("reference").flatMap({ DecisionReference($0) }),
                let at = fields.integer("at")
            else { continue }
            requests.append(NumberRequest(reference: reference, at: Instant(milliseconds: at), outcome: outcome))
        }
        return requests
    }

    /// Returns the decision with this reference, or nil if it is no longer kept. For a retried request, returns the
    /// last decision.
    /// - Throws: ``StoreUnavailable``.
    func decision(_ reference: DecisionReference, now: Int64) throws(StoreUnavailable) -> DecisionRecord? {
        let streams: [(project: String?, key: String)] =
            projects.map { ($0, KeyNames.sendDecisions(of: $0, reference)) }
            + (projects + [nil]).map { ($0, KeyNames.decisions(of: $0, reference)) }
        var records: [DecisionRecord] = []
        let replies = try sendAll("XREVRANGE", streams.map { [$0.key, "+", "-"] })
        for ((project, _), stream) in zip(streams, replies) {
            for entry in try stream.replies() {
                let fields = DecisionFields(try entry.reply(at: 1).fields(from: 0))
                guard fields.text("reference") == reference.digits,
                    let record = DecisionRecord(fields, of: project),
                    now - record.at < Self.decisionMilliseconds
                else { continue }
                records.append(record)
                break
            }
        }
        return records.max { $0.at < $1.at }
    }

    /// Returns the record of a message or an e-mail, or nil if it is no longer kept.
    /// - Throws: ``StoreUnavailable``.
    func message(_ id: QueuedMessageID, in outbox: Outbox) throws(StoreUnavailable) -> MessageRecord? {
        let fields = try send("HGETALL", KeyNames.record(of: id, outbox)).fields(from: 0)
        guard let state = fields.text("state") else {
            let key = KeyNames.outbox(outbox, of: id.project)
            let queued = try send("XRANGE", key, id.entryID, id.entryID).replies()
            return queued.isEmpty ? nil : MessageRecord()
        }
        let times = fields.integers.filter { $0.key.hasSuffix("-at") }
            .map { (state: String($0.key.dropLast(3)), at: $0.value) }
        return MessageRecord(
            state: state,
            gateway: fields.text("gateway"),
            gatewayID: fields.text("gateway-id"),
            channel: outbox == .mails || fields["gateway"] == nil ? nil : fields.text("channel") ?? "sms",
            route: MessageRoute(stored: fields.text("route") ?? ""),
            tried: (fields.text("tried") ?? "").split(separator: ",").map(String.init),
            reason: fields.text("reason"),
            times: times.sorted { $0.at < $1.at },
            next: fields.text("next").map { QueuedMessageID(project: id.project, entryID: $0) }
        )
    }
}
