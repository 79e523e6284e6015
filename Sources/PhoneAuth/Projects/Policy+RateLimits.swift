internal import RedisScripts

/// Values that derive from the operator's settings of rate limits.
extension Policy {
    /// Returns a network's maximum of what a project's networks share: at most a tenth of the project's `quota` (0: no
    /// limit), so that no IPv4 address and no IPv6 /48 uses it up for all, but at least one.
    static func maximum(_ ofNetwork: Int, ofQuota quota: Int) -> Int {
        quota == 0 ? ofNetwork : min(ofNetwork, max(1, quota / 10))
    }

    /// Returns how many messages these projects together may send in 24 hours on average, and what one segment of each
    /// may cost: the highest price of the regions that its project sends to. Returns nil if the number has no limit.
    /// The cost is nil if no gateway has prices.
    public func messagesPerDay(of projects: [Project]) -> (count: Int, cost: Money?)? {
        let maxima = [sendsPerProjectPerDay, 24 * sendsPerProjectPerHour].filter { $0 > 0 }
        guard let maximum = maxima.min() else { return nil }
        let prices = projects.compactMap { tollFraud.prices.highest(in: $0.smsRegions) }
        let cost = prices.reduce(0) { $0 + Double($1.micros) * Double(maximum) }
        return (projects.count * maximum, prices.isEmpty ? nil : Money(micros: Int64(min(cost, 1e18))))
    }

    /// The rate limits on wrong passwords (brute force).
    public var wrongPasswordLimits: WrongPasswordLimits {
        WrongPasswordLimits(
            perEmailAndNetworkPerHour: wrongPasswordsPerEmailAndNetworkPerHour,
            perEmailPerDay: wrongPasswordsPerEmailPerDay,
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }
}
