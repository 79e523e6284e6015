internal import Encodings
internal import Logging
internal import MessageTexts
internal import PhoneAuth
internal import PhoneNumbers
internal import SMSGateways

extension PendingMessage: GatewayItem {
    typealias Outgoing = OutgoingMessage

    static let noGateway = "the number has no gateway"
}

/// Text messages, each of which the gateways of its number's route may send.
struct TextMessages: GatewayTraffic {
    let name = "messages"
    let itemName: Logger.Message = "message"
    let callsPerGateway = 64
    private let routes: MessageRoutes
    private let projects: [String: Project]
    private let logger: Logger

    init(routes: MessageRoutes, projects: [Project], logger: Logger) {
        self.routes = routes
        self.projects = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
        self.logger = logger
    }

    var gateways: [GatewayName] { Array(routes.gateways.keys) }

    func route(of message: PendingMessage) -> [any Gateway<OutgoingMessage>] { routes.gateways(for: message) }

    func reasonToEnd(_ message: PendingMessage, _ authenticator: Authenticator) throws(StoreUnavailable) -> String? {
        try authenticator.isWaitedFor(message) ? nil : "its session has ended"
    }

    func outgoing(_ message: PendingMessage, at now: Instant) -> OutgoingMessage? {
        guard let project = projects[message.project], let id = MessageID(message.id.text) else { return nil }
        let text = message.text(in: project)
        return OutgoingMessage(
            id: id,
            phoneNumber: message.phone.text,
            text: text.text,
            needsUnicode: text.size.encoding == .ucs2,
            validFor: message.expiresAt - now,
            code: message.digits,
            locale: text.language.description,
            speech: message.speech(in: project)
        )
    }

    private func text(of message: PendingMessage) -> MessageText? {
        projects[message.project].map { message.text(in: $0) }
    }

    func metadata(_ message: PendingMessage) -> Logger.Metadata {
        ["number": "\(message.phone)", "region": "\(message.phone.effectiveRegion)"]
    }

    func finish(
        _ message: PendingMessage,
        _ outcome: GatewaySending<Self>.Outcome,
        refusedBy: [String],
        _ authenticator: Authenticator
    ) throws(StoreUnavailable) {
        let result: MessageResult =
            switch outcome {
            case .accepted(let gateway, let id):
                .accepted(
                    gateway: gateway.text,
                    gatewayID: id.flatMap { $0.names(message.phone) ? nil : $0.text },
                    receiptWithin: routes.receiptTimes[gateway],
                    segments: text(of: message)?.size.segments ?? 1
                )
            case .ended, .late: .ended
            case .dead(let reason): .dead(reason: reason)
            }
        try authenticator.finish(message, result, refusedBy: refusedBy)
    }

    func runMaintenance(_ authenticator: Authenticator) throws(StoreUnavailable) {
        let count = try authenticator.followUpMissingReceipts()
        guard count > 0 else { return }
        logger.warning("delivery receipts are missing", metadata: ["messages": .stringConvertible(count)])
    }
}

extension GatewayMessageID {
    /// Returns whether the id contains the end of the recipient's number, with or without separators. Such an id is not
    /// stored, because numbers are stored only sealed.
    fileprivate func names(_ phone: E164) -> Bool { text.filter(\.isNumber).contains(phone.text.suffix(6)) }
}
