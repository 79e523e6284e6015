import ArgumentParser
import Encodings
import PhoneAuth
import PhoneNumbers

/// `dialtone outbox`.
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show waiting and undeliverable text messages; send undeliverable ones again, or drop them.",
        subcommands: [Show.self, Retry.self, Drop.self],
        defaultSubcommand: Show.self
    )
}

extension OutboxCommand {
    /// `dialtone outbox show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show waiting and undeliverable messages, why they wait, and each gateway's counts.",
            discussion: """
                Phone numbers are masked; codes are not shown.

                \(ReportOptions.help(Dispatchers.self, ListedMessage.self, ProjectMessageCount.self))
                """
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let settings = try settings.load()
            let authenticator = settings.authenticator(try settings.loadKeys())
            let now = authenticator.environment.now()
            let pending = try authenticator.pendingMessages()
            let dispatchers = try authenticator.runningDispatchers()
            let waiting = try authenticator.waitingMessages()
            report.print(
                Dispatchers(running: dispatchers),
                ["\(pending.count) waiting or being sent; \(dispatchers) dispatchers run"]
            )
            for message in pending {
                let listed = ListedMessage(
                    state: "waiting",
                    id: message.id.text,
                    project: message.project,
                    number: message.phone.description,
                    queuedAt: message.queuedAt,
                    tried: message.tried,
                    reason: MessageWait(waiting[message.id], settings, dispatchers: dispatchers, at: now).description
                )
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
                    queuedAt: message.queuedAt,
                    tried: message.tried,
                    reason: message.reason
                )
                let tried = listed.tried.isEmpty ? "" : " (\(listed.tried.joined(separator: ", ")))"
                let text = "\(listed.seconds(at: now)) s ago: \(listed.reason)\(tried), id \(listed.id)"
                report.print(listed, ["  \(listed.name) \(text)"])
            }
            for project in settings.projects {
                let counts = try authenticator.operation(in: project).messageCounts(days: 7)
                for count in counts { report.print(ProjectMessageCount(project: project.id, count: count), []) }
                for line in Self.lines(counts) { report.printTitle("\(project.id), last 7 days, \(line)") }
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

/// A message that waits or is undeliverable.
private struct ListedMessage: ReportRecord {
    let state: String
    let id: String
    let project: String
    /// Nil if no data key opens the number.
    let number: String?
    let queuedAt: Instant
    let tried: [String]
    let reason: String

    static let type = "message"
    static var members: ReportMembers<Self> {
        [
            "state": { $0.state }, "id": { $0.id }, "project": { $0.project }, "number": { $0.number },
            "queuedAt": { $0.queuedAt }, "tried": { $0.tried }, "reason": { $0.reason },
        ]
    }

    var name: String { "\(project) \(number ?? "a number that cannot be decrypted")" }

    func seconds(at now: Instant) -> Int64 { max(0, (now - queuedAt).components.seconds) }
}

private struct ProjectMessageCount: ReportRecord {
    let project: String
    let count: MessageCount

    static let type = "count"
    static var members: ReportMembers<Self> {
        [
            "project": { $0.project }, "gateway": { $0.count.gateway }, "event": { $0.count.event.rawValue },
            "count": { $0.count.count },
        ]
    }
}

extension OutboxCommand {
    /// The messages that a command is about.
    struct Choice: ParsableArguments {
        @Argument(help: "The id of an undeliverable message, as dialtone outbox shows it.") var message: String?
        @Flag(help: "All undeliverable messages of the project.") var all = false

        func validate() throws {
            guard all == (message == nil) else { throw ValidationError("give the id of a message, or --all") }
        }
    }

    /// `dialtone outbox retry`.
    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send undeliverable messages again, through all gateways of their routes.",
            discussion: "A message whose code was used or has expired stays in the list."
        )

        @OptionGroup var options: ProjectOptions
        @OptionGroup var choice: Choice

        func run() throws {
            let operation = try options.open()
            let outcomes = try operation.requeueUndeliverable(choice.message)
            let late = outcomes.count { $0 == .over }
            printLine("\(outcomes.count { $0 == .requeued }) queued again")
            if late > 0 { printLine("\(late) too late: the code was used or has expired") }
        }
    }

    /// `dialtone outbox drop`.
    struct Drop: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove undeliverable messages from the list.")

        @OptionGroup var options: ProjectOptions
        @OptionGroup var choice: Choice
        @OptionGroup var confirmation: Confirmation

        func run() throws {
            let operation = try options.open()
            try confirmation.ask("Drop \(choice.message ?? "all undeliverable messages of \(operation.project.id)")?")
            printLine("\(try operation.dropUndeliverable(choice.message)) dropped")
        }
    }
}

/// Why a message is still in the outbox, in one line.
struct MessageWait: CustomStringConvertible {
    let description: String

    init(_ waiting: WaitingMessage?, _ settings: Settings, dispatchers: Int, at now: Instant) {
        guard settings.gateways.routes != nil else {
            description = "no gateway is configured: set \(DeploymentValues.name(of: \.gateways))"
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
