internal import Encodings
package import PhoneAuth
internal import PhoneNumbers
internal import RedisScripts

extension Authenticator {
    /// The types of the records of ``outboxReport(of:_:atMost:)``.
    package static var outboxRecords: [any ReportRecord.Type] {
        [Dispatchers.self, OutboxMessage.self, MessageCount.self]
    }

    /// Returns the messages and e-mails of projects that wait or are undeliverable, why they wait, and each gateway's
    /// counts. Of the messages or e-mails of a project in each state, `limit` at most are listed.
    /// - Throws: ``StoreUnavailable``.
    package func outboxReport(
        of projects: [Project],
        _ unset: UnsetGateways,
        atMost limit: Int
    ) throws(StoreUnavailable) -> Report {
        let now = environment.now()
        let dispatchers = try runningDispatchers()
        var (waiting, undeliverable): ([OutboxMessage], [OutboxMessage]) = ([], [])
        var (waitingCount, undeliverableCount) = (0, 0)
        var counts: [MessageCount] = []
        for project in projects {
            for outbox in [Outbox.messages, .mails] {
                let (queued, count) = try queuedMessages(in: outbox, of: project.id, atMost: limit)
                waiting += queued.map { message in
                    let wait = unset.wait(message.waiting, in: outbox, dispatchers: dispatchers, at: now)
                    return OutboxMessage(message: message, reason: wait)
                }
                waitingCount += count
                let dead = try undeliverableMessages(in: outbox, of: project.id)
                undeliverable += dead.suffix(limit).map { OutboxMessage(message: $0, reason: $0.reason ?? "") }
                undeliverableCount += dead.count
                counts += try operation(in: project).messageCounts(outbox, days: 7)
            }
        }
        var report = Report()
        report.add(
            Dispatchers(running: dispatchers, waiting: waitingCount, undeliverable: undeliverableCount),
            ["\(waitingCount) waiting or being sent; \(dispatchers) dispatchers run"]
        )
        report.add(waiting, of: waitingCount, at: now)
        report.add(lines: ["\(undeliverableCount) undeliverable"])
        report.add(undeliverable, of: undeliverableCount, at: now)
        for count in counts { report.add(count) }
        report.add(lines: MessageCount.lines(counts))
        return report
    }
}

extension Report {
    fileprivate mutating func add(_ messages: [OutboxMessage], of count: Int, at now: Instant) {
        for message in messages { add(message, [message.line(at: now)]) }
        if count > messages.count { add(lines: ["  and \(count - messages.count) more"]) }
    }
}

/// The running dispatchers, and how many messages and e-mails there are in each state.
private struct Dispatchers: ReportRecord {
    let running: Int
    let waiting: Int
    let undeliverable: Int

    static let type = "dispatchers"
    static var members: ReportMembers<Self> {
        ["running": { $0.running }, "waiting": { $0.waiting }, "undeliverable": { $0.undeliverable }]
    }
}

/// A message or e-mail, and why it waits or is undeliverable.
private struct OutboxMessage: ReportRecord {
    let message: ListedMessage
    let reason: String

    static let type = "message"
    static var members: ReportMembers<Self> {
        [
            "state": { $0.isWaiting ? "waiting" : "undeliverable" }, "id": { $0.message.id.text },
            "project": { $0.message.project }, "number": { $0.number }, "email": { $0.email },
            "queuedAt": { $0.message.queuedAt }, "tried": { $0.message.tried }, "reason": { $0.reason },
        ]
    }

    private var isWaiting: Bool { message.reason == nil }
    private var number: String? { message.phone?.description }
    private var email: String? { message.email?.text.maskedEmail }

    func line(at now: Instant) -> String {
        let name = "  \(message.project) \(number ?? email ?? "a recipient that cannot be decrypted")"
        let age = "\(max(0, (now - message.queuedAt).components.seconds)) s"
        let tried = message.tried.joined(separator: ", ")
        return isWaiting
            ? "\(name) for \(age)\(tried.isEmpty ? "" : ", after \(tried)"): \(reason)"
            : "\(name) \(age) ago: \(reason)\(tried.isEmpty ? "" : " (\(tried))"), id \(message.id.text)"
    }
}

extension MessageCount: ReportRecord {
    package static let type = "count"
    package static var members: ReportMembers<Self> {
        [
            "project": { $0.project }, "kind": { "\($0.outbox)" }, "gateway": { $0.gateway },
            "event": { $0.event.rawValue }, "count": { $0.count },
        ]
    }

    /// Returns one line for each gateway, and one for events without a gateway.
    fileprivate static func lines(_ counts: [MessageCount]) -> [String] {
        Dictionary(grouping: counts) { [$0.project, "\($0.outbox)", $0.gateway ?? ""] }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { place, counts in
                let numbers = MessageEvent.allCases.compactMap { event in
                    counts.first { $0.event == event }.map { "\($0.count) \(event.rawValue)" }
                }
                let gateway = place[2].isEmpty ? "no gateway" : place[2]
                return "\(place[0]), \(place[1]) of the last 7 days, \(gateway): \(numbers.joined(separator: ", "))"
            }
    }
}

extension String {
    /// An e-mail address, masked.
    package var maskedEmail: String { "\(prefix(1))•••\(drop { $0 != "@" })" }
}
