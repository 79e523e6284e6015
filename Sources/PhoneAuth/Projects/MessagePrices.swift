public import PhoneNumbers

/// The prices of messages, each for one SMS segment, and the spending caps.
public struct MessagePrices: Hashable, Sendable {
    /// The names of a number's gateways, in the order in which they are tried.
    private let routes: NumberTable<[String]>
    /// The prices by gateway.
    private let prices: [String: NumberTable<Money>]
    /// The daily spending cap of a region, per UTC day; nil if there is no cap.
    private let caps: NumberTable<Money>?

    /// Prices for free messages, without caps.
    public static let free = MessagePrices(routes: NumberTable(fallback: []), prices: [:], caps: nil)

    /// Creates prices of messages. A gateway that is not named is free. Only the regions and the fallback of `caps` are
    /// used.
    public init(routes: NumberTable<[String]>, prices: [String: NumberTable<Money>], caps: NumberTable<Money>?) {
        self.routes = routes
        self.prices = prices
        self.caps = caps
    }

    /// Returns the price of a segment to a number if its first gateway accepts the message.
    func expected(for phone: E164) -> Money {
        guard !prices.isEmpty, let gateway = routes.value(for: phone).first else { return .zero }
        return price(of: gateway, for: phone)
    }

    /// Returns a gateway's price of a segment to a number.
    func price(of gateway: String, for phone: E164) -> Money {
        prices[gateway]?.value(for: phone) ?? .zero
    }

    /// Returns the highest price of a segment to the regions of a policy, through any gateway; nil if no price is
    /// known. A price of a prefix counts whatever its region is.
    func highest(in policy: SMSRegionPolicy) -> Money? {
        prices.values.flatMap { table in
            let ofRegions: [Money] =
                switch policy {
                case .allowlistOnly(let allowed): allowed.map { table.regions[$0.description] ?? table.fallback }
                case .allowByDefault(let disallowed):
                    [table.fallback]
                        + table.regions.filter { code, _ in !disallowed.contains { $0.description == code } }.values
                }
            return ofRegions + table.prefixes.values
        }
        .max()
    }

    /// Returns the daily spending cap of a number's region.
    func cap(for region: String) -> Money? {
        caps?.value(for: "", region: region)
    }
}
