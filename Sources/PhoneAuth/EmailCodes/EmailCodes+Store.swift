internal import Encodings
internal import Redis
internal import RedisScripts

extension KeyNames {
    /// Hash: the action of a code.
    static func emailAction(_ code: EmailCodeIdentity) -> String { emailActionPrefix(code.project) + code.hash }

    static func emailActionPrefix(_ project: String) -> String { ofProject(project, "email-action", "") }

    /// A pattern that matches the key of each code of a project.
    static func anyEmailAction(of project: String) -> String { emailActionPrefix(project) + "*" }

    /// The code that an address has for a kind of action, when it was created, and where it was sent.
    fileprivate static func currentEmailAction(_ kind: EmailActionKind, of email: EmailIdentity) -> String {
        ofProject(email.project, "current-email-action", kind.rawValue, email.hash)
    }
}

/// The code of an action, with the e-mail that carries it.
struct EmailActionToQueue {
    let kind: EmailActionKind
    let code: EmailCodeIdentity
    /// The account's address, whose earlier code of this kind is replaced.
    let email: EmailIdentity
    let recipient: EmailIdentity
    /// The action, sealed.
    let content: [UInt8]
    /// The content of the e-mail, sealed; empty to send none.
    let mail: [UInt8]
    let lifetime: Duration
    let limits: [RateLimit]
}

/// The outcome of creating a code.
enum EmailActionQueueing {
    /// The code exists. The e-mail is nil if none is sent, or if an earlier execution queued it.
    case queued(QueuedMessageID?)
    /// The user has a recent e-mail, whose code is unused.
    case repeated
    case limited(ExceededRateLimit)
}

/// Whether a request may use a code.
enum EmailCodeUse: String {
    case taken
    case unknown
    case expired
}

extension Store {
    /// Creates a code and queues its e-mail, in one atomic step.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func queue(
        _ action: EmailActionToQueue,
        under policy: Policy,
        at now: Instant
    ) throws(StoreUnavailable) -> EmailActionQueueing {
        let project = action.code.project
        let call = ScriptCall(
            .queueEmailAction,
            keys: NamedValues(
                [
                    "currentKey": KeyNames.currentEmailAction(action.kind, of: action.email),
                    "outboxKey": KeyNames.outbox(.mails, of: project),
                    "actionPrefix": KeyNames.emailActionPrefix(project),
                    "eventKey": KeyNames.countedEvent(action.code.hash, of: project),
                ],
                list: "limitKeys",
                action.limits.map(\.key)
            ),
            NamedValues(
                [
                    "now": .integer(now.milliseconds),
                    "code": .text(action.code.hash),
                    "kind": .text(action.kind.rawValue),
                    "content": .bytes(action.content),
                    "mail": .bytes(action.mail),
                    "recipient": .text(action.recipient.hash),
                    "life": .integer(action.lifetime.milliseconds),
                    "memory": .integer(policy.tombstoneLifetime.milliseconds),
                    "lockLife": .integer(policy.lockLifetime.milliseconds),
                    "mailLife": .integer(EmailAction.longestLifetime.milliseconds),
                ],
                list: "bounds",
                action.limits.bounds()
            )
        )
        let reply = try run(call, isConfirmed: true)
        switch try reply.outcome() {
        case "queued":
            let entry = try reply.text(at: 1)
            return .queued(entry.isEmpty ? nil : QueuedMessageID(project: project, entryID: entry))
        case "repeated": return .repeated
        case "limited":
            guard let exceeded = try reply.exceeded(action.limits).first else { throw .unexpectedReply }
            return .limited(exceeded.reported())
        default: throw .unexpectedReply
        }
    }

    /// Returns the record of a code, or nil if the code is unknown.
    /// - Throws: ``StoreUnavailable``.
    func emailAction(_ code: EmailCodeIdentity) throws(StoreUnavailable) -> StoredEmailAction? {
        StoredEmailAction(try send("HGETALL", KeyNames.emailAction(code)).fields(from: 0))
    }

    /// Returns the records of all codes of a project. Scans all keys: for a developer's own Redis.
    /// - Throws: ``StoreUnavailable``.
    func emailActions(of project: String) throws(StoreUnavailable) -> [(EmailCodeIdentity, StoredEmailAction)] {
        var actions: [(EmailCodeIdentity, StoredEmailAction)] = []
        var scan = KeyScan(self, KeyNames.anyEmailAction(of: project))
        while let keys = try scan.next() {
            for (key, reply) in zip(keys, try sendAll("HGETALL", keys.map { [$0] })) {
                let hash = String(key.dropFirst(KeyNames.emailActionPrefix(project).count))
                guard let stored = StoredEmailAction(reply.fields(from: 0)) else { continue }
                actions.append((EmailCodeIdentity(project: project, hash: hash), stored))
            }
        }
        return actions
    }

    /// Uses a code up for a request, which may be repeated within `usedMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func take(
        _ code: EmailCodeIdentity,
        requestID: String,
        usedMilliseconds: Int64,
        at now: Instant
    ) throws(StoreUnavailable) -> EmailCodeUse {
        let call = ScriptCall(
            .takeEmailAction,
            keys: ["actionKey": KeyNames.emailAction(code)],
            [
                "now": .integer(now.milliseconds),
                "request": .text(requestID),
                "usedLife": .integer(usedMilliseconds),
            ]
        )
        guard let use = EmailCodeUse(rawValue: try run(call, isConfirmed: true).text()) else { throw .unexpectedReply }
        return use
    }

    /// Lets a code be used again. Once it has expired, it is remembered for `memory` (milliseconds).
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func giveBack(_ code: EmailCodeIdentity, memory: Int64, now: Int64) throws(StoreUnavailable) {
        guard let stored = try emailAction(code) else { return }
        let key = KeyNames.emailAction(code)
        _ = try send("PEXPIRE", key, String(stored.expiresAt - now + memory))
        _ = try send("HDEL", key, "used-by")
    }
}

/// The record of a code. Times are milliseconds since the Unix epoch.
struct StoredEmailAction {
    /// The action, sealed.
    let content: [UInt8]
    let sentAt: Int64
    let expiresAt: Int64
    /// The request that used the code; nil if none has.
    let usedBy: String?

    init?(_ fields: HashFields) {
        guard let content = fields["content"], let sentAt = fields.integer("sent"),
            let expiresAt = fields.integer("expires")
        else { return nil }
        self.content = content
        self.sentAt = sentAt
        self.expiresAt = expiresAt
        usedBy = fields.text("used-by")
    }
}
