internal import Encodings
internal import Logging
internal import PhoneAuth
internal import SMSGateways

/// The outbox work that sends items through the operator's gateways. The first gateway of an item's route that accepts
/// the item sends it.
struct GatewaySending<Traffic: GatewayTraffic>: OutboxWork {
    typealias Content = Traffic.Item

    /// The final outcome of an item.
    enum Outcome: Equatable {
        case accepted(GatewayName, GatewayMessageID?)
        /// No one needs the item any longer.
        case ended
        /// The item expired before a gateway accepted it.
        case late
        case dead(reason: String)
    }

    /// The final outcome of an item, and the gateways that refused it before.
    struct Result: Sendable {
        let outcome: Outcome
        let refusedBy: [GatewayName]
    }

    private let traffic: Traffic
    private let environment: Environment
    private let logger: Logger
    private let calls: GatewayCalls

    var name: String { traffic.name }

    init(_ traffic: Traffic, environment: Environment, logger: Logger) {
        self.traffic = traffic
        self.environment = environment
        self.logger = logger
        calls = GatewayCalls(traffic.gateways, most: traffic.callsPerGateway)
    }

    /// The permission to call the first gateway that has room.
    struct Reservation: Sendable {
        let sending: GatewayHistory<Content>
        /// Nil for an item that is not passed to a gateway.
        let permit: GatewayCalls.Permit?
    }

    /// Admits an item to the first gateway of its route whose circuit breaker is closed. If that gateway is busy, the
    /// item waits for a while before the next gateway may take it.
    func admit(_ item: Content) -> Admission<Reservation> {
        let sending = GatewayHistory(item, route: traffic.route(of: item))
        let gateways = sending.gateways
        let now = environment.now()
        guard now < item.expiresAt, !gateways.isEmpty else {
            return .admitted(Reservation(sending: sending, permit: nil))
        }
        for gateway in gateways {
            switch calls.enter(gateway.name) {
            case .permitted(let permit): return .admitted(Reservation(sending: sending, permit: permit))
            case .breakerOpen: continue
            case .full where now < item.queuedAt + GatewayHistory<Content>.patience:
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
        _ item: Content,
        _ reservation: Reservation,
        _ outbox: OutboxConnection<Content>
    ) async -> AttemptOutcome<Result> {
        var sending = reservation.sending
        var permit = reservation.permit
        defer { if let permit { calls.release(permit) } }
        while environment.now() < item.expiresAt {
            do throws(StoreUnavailable) {
                let reason = try await outbox.run { [traffic] authenticator throws(StoreUnavailable) in
                    try traffic.reasonToEnd(item, authenticator)
                }
                if let reason { return .over(end(sending, .ended, reason)) }
            } catch {
                log(item, nil, .warning, "postponed: \(error)")
                return .postponed(sending.fail(at: environment.now()))
            }
            guard let outgoing = traffic.outgoing(item, at: environment.now()) else {
                let reason = "the project is not configured"
                return .over(end(sending, .dead(reason: reason), reason))
            }
            switch await attempt(&sending, outgoing, &permit) {
            case .accepted(let gateway, let id):
                return .over(Result(outcome: .accepted(gateway, id), refusedBy: sending.refusedBy))
            case .exhausted(let reason): return .over(end(sending, .dead(reason: reason), "given up: \(reason)"))
            case .refused: continue
            case .noRoom: return .postponed(sending.waitForRoom())
            case .later(let retryAfter):
                return .postponed(sending.fail(retryAfter: retryAfter, at: environment.now()))
            }
        }
        return .over(end(sending, .late, "not sent in time"))
    }

    func finish(_ item: Content, _ result: Result, _ authenticator: Authenticator) throws(StoreUnavailable) {
        try traffic.finish(item, result.outcome, refusedBy: result.refusedBy.map(\.text), authenticator)
    }

    func runMaintenance(_ authenticator: Authenticator) throws(StoreUnavailable) {
        try traffic.runMaintenance(authenticator)
    }

    // MARK: One attempt

    private enum Attempt {
        case accepted(GatewayName, GatewayMessageID?)
        /// One gateway refused the item; the next may accept it.
        case refused
        case later(Duration?)
        /// No gateway could be called.
        case noRoom
        case exhausted(reason: String)
    }

    /// Calls one gateway after another, until a response is anything but a transient error.
    private func attempt(
        _ sending: inout GatewayHistory<Content>,
        _ outgoing: Content.Outgoing,
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
            log(sending.content, gateway.name, outcome)
            sending.note(gateway.name, outcome)
            switch outcome {
            case .accepted(let id): return .accepted(gateway.name, id)
            case .refused(let refusal):
                sending.refuse(gateway.name, "\(refusal)")
                return .refused
            case .misconfigured(let fault):
                sending.refuse(gateway.name, "\(fault)")
                return .refused
            case .uncertain(let trouble) where trouble.kind == .malformedAnswer:
                // It has answered, and might send the item again each time it is called.
                sending.refuse(gateway.name, "\(outcome)")
                return .refused
            case .uncertain:
                // Calling another gateway now could send the item twice.
                sending.doubt(gateway.name)
                return .later(nil)
            case .retry(let after, _):
                retryAfter = min(after ?? .zero, retryAfter ?? after ?? .zero)
            }
        }
        return wasAsked ? .later(retryAfter) : .noRoom
    }

    // MARK: The log

    private func end(_ sending: GatewayHistory<Content>, _ outcome: Outcome, _ text: String) -> Result {
        log(sending.content, nil, outcome == .ended || outcome == .late ? .info : .error, text)
        return Result(outcome: outcome, refusedBy: sending.refusedBy)
    }

    private func log(_ item: Content, _ gateway: GatewayName, _ outcome: GatewayOutcome) {
        let level: Logger.Level =
            switch outcome {
            case .accepted: .info
            case .refused, .retry, .uncertain: .warning
            case .misconfigured: .error
            }
        log(item, gateway, level, "\(outcome)")
    }

    /// Logs an outcome. The text, the full number or the address must not be logged.
    private func log(_ item: Content, _ gateway: GatewayName?, _ level: Logger.Level, _ outcome: String) {
        var metadata = traffic.metadata(item)
        metadata["messageId"] = "\(item.id.text)"
        metadata["project"] = "\(item.project)"
        metadata["outcome"] = "\(outcome)"
        if let gateway { metadata["gateway"] = "\(gateway)" }
        logger.log(level: level, traffic.itemName, metadata: metadata)
    }
}
