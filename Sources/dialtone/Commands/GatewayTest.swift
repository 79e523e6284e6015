import Glibc
import SMSGateways

/// A message without a secret, which one gateway sends so that the operator sees its answer.
struct GatewayTest {
    let settings: Settings
    let clients: [GatewayName: GatewayHTTPClient]

    init(_ settings: Settings) throws {
        self.settings = settings
        clients = try settings.gatewayClients()
    }

    /// Sends a message through the gateway of this name, and explains its answer. Ends the process if it is not
    /// accepted.
    func send<Message: GatewayMessage>(
        through name: String,
        of gateways: [any Gateway<Message>],
        to recipient: String,
        _ make: (MessageID) -> Message?
    ) throws {
        guard let gateway = gateways.first(where: { $0.name.text == name }) else {
            let names = gateways.map(\.name.text).joined(separator: ", ")
            throw Failure("\"\(name)\": not one of the gateways \(names)")
        }
        let random = String(UInt64.random(in: .min ... .max), radix: 16)
        guard let message = MessageID("test-\(random)").flatMap(make) else {
            throw Failure("no message can be sent to \(recipient)")
        }
        let outcome = waitFor {
            let outcome = await gateway.send(message)
            for client in clients.values { await client.shutDown() }
            return outcome
        }
        if case .accepted(let gatewayID) = outcome {
            let own = gatewayID.map { ", under the id \($0.text)" } ?? ""
            return printLine("\(name) accepted the message to \(recipient)\(own)")
        }
        printLine("\(name), message to \(recipient): \(outcome)")
        printLine("        → \(outcome.remedy(prefix: SettingName.gateway(name)))")
        Glibc.exit(1)
    }
}

extension GatewayOutcome {
    /// What an operator can do about an outcome of the gateway whose settings have this prefix.
    func remedy(prefix: String) -> String {
        switch self {
        case .accepted: "nothing"
        case .refused: "try another number; the gateway's documentation explains its code"
        case .misconfigured(let fault):
            switch fault.kind {
            case .credentialsRefused: "correct \(prefix)ACCOUNT and \(prefix)SECRET"
            case .accountNotEnabled, .noCredit: "see the account in the gateway's console"
            case .senderNotAllowed: "correct \(prefix)SENDER, or register it with the gateway"
            case .addressUnknown, .redirected: "correct \(prefix)URL, \(prefix)FILE or \(prefix)ACCOUNT"
            case .receiptAddressRefused: "correct \(DeploymentValues.name(of: \.receiptURL))"
            case .requestRefused: "the gateway's documentation explains its code"
            }
        case .retry(_, let trouble), .uncertain(let trouble):
            switch trouble.kind {
            case .nameNotResolved: "check the host in \(prefix)URL, and this machine's name server"
            case .unreachable, .timedOut, .connectionLost: "check \(prefix)URL, the firewall and the proxy"
            case .untrustedServer, .tlsRefused:
                "check the host in \(prefix)URL and \(DeploymentValues.name(of: \.gatewayTrustFile))"
            case .throttled, .serverError, .malformedAnswer, .cancelled: "try again; then ask the gateway's support"
            }
        }
    }
}
