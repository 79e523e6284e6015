import ArgumentParser
import Glibc
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
            let phone: E164
            do {
                phone = try settings.phoneNumbers.parse(number)
            } catch {
                throw Failure("\"\(number)\": not a phone number in E.164 form, such as +16505550100")
            }
            let route = settings.gateways.routes?.gateways(for: phone.text, region: "\(phone.effectiveRegion)") ?? []
            let clients = try settings.gatewayClients()
            let gateways = try settings.smsGateways(clients)
            guard let name = gateway ?? route.first?.text else { throw Failure("no gateway serves \(phone)") }
            guard let chosen = gateways.first(where: { $0.name.text == name }) else {
                let names = gateways.map(\.name.text).joined(separator: ", ")
                throw Failure("\"\(name)\": not one of the gateways \(names)")
            }
            let random = String(UInt64.random(in: .min ... .max), radix: 16)
            guard let id = MessageID("test-\(random)"),
                let message = OutgoingMessage(
                    id: id,
                    phoneNumber: phone.text,
                    text: "This is a test message. No code was requested.",
                    needsUnicode: false,
                    validFor: .seconds(600)
                )
            else { throw Failure("no message can be sent to \(phone)") }
            let outcome = waitFor {
                let outcome = await chosen.send(message)
                for client in clients.values { await client.shutDown() }
                return outcome
            }
            if case .accepted(let gatewayID) = outcome {
                let own = gatewayID.map { ", under the id \($0.text)" } ?? ""
                return printLine("\(name) accepted the message to \(phone)\(own)")
            }
            printLine("\(name), message to \(phone): \(outcome)")
            printLine("        → \(outcome.remedy(prefix: SettingName.gateway(name)))")
            Glibc.exit(1)
        }
    }
}
