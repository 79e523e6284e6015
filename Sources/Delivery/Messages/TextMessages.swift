internal import Logging
internal import MessageTexts
internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore
internal import SMSGateways

/// Sends text messages through the operator's gateways: the first of a number's route that takes it.
struct TextMessages: OutboxWork {
    /// How the sending of a message ended, and which gateways would not have it before.
    struct Result: Sendable {
        let result: MessageResult
        let passedOnBy: [GatewayName]
    }

    let name = "messages"
    let routes: MessageRoutes
    let projects: [String: Project]
    let environment: Environment
    let logger: Logger
    private let breakers = GatewayBreakers()

    init(routes: MessageRoutes, projects: [Project], environment: Environment, logger: Logger) {
        self.routes = routes
        self.projects = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
        self.environment = environment
        self.logger = logger
    }

    func carryOut(
        _ message: PendingMessage,
        _ outbox: OutboxConnection<PendingMessage>,
        _ patience: Patience
    ) async -> Result? {
        var sending = MessageSending(message, routes: routes)
        var failures = 0
        while environment.now() < message.expiresAt {
            switch await isWaitedFor(message, outbox) {
            case false?:
                return end(sending, .ended, "its session has ended")
            case true?:
                guard let outgoing = outgoing(message) else {
                    return end(sending, .dead(reason: "the project is not configured"), "the project is not configured")
                }
                switch await attempt(&sending, outgoing) {
                case .accepted(let gateway):
                    let time = routes.receiptTimes[gateway]
                    return Result(
                        result: .accepted(gateway: gateway.text, receiptWithin: time),
                        passedOnBy: sending.refusedBy
                    )
                case .noneLeft(let reason): return end(sending, .dead(reason: reason), "given up: \(reason)")
                case .refused: continue
                case .later(let retryAfter):
                    failures += 1
                    let delay = patience.delay(afterFailures: failures, retryAfter: retryAfter)
                    guard await patience.pause(min(delay, message.expiresAt - environment.now())) else { return nil }
                }
            case nil:
                failures += 1
                guard await patience.pause(patience.delay(afterFailures: failures)) else { return nil }
            }
        }
        return end(sending, .ended, "its time was up")
    }

    func finish(_ message: PendingMessage, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable) {
        try authenticator.finish(message, result.result, passedOnBy: result.passedOnBy.map(\.text))
    }

    func lookAfter(_ authenticator: Authenticator) throws(StoreUnavailable) {
        let count = try authenticator.followUpMissingReceipts()
        if count > 0 { logger.warning("receipts", metadata: ["missing": .stringConvertible(count)]) }
    }

    // MARK: One try

    private enum Attempt {
        case accepted(GatewayName)
        /// One gateway would not have it; the next may.
        case refused
        case later(Duration?)
        case noneLeft(reason: String)
    }

    /// Asks one gateway after the other until one does not just say that it cannot now.
    private func attempt(_ sending: inout MessageSending, _ outgoing: OutgoingMessage) async -> Attempt {
        let gateways = sending.gateways
        guard !gateways.isEmpty else { return .noneLeft(reason: sending.lastRefusal) }
        var retryAfter: Duration?
        for gateway in gateways {
            guard let outcome = await breakers.call(gateway, with: outgoing) else { continue }
            log(sending.message, gateway.name, outcome)
            switch outcome {
            case .accepted: return .accepted(gateway.name)
            case .refused(let refusal):
                sending.refuse(gateway.name, "\(refusal)")
                return .refused
            case .misconfigured(let fault):
                sending.refuse(gateway.name, "\(fault)")
                return .refused
            case .uncertain:
                // Another gateway now could be a second message.
                sending.doubt(gateway.name)
                return .later(nil)
            case .retry(let after, _):
                retryAfter = min(after ?? .zero, retryAfter ?? after ?? .zero)
            }
        }
        return .later(retryAfter)
    }

    /// nil where the store does not say.
    private func isWaitedFor(_ message: PendingMessage, _ outbox: OutboxConnection<PendingMessage>) async -> Bool? {
        try? await outbox.run { authenticator throws(StoreUnavailable) in try authenticator.isWaitedFor(message) }
    }

    private func outgoing(_ message: PendingMessage) -> OutgoingMessage? {
        guard let project = projects[message.project], let id = MessageID(message.id.text) else { return nil }
        let text = message.text(in: project)
        return OutgoingMessage(
            id: id,
            phoneNumber: message.phone.text,
            text: text.text,
            needsUnicode: text.size.encoding == .ucs2,
            validFor: message.expiresAt - environment.now()
        )
    }

    // MARK: The log

    private func end(_ sending: MessageSending, _ result: MessageResult, _ outcome: String) -> Result {
        log(sending.message, nil, result == .ended ? .info : .error, outcome)
        return Result(result: result, passedOnBy: sending.refusedBy)
    }

    private func log(_ message: PendingMessage, _ gateway: GatewayName, _ outcome: GatewayOutcome) {
        let level: Logger.Level =
            switch outcome {
            case .accepted: .info
            case .refused, .retry, .uncertain: .warning
            case .misconfigured: .error
            }
        log(message, gateway, level, "\(outcome)")
    }

    /// Neither the text nor the whole number belong in a log.
    private func log(_ message: PendingMessage, _ gateway: GatewayName?, _ level: Logger.Level, _ outcome: String) {
        var metadata: Logger.Metadata = [
            "message": "\(message.id.text)", "project": "\(message.project)", "number": "\(message.phone)",
            "outcome": "\(outcome)",
        ]
        if let region = message.phone.region { metadata["region"] = "\(region)" }
        if let gateway { metadata["gateway"] = "\(gateway)" }
        logger.log(level: level, "message", metadata: metadata)
    }
}
