import ArgumentParser
import Encodings
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
            let test = try GatewayTest(settings)
            let gateways = try settings.mailGateways(test.clients)
            guard let name = gateway ?? gateways.first?.name.text, let sender = project.mailSender else {
                throw Failure("no gateway for mails is configured: set \(DeploymentValues.name(of: \.mailGateways))")
            }
            guard let recipient = EmailAddress(address).flatMap({ MailAddress($0.text) }) else {
                throw Failure("\"\(address)\": not a valid e-mail address")
            }
            guard let from = MailAddress(sender.text) else { throw Failure("no mail can be sent from \(sender.text)") }
            let text = "This is a test mail. No link was requested."
            try test.send(through: name, of: gateways, to: address) { id in
                OutgoingMail(
                    id: id,
                    sender: (from, project.mails.senderName),
                    recipient: recipient,
                    subject: text,
                    text: text,
                    html: "<p>\(text)</p>",
                    date: .system(),
                    validFor: .seconds(600)
                )
            }
        }
    }
}
