public import PhoneNumbers

/// What messages cost, and what they may cost.
public struct MessagePrices: Hashable, Sendable {
    /// The gateways of a number, by their names, in the order in which they are tried.
    private let routes: NumberTable<[String]>
    /// By gateway.
    private let prices: [String: NumberTable<Money>]
    /// What may be spent on a region in a day, UTC; nil where there is no such bound.
    private let caps: NumberTable<Money>?

    /// Messages that cost nothing.
    public static let free = MessagePrices(routes: NumberTable(fallback: []), prices: [:], caps: nil)

    /// Prices of messages: a gateway that is not named asks for none. Of `caps` only regions count, and all others.
    public init(routes: NumberTable<[String]>, prices: [String: NumberTable<Money>], caps: NumberTable<Money>?) {
        self.routes = routes
        self.prices = prices
        self.caps = caps
    }

    /// What a message to a number costs if its first gateway takes it.
    func expected(for phone: E164) -> Money {
        guard !prices.isEmpty, let gateway = routes.value(for: phone).first else { return .zero }
        return price(of: gateway, for: phone)
    }

    /// What a gateway asks for a message to a number.
    func price(of gateway: String, for phone: E164) -> Money {
        prices[gateway]?.value(for: phone) ?? .zero
    }

    /// What may be spent on a number's region in a day.
    func cap(for region: String?) -> Money? {
        caps?.value(for: "", region: region)
    }
}
