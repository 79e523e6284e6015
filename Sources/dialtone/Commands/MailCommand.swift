import ArgumentParser
import Encodings
import Glibc
import MailGateways
import MessageTexts
import PhoneAuth
import SMSGateways

/// `dialtone mail`.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Test the gateways for mails.",
        subcommands: [Test.self]
    )

    /// `dialtone mail test`.
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send one mail without a link through one gateway, and explain the gateway's answer.",
            discussion: "The mail counts in no rate limit."
        )

        @OptionGroup var settings: SettingsOptions
        @Argument(help: "The recipient's address.") var address: String
        @Option(help: "The gateway's name in the settings. Default: the first one.") var gateway: String?
        @Option(help: "The project whose mails it is like.") var project: String?

        func run() throws {
            let settings = try settings.load()
            let project = try settings.project(project)
            let clients = try settings.gatewayClients()
            let gateways = try settings.mailGateways(clients)
            guard let name = gateway ?? gateways.first?.name.text, let sender = project.mailSender else {
                throw Failure("no gateway for mails is configured: set \(DeploymentValues.name(of: \.mailGateways))")
            }
            guard let chosen = gateways.first(where: { $0.name.text == name }) else {
                let names = gateways.map(\.name.text).joined(separator: ", ")
                throw Failure("\"\(name)\": not one of the gateways \(names)")
            }
            guard let recipient = EmailAddress(address).flatMap({ MailAddress($0.text) }) else {
                throw Failure("\"\(address)\": not a valid e-mail address")
            }
            let random = String(UInt64.random(in: .min ... .max), radix: 16)
            guard let id = MessageID("test-\(random)"), let from = MailAddress(sender.text) else {
                throw Failure("no mail can be sent from \(sender.text)")
            }
            let text = "This is a test mail. No link was requested."
            let mail = OutgoingMail(
                id: id,
                sender: (from, project.mails.senderName),
                recipient: recipient,
                subject: text,
                text: text,
                html: "<p>\(text)</p>",
                date: .system(),
                validFor: .seconds(600)
            )
            let outcome = waitFor {
                let outcome = await chosen.send(mail)
                for client in clients.values { await client.shutDown() }
                return outcome
            }
            if case .accepted = outcome { return printLine("\(name) accepted the mail") }
            printLine("\(name): \(outcome)")
            printLine("        → \(outcome.remedy(prefix: SettingName.gateway(name)))")
            Glibc.exit(1)
        }
    }
}
