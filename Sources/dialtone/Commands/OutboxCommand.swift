import ArgumentParser
import PhoneAuth
import Reports

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

                \(ReportOptions.help(Authenticator.outboxRecords))
                """
        )

        @OptionGroup var settings: SettingsOptions
        @OptionGroup var report: ReportOptions

        func run() throws {
            let settings = try settings.load()
            let authenticator = settings.authenticator(try settings.loadKeys())
            // Of each project, all undeliverable ones, which are about a thousand at most.
            let (projects, unset) = (settings.projects, settings.unsetGateways)
            report.print(try authenticator.outboxReport(of: projects, unset, atMost: 2000))
        }
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

extension Settings {
    /// The names of the settings that should name gateways, for outboxes without any.
    var unsetGateways: UnsetGateways {
        var unset: UnsetGateways = [:]
        if gateways.routes == nil { unset[.messages] = DeploymentValues.name(of: \.gateways) }
        if gateways.mailGateways.isEmpty { unset[.mails] = DeploymentValues.name(of: \.mailGateways) }
        return unset
    }
}
