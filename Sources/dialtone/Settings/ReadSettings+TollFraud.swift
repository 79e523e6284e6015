import PhoneAuth
import PhoneNumbers
import SMSGateways

extension ReadSettings {
    /// Returns the policy against SMS pumping (toll fraud): when new clients must solve challenges, and what messages
    /// cost.
    func tollFraud(_ gateways: GatewaySettings) -> TollFraudPolicy {
        var policy = deployment.policy.tollFraud
        policy.prices = prices(gateways)
        return policy
    }

    private func prices(_ settings: GatewaySettings) -> MessagePrices {
        let caps = deployment.spendCaps
        if let caps {
            if !caps.prefixes.isEmpty {
                faults.add(deployment.fault(\.spendCaps, .because("a cap is for a region or *, not for a prefix")))
            }
            for gateway in gateways where !gateway.isSet(\.prices) {
                faults.add(gateway.missing(\.prices, "required by \(deployment.name(of: \.spendCaps))"))
            }
        }
        let prices = settings.gateways.compactMap { gateway in gateway.prices.map { (gateway.name.text, $0) } }
        guard let routes = settings.routes, !prices.isEmpty else { return .free }
        return MessagePrices(
            routes: routes.byName,
            prices: Dictionary(prices) { first, _ in first },
            caps: caps
        )
    }
}
