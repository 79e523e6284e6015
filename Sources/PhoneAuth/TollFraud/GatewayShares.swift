internal import Encodings

/// The verified shares of gateways: how many of the messages that a gateway accepted led to a correct code, without
/// another message. Recent messages weigh more: see ``TollFraudPolicy/halfLife``.
///
/// The counts are fractions of a few messages at first, so a share is an estimate: the mean of the beta distribution
/// that follows from the counts, with its standard deviation.
struct GatewayShares {
    /// The counts, by ``field(of:in:)``.
    let counts: [String: RangeCounts]
}

extension GatewayShares {
    /// Creates the shares that remain, at `now` (milliseconds since the Unix epoch), of those in Redis.
    init(stored: [String: [UInt8]], now: Int64) {
        let halfLife = TollFraudPolicy.halfLife.milliseconds
        self.init(counts: stored.mapValues { RangeCounts(stored: $0, now: now, halfLifeMilliseconds: halfLife) })
    }

    /// The name of a gateway's counts for a region.
    static func field(of gateway: String, in region: String) -> String { "\(region):\(gateway)" }

    /// Returns which of the gateways goes first in a region.
    ///
    /// The first gateway of the settings goes first until another one is better by two standard deviations. So of equal
    /// gateways the first one keeps all messages but the share for exploration.
    ///
    /// - Parameters:
    ///   - gateways: the gateways of one channel, in the order of the settings; at least one.
    ///   - region: the number's region.
    ///   - exploration: the percentage of messages for the gateways that are not the best one.
    ///   - random: a random number.
    /// - Returns: the index of the gateway, and whether it is not the best one.
    func choice(
        of gateways: [String],
        in region: String,
        exploration: Int,
        random: UInt32
    ) -> (index: Int, isExplored: Bool) {
        let shares = gateways.map { share(of: counts[Self.field(of: $0, in: region)] ?? .none) }
        var best = 0
        for index in shares.indices.dropFirst() {
            let (first, second) = (shares[best], shares[index])
            if second.mean - first.mean > 2 * (first.variance + second.variance).squareRoot() { best = index }
        }
        guard gateways.count > 1, Int(random % 100) < exploration else { return (best, false) }
        let others = gateways.indices.filter { $0 != best }
        return (others[Int(random / 100) % others.count], true)
    }

    private func share(of counts: RangeCounts) -> (mean: Double, variance: Double) {
        let mean = (min(counts.verified, counts.sent) + 1) / (counts.sent + 2)
        return (mean, mean * (1 - mean) / (counts.sent + 3))
    }
}
