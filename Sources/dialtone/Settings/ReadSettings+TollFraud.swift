import PhoneAuth
import PhoneNumbers
import SMSGateways

extension ReadSettings {
    /// Returns the policy against SMS pumping (toll fraud): when new clients must solve challenges, and what messages
    /// cost.
    func tollFraud(_ gateways: GatewaySettings) throws(Failure) -> TollFraudPolicy {
        var policy = deployment.policy.tollFraud
        policy.prices = try prices(gateways)
        return policy
    }

    private func prices(_ settings: GatewaySettings) throws(Failure) -> MessagePrices {
        let caps = deployment.spendCaps
        if let caps {
            guard caps.prefixes.isEmpty else {
                throw deployment.fault(\.spendCaps, .because("a cap is for a region or *, not for a prefix"))
            }
            for gateway in gateways where gateway.prices == nil {
                throw Failure(
                    "\(gateway.name(of: \.prices)): not set, but required by \(deployment.name(of: \.spendCaps))"
                )
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
