internal import Encodings
internal import Logging
internal import MailGateways
internal import MessageTexts
internal import PhoneAuth
internal import SMSGateways

extension PendingMail: GatewayItem {
    typealias Outgoing = OutgoingMail

    /// No gateway reports deliveries of mails, so no mail is sent again.
    var tried: [String] { [] }
    static let noGateway = "no mail gateway is configured"
}

/// Mails with action links, which the first mail gateway sends, or else the next.
struct Mails: GatewayTraffic {
    let name = "mails"
    let itemName: Logger.Message = "mail"
    /// An SMTP server gets one mail after another, and a few mails wait for the connection.
    let callsPerGateway = 4
    private let route: [any MailGateway]
    private let projects: [String: Project]

    init(route: [any MailGateway], projects: [Project]) {
        self.route = route
        self.projects = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
    }

    var gateways: [GatewayName] { route.map(\.name) }

    func route(of mail: PendingMail) -> [any Gateway<OutgoingMail>] { route }

    func reasonToEnd(_ mail: PendingMail, _ authenticator: Authenticator) throws(StoreUnavailable) -> String? {
        try authenticator.isAddressed(mail) ? nil : "no account may receive it"
    }

    func outgoing(_ mail: PendingMail, at now: Instant) -> OutgoingMail? {
        guard let project = projects[mail.project], let sender = project.mailSender.flatMap({ MailAddress($0.text) }),
            let recipient = MailAddress(mail.recipient.text), let id = MessageID(mail.id.text),
            let kind = MailKind(rawValue: mail.kind.mode)
        else { return nil }
        let text = project.mails.mail(
            kind,
            link: mail.link,
            email: mail.recipient.text,
            newEmail: mail.newEmail,
            languages: LanguagePreferences([mail.locale])
        )
        return OutgoingMail(
            id: id,
            sender: (sender, project.mails.senderName),
            recipient: recipient,
            subject: text.subject,
            text: text.text,
            html: text.html,
            date: mail.queuedAt,
            validFor: mail.expiresAt - now
        )
    }

    func metadata(_ mail: PendingMail) -> Logger.Metadata { ["kind": "\(mail.kind.rawValue)"] }

    func finish(
        _ mail: PendingMail,
        _ outcome: GatewaySending<Self>.Outcome,
        refusedBy: [String],
        _ authenticator: Authenticator
    ) throws(StoreUnavailable) {
        let result: MailResult =
            switch outcome {
            case .accepted(let gateway, _): .accepted(gateway: gateway.text)
            case .ended: .unaddressed
            case .late: .late
            case .dead(let reason): .dead(reason: reason)
            }
        try authenticator.finish(mail, result, refusedBy: refusedBy)
    }

    func runMaintenance(_ authenticator: Authenticator) {}
}
