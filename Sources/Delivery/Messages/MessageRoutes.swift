internal import PhoneAuth
internal import PhoneNumbers
internal import RedisStore
public import SMSGateways
internal import Synchronization

/// The operator's gateways, and which of them sends to which numbers.
public struct MessageRoutes: Sendable {
    let gateways: [GatewayName: any SMSGateway]
    let routes: GatewayRoutes
    /// For gateways that report deliveries: how long to wait for a report.
    let receiptTimes: [GatewayName: Duration]

    /// Puts them together.
    ///
    /// - Parameters:
    ///   - gateways: all that routes name.
    ///   - routes: which of them sends to which numbers, in which order.
    ///   - receiptTimes: for gateways that report deliveries, after how long without a report the next gateway gets the message.
    public init(gateways: [any SMSGateway], routes: GatewayRoutes, receiptTimes: [GatewayName: Duration]) {
        self.gateways = Dictionary(gateways.map { ($0.name, $0) }) { first, _ in first }
        self.routes = routes
        self.receiptTimes = receiptTimes
    }

    /// The gateways for a message that have not had it, in their order.
    func gateways(for message: PendingMessage, besides refused: [GatewayName]) -> [any SMSGateway] {
        routes.gateways(for: message.phone.text, region: message.phone.region?.description)
            .filter { !message.tried.contains($0.text) && !refused.contains($0) }
            .compactMap { gateways[$0] }
    }
}

/// The calls of this process to its gateways: bounded for each gateway, and kept from gateways whose circuit breaker is
/// open.
final class GatewayCalls: Sendable {
    /// The leave to call a gateway once. It is used for a call or given back.
    struct Permit: Sendable {
        let gateway: GatewayName
        fileprivate let breaker: GatewayBreaker.Permit
    }

    enum Entry {
        case permitted(Permit)
        /// As many calls are under way as the gateway may have.
        case full
        /// The circuit breaker is open.
        case closed
    }

    /// Enough to keep a gateway's connections busy.
    private static let callsPerGateway = 64

    private let names: [GatewayName]
    private let bulkheads: Bulkheads
    private let breakers = Mutex<[GatewayName: GatewayBreaker]>([:])

    init(_ gateways: some Sequence<GatewayName>) {
        names = Array(gateways)
        bulkheads = Bulkheads(names.map(\.text), preferred: Self.callsPerGateway)
    }

    /// Asks for leave to call a gateway.
    func enter(_ gateway: GatewayName) -> Entry {
        guard bulkheads.enter(gateway.text) else { return isClosed(gateway) ? .closed : .full }
        guard let permit = breakers.withLock({ $0[gateway, default: GatewayBreaker()].permit(at: .now) }) else {
            bulkheads.leave(gateway.text)
            return .closed
        }
        return .permitted(Permit(gateway: gateway, breaker: permit))
    }

    /// Calls a gateway.
    func call(_ gateway: any SMSGateway, with message: OutgoingMessage, _ permit: Permit) async -> GatewayOutcome {
        let start = ContinuousClock.now
        let outcome = await gateway.send(message)
        let end = ContinuousClock.now
        breakers.withLock {
            $0[permit.gateway]?.record(outcome, took: end - start, permit: permit.breaker, at: end)
        }
        bulkheads.leave(permit.gateway.text)
        return outcome
    }

    /// Ends a leave that was not used.
    func giveBack(_ permit: Permit) {
        breakers.withLock { $0[permit.gateway]?.giveBack(permit.breaker) }
        bulkheads.leave(permit.gateway.text)
    }

    /// What each gateway can take of the messages that wait.
    func room() -> [String: DestinationRoom] {
        var room = bulkheads.room()
        let now = ContinuousClock.now
        breakers.withLock { breakers in
            for (gateway, breaker) in breakers {
                switch breaker.prospect(at: now) {
                case .any: break
                case .one: room[gateway.text] = .items(1)
                case .none: room[gateway.text] = .closed
                }
            }
        }
        return room
    }

    private func isClosed(_ gateway: GatewayName) -> Bool {
        breakers.withLock { $0[gateway]?.prospect(at: .now) == GatewayBreaker.Prospect.none }
    }
}
