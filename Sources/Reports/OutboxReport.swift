internal import Encodings
package import PhoneAuth
internal import PhoneNumbers
internal import RedisScripts

extension Authenticator {
    /// The types of the records of ``outboxReport(of:_:)``.
    package static var outboxRecords: [any ReportRecord.Type] {
        [Dispatchers.self, ListedMessage.self, ProjectMessageCount.self]
    }

    /// Returns the messages and e-mails of projects that wait or are undeliverable, why they wait, and each gateway's
    /// counts. Of the messages in each state, `limit` at most are listed.
    /// - Throws: ``StoreUnavailable``.
    package func outboxReport(
        of projects: [Project],
        _ unset: UnsetGateways,
        atMost limit: Int = .max
    ) throws(StoreUnavailable) -> Report {
        var report = Report()
        let now = environment.now()
        let dispatchers = try runningDispatchers()
        let ids = Set(projects.map(\.id))
        let pending = try pendingItems(of: ids, unset, dispatchers, at: now)
        let dead = try undeliverableMessages().filter { ids.contains($0.project) }.map(ListedMessage.init)
        report.add(
            Dispatchers(running: dispatchers, waiting: pending.count, undeliverable: dead.count),
            ["\(pending.count) waiting or being sent; \(dispatchers) dispatchers run"]
        )
        for listed in pending.prefix(limit) {
            let tried = listed.tried.isEmpty ? "" : ", after \(listed.tried.joined(separator: ", "))"
            report.add(listed, ["  \(listed.name) for \(listed.seconds(at: now)) s\(tried): \(listed.reason)"])
        }
        report.add(lines: ["\(dead.count) undeliverable"])
        for listed in dead.prefix(limit) {
            let tried = listed.tried.isEmpty ? "" : " (\(listed.tried.joined(separator: ", ")))"
            let text = "\(listed.seconds(at: now)) s ago: \(listed.reason)\(tried), id \(listed.id)"
            report.add(listed, ["  \(listed.name) \(text)"])
        }
        for project in projects {
            for (outbox, name) in [(Outbox.messages, "messages"), (.mails, "mails")] {
                let counts = try operation(in: project).messageCounts(outbox, days: 7)
                for count in counts { report.add(ProjectMessageCount(project: project.id, kind: name, count: count)) }
                let title = "\(project.id), \(name) of the last 7 days, "
                report.add(lines: ProjectMessageCount.lines(counts).map { title + $0 })
            }
        }
        return report
    }

    private func pendingItems(
        of projects: Set<String>,
        _ unset: UnsetGateways,
        _ dispatchers: Int,
        at now: Instant
    ) throws(StoreUnavailable) -> [ListedMessage] {
        func reason(_ waiting: WaitingMessage?, _ outbox: Outbox) -> String {
            MessageWait(waiting, in: outbox, unset, dispatchers: dispatchers, at: now).description
        }
        let messages = try waitingMessages(in: .messages)
        let mails = try waitingMessages(in: .mails)
        return try pendingMessages(of: projects).map { message in
            ListedMessage(
                state: "waiting",
                id: message.id.text,
                project: message.project,
                number: message.phone.description,
                email: nil,
                queuedAt: message.queuedAt,
                tried: message.tried,
                reason: reason(messages[message.id], .messages)
            )
        }
            + pendingMails(of: projects).map { mail in
                ListedMessage(
                    state: "waiting",
                    id: mail.id.text,
                    project: mail.project,
                    number: nil,
                    email: mail.recipient.text.maskedEmail,
                    queuedAt: mail.queuedAt,
                    tried: [],
                    reason: reason(mails[mail.id], .mails)
                )
            }
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

/// A message or mail that waits or is undeliverable.
private struct ListedMessage: ReportRecord {
    let state: String
    let id: String
    let project: String
    /// Nil if no data key opens the number, or for a mail.
    let number: String?
    /// Nil if no data key opens the address, or for a message.
    let email: String?
    let queuedAt: Instant
    let tried: [String]
    let reason: String

    static let type = "message"
    static var members: ReportMembers<Self> {
        [
            "state": { $0.state }, "id": { $0.id }, "project": { $0.project }, "number": { $0.number },
            "email": { $0.email }, "queuedAt": { $0.queuedAt }, "tried": { $0.tried }, "reason": { $0.reason },
        ]
    }

    var name: String { "\(project) \(number ?? email ?? "a recipient that cannot be decrypted")" }

    func seconds(at now: Instant) -> Int64 { max(0, (now - queuedAt).components.seconds) }
}

extension ListedMessage {
    init(_ message: UndeliverableMessage) {
        self.init(
            state: "undeliverable",
            id: message.id.text,
            project: message.project,
            number: message.phone?.description,
            email: message.email?.text.maskedEmail,
            queuedAt: message.queuedAt,
            tried: message.tried,
            reason: message.reason
        )
    }
}

private struct ProjectMessageCount: ReportRecord {
    let project: String
    /// `messages` or `mails`.
    let kind: String
    let count: MessageCount

    static let type = "count"
    static var members: ReportMembers<Self> {
        [
            "project": { $0.project }, "kind": { $0.kind }, "gateway": { $0.count.gateway },
            "event": { $0.count.event.rawValue }, "count": { $0.count.count },
        ]
    }

    /// Returns one line for each gateway, and one for events without a gateway.
    static func lines(_ counts: [MessageCount]) -> [String] {
        Dictionary(grouping: counts) { $0.gateway ?? "" }.sorted { $0.key < $1.key }.map { gateway, counts in
            let numbers = MessageEvent.allCases.compactMap { event in
                counts.first { $0.event == event }.map { "\($0.count) \(event.rawValue)" }
            }
            return "\(gateway.isEmpty ? "no gateway" : gateway): \(numbers.joined(separator: ", "))"
        }
    }
}

extension String {
    /// An e-mail address, masked.
    package var maskedEmail: String { "\(prefix(1))•••\(drop { $0 != "@" })" }
}
