import ArgumentParser
import Encodings
import PhoneAuth
import PhoneNumbers

/// `dialtone outbox`.
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show waiting and undeliverable messages and mails; send undeliverable ones again, or drop them.",
        subcommands: [Show.self, Retry.self, Drop.self],
        defaultSubcommand: Show.self
    )
}

extension OutboxCommand {
    /// `dialtone outbox show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show waiting and undeliverable messages and mails, why they wait, and each gateway's counts.",
            discussion: """
                Phone numbers and e-mail addresses are masked; codes and links are not shown.

                \(ReportOptions.help(Dispatchers.self, ListedMessage.self, ProjectMessageCount.self))
                """
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let settings = try settings.load()
            let authenticator = settings.authenticator(try settings.loadKeys())
            let now = authenticator.environment.now()
            let dispatchers = try authenticator.runningDispatchers()
            let pending = try Self.pending(authenticator, settings, dispatchers)
            report.print(
                Dispatchers(running: dispatchers),
                ["\(pending.count) waiting or being sent; \(dispatchers) dispatchers run"]
            )
            for listed in pending {
                let tried = listed.tried.isEmpty ? "" : ", after \(listed.tried.joined(separator: ", "))"
                report.print(listed, ["  \(listed.name) for \(listed.seconds(at: now)) s\(tried): \(listed.reason)"])
            }
            let dead = try authenticator.undeliverableMessages()
            report.printTitle("\(dead.count) undeliverable")
            for message in dead {
                let listed = ListedMessage(
                    state: "undeliverable",
                    id: message.id.text,
                    project: message.project,
                    number: message.phone?.description,
                    email: message.email?.text.maskedEmail,
                    queuedAt: message.queuedAt,
                    tried: message.tried,
                    reason: message.reason
                )
                let tried = listed.tried.isEmpty ? "" : " (\(listed.tried.joined(separator: ", ")))"
                let text = "\(listed.seconds(at: now)) s ago: \(listed.reason)\(tried), id \(listed.id)"
                report.print(listed, ["  \(listed.name) \(text)"])
            }
            for project in settings.projects {
                for (outbox, name) in [(Outbox.messages, "messages"), (.mails, "mails")] {
                    let counts = try authenticator.operation(in: project).messageCounts(outbox, days: 7)
                    for count in counts {
                        report.print(ProjectMessageCount(project: project.id, kind: name, count: count), [])
                    }
                    for line in Self.lines(counts) {
                        report.printTitle("\(project.id), \(name) of the last 7 days, \(line)")
                    }
                }
            }
        }

        private static func pending(
            _ authenticator: Authenticator,
            _ settings: Settings,
            _ dispatchers: Int
        ) throws -> [ListedMessage] {
            let now = authenticator.environment.now()
            func reason(_ waiting: WaitingMessage?, _ outbox: Outbox) -> String {
                MessageWait(waiting, in: outbox, settings, dispatchers: dispatchers, at: now).description
            }
            let messages = try authenticator.waitingMessages(in: .messages)
            let mails = try authenticator.waitingMessages(in: .mails)
            return try authenticator.pendingMessages().map { message in
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
                + authenticator.pendingMails().map { mail in
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

        /// Returns one line for each gateway, and one for events without a gateway.
        private static func lines(_ counts: [MessageCount]) -> [String] {
            Dictionary(grouping: counts) { $0.gateway ?? "" }.sorted { $0.key < $1.key }.map { gateway, counts in
                let numbers = MessageEvent.allCases.compactMap { event in
                    counts.first { $0.event == event }.map { "\($0.count) \(event.rawValue)" }
                }
                return "\(gateway.isEmpty ? "no gateway" : gateway): \(numbers.joined(separator: ", "))"
            }
        }
    }
}

private struct Dispatchers: ReportRecord {
    let running: Int

    static let type = "dispatchers"
    static var members: ReportMembers<Self> { ["running": { $0.running }] }
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
}

extension OutboxCommand {
    /// The messages that a command is about.
    struct Choice: ParsableArguments {
        @Argument(help: "The id of an undeliverable message or mail, as dialtone outbox shows it.") var message: String?
        @Flag(help: "All undeliverable messages and mails of the project.") var all = false

        func validate() throws {
            guard all == (message == nil) else { throw ValidationError("give the id of a message, or --all") }
        }
    }

    /// `dialtone outbox retry`.
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send undeliverable messages and mails again, through all gateways of their routes.",
            discussion: "A message whose code was used or has expired, and a mail whose link has, stay in the list."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var choice: Choice

        func run() throws {
            let operation = try options.open()
            let outcomes = try operation.requeueUndeliverable(choice.message)
            let late = outcomes.count { $0 == .over }
            printLine("\(outcomes.count { $0 == .requeued }) queued again")
            if late > 0 { printLine("\(late) too late: the code or link was used or has expired") }
        }
    }

    /// `dialtone outbox drop`.
    struct Drop: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove undeliverable messages and mails from the list."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var choice: Choice
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            let operation = try options.open()
            try confirmation.ask(
                "Drop \(choice.message ?? "all undeliverable messages and mails of \(operation.project.id)")?"
            )
            printLine("\(try operation.dropUndeliverable(choice.message)) dropped")
        }
    }
}

/// Why a message is still in the outbox, in one line.
struct MessageWait: CustomStringConvertible {
    let description: String

    init(
        _ waiting: WaitingMessage?,
        in outbox: Outbox,
        _ settings: Settings,
        dispatchers: Int,
        at now: Instant
    ) {
        let gateways = settings.gateways
        guard outbox == .mails ? !gateways.mailGateways.isEmpty : gateways.routes != nil else {
            let setting: PartialKeyPath<DeploymentValues> = outbox == .mails ? \.mailGateways : \.gateways
            description = "no gateway is configured: set \(DeploymentValues.name(of: setting))"
            return
        }
        let answer = waiting?.lastAnswer.map { "; last answer of \($0)" } ?? ""
        guard dispatchers > 0 else {
            description = "no dispatcher runs: systemctl start dialtone-dispatcher\(answer)"
            return
        }
        guard let waiting else {
            description = "being sent"
            return
        }
        let left = max(0, waiting.dueAt - now.milliseconds)
        let wait =
            left > 0
            ? "next attempt in \((left + 999) / 1000) s"
            : "waits for room at \(waiting.destinations.joined(separator: " or ")), busy or with an open circuit breaker"
        description = wait + answer
    }
}
