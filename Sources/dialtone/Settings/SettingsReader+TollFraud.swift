import PhoneAuth
import PhoneNumbers
import SMSGateways

/// When sends to new clients are stepped up, and what messages cost.
extension SettingsReader {
    func tollFraud(_ gateways: GatewaySettings) throws(Failure) -> TollFraudPolicy {
        var policy = TollFraudPolicy()
        policy.mode = try choice("smsBreaker", ["on": .enforce, "record": .record], or: policy.mode)
        policy.leastVerifiedPercent = try number(
            "smsLeastVerifiedPercent",
            in: 1...95,
            or: policy.leastVerifiedPercent
        )
        policy.unverifiedAllowance = try number(
            "smsUnverifiedAllowance",
            in: 2...1_000_000,
            or: policy.unverifiedAllowance
        )
        policy.prices = try prices(gateways)
        return policy
    }

    /// What a gateway asks for a message; nil where that is not said.
    func prices(ofGateway key: String) throws(Failure) -> NumberTable<Money>? {
        try money(key + "prices")
    }

    private func prices(_ gateways: GatewaySettings) throws(Failure) -> MessagePrices {
        let caps = try money("smsSpendCaps")
        if let caps {
            guard caps.prefixes.isEmpty else { throw wrong("smsSpendCaps", "regions and *, no prefixes") }
            for gateway in gateways.gateways where gateway.prices == nil {
                throw Failure(
                    "\(SettingName.shown("gateway.\(gateway.name).prices")): is missing, and what is spent must be known "
                        + "for \(SettingName.shown("smsSpendCaps"))"
                )
            }
        }
        let prices = gateways.gateways.compactMap { gateway in gateway.prices.map { (gateway.name.text, $0) } }
        guard let routes = gateways.routes, !prices.isEmpty else { return .free }
        return MessagePrices(
            routes: routes.byName,
            prices: Dictionary(prices) { first, _ in first },
            caps: caps
        )
    }

    private enum MoneyFault: Error, CustomStringConvertible {
        case malformed(String)

        var description: String {
            switch self {
            case .malformed(let text): "“\(text)” is no amount such as 0.0079"
            }
        }
    }

    private func money(_ key: String) throws(Failure) -> NumberTable<Money>? {
        guard let text = source.text(key) else { return nil }
        do {
            return try NumberTable(parsing: text) { text, _ throws(MoneyFault) in
                guard let money = Money(text) else { throw .malformed(String(text)) }
                return money
            }
        } catch {
            throw Failure("\(SettingName.shown(key)): \(error)")
        }
    }
}
