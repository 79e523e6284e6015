internal import PhoneAuth
internal import PhoneNumbers
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

/// The breakers of this process, one a gateway.
final class GatewayBreakers: Sendable {
    private let breakers = Mutex<[GatewayName: GatewayBreaker]>([:])

    /// Calls a gateway, unless its breaker keeps messages from it: then nil.
    func call(_ gateway: any SMSGateway, with message: OutgoingMessage) async -> GatewayOutcome? {
        let name = gateway.name
        guard let permit = breakers.withLock({ $0[name, default: GatewayBreaker()].permit(at: .now) }) else {
            return nil
        }
        let start = ContinuousClock.now
        let outcome = await gateway.send(message)
        let end = ContinuousClock.now
        breakers.withLock {
            $0[name, default: GatewayBreaker()].record(outcome, took: end - start, permit: permit, at: end)
        }
        return outcome
    }
}
