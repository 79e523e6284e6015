internal import PhoneAuth
internal import PhoneNumbers
public import SMSGateways

/// The operator's SMS gateways, and the numbers that each of them serves.
public struct MessageRoutes: Sendable {
    let gateways: [GatewayName: any SMSGateway]
    let routes: GatewayRoutes
    /// For gateways that send delivery receipts, the time to wait for one.
    let receiptTimes: [GatewayName: Duration]

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - gateways: all gateways that routes name.
    ///   - routes: the gateways of each number, in order.
    ///   - receiptTimes: for gateways that send delivery receipts, the time after which, without a receipt, the next
    ///     gateway gets the message.
    public init(gateways: [any SMSGateway], routes: GatewayRoutes, receiptTimes: [GatewayName: Duration]) {
        self.gateways = Dictionary(gateways.map { ($0.name, $0) }) { first, _ in first }
        self.routes = routes
        self.receiptTimes = receiptTimes
    }

    /// Returns the gateways of a message's route in order: those that the send chose, and then the others.
    func gateways(for message: PendingMessage) -> [any SMSGateway] {
        let route = routes.gateways(for: message.phone.text, region: message.phone.effectiveRegion.description)
        let first = message.route.first.compactMap { GatewayName($0) }.filter(route.contains)
        let others = route.filter { !first.contains($0) }
        return (first + others).filter { !message.tooDear.contains($0.text) }.compactMap { gateways[$0] }
    }
}
