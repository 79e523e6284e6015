internal import Encodings
internal import Logging
internal import MessageTexts
internal import PhoneAuth
internal import PhoneNumbers
internal import SMSGateways

/// The outbox work that sends text messages through the operator's gateways. The first gateway of a number's route that
/// accepts a message sends it.
struct TextMessages: OutboxWork {
    /// The final outcome of a message, and the gateways that refused it before.
    struct Result: Sendable {
        let result: MessageResult
        let refusedBy: [GatewayName]
    }

    let name = "messages"
    let routes: MessageRoutes
    let projects: [String: Project]
    let environment: Environment
    let logger: Logger
    private let calls: GatewayCalls

    init(routes: MessageRoutes, projects: [Project], environment: Environment, logger: Logger) {
        self.routes = routes
        calls = GatewayCalls(routes.gateways.keys)
        self.projects = Dictionary(projects.map { ($0.id, $0) }) { first, _ in first }
        self.environment = environment
        self.logger = logger
    }

    /// The permission to call the first gateway that has room.
    struct Reservation: Sendable {
        let sending: MessageSending
        /// Nil for a message that is not passed to a gateway.
        let permit: GatewayCalls.Permit?
    }

    /// Admits a message to the first gateway of its route whose circuit breaker is closed. If that gateway is busy, the
    /// message waits for a while before the next gateway may take it.
    func admit(_ message: PendingMessage) -> Admission<Reservation> {
        let sending = MessageSending(message, routes: routes)
        let gateways = sending.gateways
        let now = environment.now()
        guard now < message.expiresAt, !gateways.isEmpty else {
            return .admitted(Reservation(sending: sending, permit: nil))
        }
        for gateway in gateways {
            switch calls.enter(gateway.name) {
            case .permitted(let permit): return .admitted(Reservation(sending: sending, permit: permit))
            case .breakerOpen: continue
            case .full where now < message.queuedAt + MessageSending.patience:
                return .postponed(sending.waitForRoom(at: gateway.name))
            case .full: continue
            }
        }
        return .postponed(sending.waitForRoom())
    }

    func room() -> [String: DestinationRoom] {
        calls.showBreakers()
        return calls.room()
    }

    func carryOut(
        _ message: PendingMessage,
        _ reservation: Reservation,
        _ outbox: OutboxConnection<PendingMessage>
    ) async -> AttemptOutcome<Result> {
        var sending = reservation.sending
        var permit = reservation.permit
        defer { if let permit { calls.release(permit) } }
        while environment.now() < message.expiresAt {
            switch await isWaitedFor(message, outbox) {
            case nil: return .postponed(sending.fail(at: environment.now()))
            case false?: return .over(end(sending, .ended, "its session has ended"))
            case true?: break
            }
            guard let outgoing = outgoing(message) else {
                return .over(
                    end(sending, .dead(reason: "the project is not configured"), "the project is not configured")
                )
            }
            switch await attempt(&sending, outgoing.message, &permit) {
            case .accepted(let gateway, let id):
                let result = MessageResult.accepted(
                    gateway: gateway.text,
                    gatewayID: id?.text,
                    receiptWithin: routes.receiptTimes[gateway],
                    segments: outgoing.segments
                )
                return .over(Result(result: result, refusedBy: sending.refusedBy))
            case .exhausted(let reason): return .over(end(sending, .dead(reason: reason), "given up: \(reason)"))
            case .refused: continue
            case .noRoom: return .postponed(sending.waitForRoom())
            case .later(let retryAfter):
                return .postponed(sending.fail(retryAfter: retryAfter, at: environment.now()))
            }
        }
        return .over(end(sending, .ended, "not sent in time"))
    }

    func finish(_ message: PendingMessage, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable) {
        try authenticator.finish(message, result.result, refusedBy: result.refusedBy.map(\.text))
    }

    func runMaintenance(_ authenticator: Authenticator) throws(StoreUnavailable) {
        let count = try authenticator.followUpMissingReceipts()
        guard count > 0 else { return }
        logger.warning("delivery receipts are missing", metadata: ["messages": .stringConvertible(count)])
    }

