public import PhoneNumbers

/// The prices of messages, each for one SMS segment, and the spending caps.
public struct MessagePrices: Hashable, Sendable {
    /// The prices by gateway.
    private let prices: [String: NumberTable<Money>]
    /// The daily spending cap of a region, per UTC day; nil if there is no cap.
    private let caps: NumberTable<Money>?

    /// Prices for free messages, without caps.
    public static let free = MessagePrices(prices: [:], caps: nil)

    /// Creates prices of messages. A gateway that is not named is free. Only the regions and the fallback of `caps` are
    /// used.
    public init(prices: [String: NumberTable<Money>], caps: NumberTable<Money>?) {
        self.prices = prices
        self.caps = caps
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
