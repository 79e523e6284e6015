import ArgumentParser
import PhoneAuth
import PhoneNumbers
import SMSGateways

extension SMSCommand {
    /// `dialtone sms test`.
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send one text message without a code through one gateway, and explain the gateway's answer.",
            discussion: """
                The message costs as much as any other. It counts in no rate limit and no report, and a delivery \
                receipt for it is ignored.
                """
        )

        @OptionGroup var settings: SettingsOptions
        @Argument(help: "The recipient's number in E.164 form, such as +16505550100.") var number: String
        @Option(help: "The gateway's name in the settings. Default: the first one of the number's route.") var gateway:
            String?

        func run() throws {
            let settings = try settings.load()
            let phone = try Failure.wrapping(settings.phoneNumbers.parse(number)) { (_: PhoneNumberError) in
                "\"\(number)\": not a phone number in E.164 form, such as +16505550100"
            }
            let route = settings.gateways.routes?.gateways(for: phone.text, region: "\(phone.effectiveRegion)") ?? []
            let test = try GatewayTest(settings)
            let text = "This is a test message. No code was requested."
            guard let name = gateway ?? route.first?.text else { throw Failure("no gateway serves \(phone)") }
            try test.send(through: name, of: settings.smsGateways(test.clients), to: "\(phone)") { id in
                OutgoingMessage(
                    id: id,
                    phoneNumber: phone.text,
                    text: text,
                    needsUnicode: false,
                    validFor: .seconds(600),
                    code: "000000",
                    locale: "en",
                    speech: (text, "en-US")
                )
            }
        }
    }
}