    // MARK: One attempt

    private enum Attempt {
        case accepted(GatewayName, GatewayMessageID?)
        /// One gateway refused the message; the next may accept it.
        case refused
        case later(Duration?)
        /// No gateway could be called.
        case noRoom
        case exhausted(reason: String)
    }

    /// Calls one gateway after another, until a response is anything but a transient error.
    private func attempt(
        _ sending: inout MessageSending,
        _ outgoing: OutgoingMessage,
        _ reserved: inout GatewayCalls.Permit?
    ) async -> Attempt {
        let gateways = sending.gateways
        guard !gateways.isEmpty else { return .exhausted(reason: sending.lastRefusal) }
        var retryAfter: Duration?
        var wasAsked = false
        for gateway in gateways {
            let permit: GatewayCalls.Permit
            if let own = reserved, own.gateway == gateway.name {
                permit = own
                reserved = nil
            } else if case .permitted(let new) = calls.enter(gateway.name) {
                permit = new
            } else {
                continue
            }
            let outcome = await calls.call(gateway, with: outgoing, permit)
            wasAsked = true
            log(sending.message, gateway.name, outcome)
            sending.note(gateway.name, outcome)
            switch outcome {
            case .accepted(let id): return .accepted(gateway.name, id.flatMap { $0.names(outgoing) ? nil : $0 })
            case .refused(let refusal):
                sending.refuse(gateway.name, "\(refusal)")
                return .refused
            case .misconfigured(let fault):
                sending.refuse(gateway.name, "\(fault)")
                return .refused
            case .uncertain:
                // Calling another gateway now could send a second message.
                sending.doubt(gateway.name)
                return .later(nil)
            case .retry(let after, _):
                retryAfter = min(after ?? .zero, retryAfter ?? after ?? .zero)
            }
        }
        return wasAsked ? .later(retryAfter) : .noRoom
    }

    /// Returns whether the message is still needed; nil if the store is unavailable.
    private func isWaitedFor(_ message: PendingMessage, _ outbox: OutboxConnection<PendingMessage>) async -> Bool? {
        do {
            return try await outbox.run { authenticator throws(StoreUnavailable) in
                try authenticator.isWaitedFor(message)
            }
        } catch {
            log(message, nil, .warning, "postponed: \(error)")
            return nil
        }
    }

    private func outgoing(_ message: PendingMessage) -> (message: OutgoingMessage, segments: Int)? {
        guard let project = projects[message.project], let id = MessageID(message.id.text) else { return nil }
        let text = message.text(in: project)
        let outgoing = OutgoingMessage(
            id: id,
            phoneNumber: message.phone.text,
            text: text.text,
            needsUnicode: text.size.encoding == .ucs2,
            validFor: message.expiresAt - environment.now()
        )
        return outgoing.map { ($0, text.size.segments) }
    }

    // MARK: The log

    private func end(_ sending: MessageSending, _ result: MessageResult, _ outcome: String) -> Result {
        log(sending.message, nil, result == .ended ? .info : .error, outcome)
        return Result(result: result, refusedBy: sending.refusedBy)
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

    /// Logs an outcome. The text and the full number must not be logged.
    private func log(_ message: PendingMessage, _ gateway: GatewayName?, _ level: Logger.Level, _ outcome: String) {
        var metadata: Logger.Metadata = [
            "messageId": "\(message.id.text)", "project": "\(message.project)", "number": "\(message.phone)",
            "outcome": "\(outcome)", "region": "\(message.phone.effectiveRegion)",
        ]
        if let gateway { metadata["gateway"] = "\(gateway)" }
        logger.log(level: level, "message", metadata: metadata)
    }
}

extension GatewayMessageID {
    /// Returns whether the id contains the end of the recipient's number, with or without separators. Such an id is not
    /// stored, because numbers are stored only sealed.
    fileprivate func names(_ message: OutgoingMessage) -> Bool {
        text.filter(\.isNumber).contains(message.phoneNumber.suffix(6))
    }
}
