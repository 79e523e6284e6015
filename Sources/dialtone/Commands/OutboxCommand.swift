import ArgumentParser
import Encodings
import PhoneAuth

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
            discussion: "Phone numbers are masked; codes are not shown."
        )

        @OptionGroup var settings: SettingsOptions

        func run() throws {
            let settings = try settings.load()
            let authenticator = settings.authenticator(try settings.loadKeys())
            let now = authenticator.environment.now()
            let pending = try authenticator.pendingMessages()
            let dispatchers = try authenticator.runningDispatchers()
            let waiting = try authenticator.waitingMessages()
            printLine("\(pending.count) waiting or being sent; \(dispatchers) dispatchers run")
            for message in pending {
                let tried = message.tried.isEmpty ? "" : ", after \(message.tried.joined(separator: ", "))"
                let age = Self.seconds(now - message.queuedAt)
                let reason = MessageWait(waiting[message.id], dispatchers: dispatchers, at: now)
                printLine("  \(message.project) \(message.phone) for \(age) s\(tried): \(reason)")
            }
            let dead = try authenticator.undeliverableMessages()
            printLine("\(dead.count) undeliverable")
            for message in dead {
                let number = message.phone.map { "\($0)" } ?? "a number that cannot be decrypted"
                let tried = message.tried.isEmpty ? "" : " (\(message.tried.joined(separator: ", ")))"
                printLine(
                    "  \(message.project) \(number) \(Self.seconds(now - message.queuedAt)) s ago: "
                        + "\(message.reason)\(tried), id \(message.id.text)"
                )
            }
            for project in settings.projects {
                for line in Self.lines(try authenticator.operation(in: project).messageCounts(days: 7)) {
                    printLine("\(project.id), last 7 days, \(line)")
                }
            }
        }

        private static func seconds(_ duration: Duration) -> Int64 { max(0, duration.components.seconds) }

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

    init(_ waiting: WaitingMessage?, dispatchers: Int, at now: Instant) {
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
