import Glibc
import TestServers
import Testing

@testable import PhoneAuth

/// Which gateway gets a message first, by the shares of codes that are verified.
@Suite struct GatewayShareTests {
    private static let gateways = ["first", "second"]

    /// Messages over ten days, whose codes are verified with a probability for each gateway.
    private struct Traffic {
        var exploration: Int
        var seed: UInt64
        /// The probability of each gateway in the order of ``gateways``, at a part of the time from 0 to 1.
        var verified: (_ time: Double) -> [Double]

        /// Returns how many codes were verified, and how many messages the gateways got, in all and on the last day.
        func run(_ count: Int = 20_000) -> (verified: Int, sent: [Int], last: [Int]) {
            var generator = SplitMix(seed: seed)
            var counts = [RangeCounts.none, .none]
            var (verified, sent, last) = (0, [0, 0], [0, 0])
            // A message's share of a half-life, which is a day.
            let left = exp2(-10 / Double(count))
            for message in 0..<count {
                let fields = gateways.map { GatewayShares.field(of: $0, in: "US") }
                let choice = GatewayShares(counts: Dictionary(uniqueKeysWithValues: zip(fields, counts)))
                    .choice(
                        of: gateways,
                        in: "US",
                        exploration: exploration,
                        random: .random(in: .min ... .max, using: &generator)
                    )
                let isVerified =
                    Double.random(in: 0..<1, using: &generator)
                    < self.verified(Double(message) / Double(count))[choice.index]
                for index in counts.indices {
                    let isOfMessage = index == choice.index
                    counts[index] = RangeCounts(
                        sent: counts[index].sent * left + (isOfMessage ? 1 : 0),
                        verified: counts[index].verified * left + (isOfMessage && isVerified ? 1 : 0)
                    )
                }
                sent[choice.index] += 1
                if message >= count * 9 / 10 { last[choice.index] += 1 }
                if isVerified { verified += 1 }
            }
            return (verified, sent, last)
        }
    }

    @Test("if the second gateway is better, more codes are verified than in the settings' order", arguments: 1...5)
    func better(seed: Int) {
        let fixed = Traffic(exploration: 0, seed: UInt64(seed)) { _ in [0.6, 0.9] }
        // Without messages to the second gateway, nothing is known about it.
        #expect(fixed.run().sent == [20_000, 0])
        let chosen = Traffic(exploration: 10, seed: UInt64(seed)) { _ in [0.6, 0.9] }
        #expect(chosen.run().verified > fixed.run().verified + 4500)
    }

    @Test("if the first gateway is better, or as good, at most the share for exploration is lost", arguments: 1...5)
    func worse(seed: Int) {
        for (second, loss) in [(0.3, 0.6), (0.85, 0.05), (0.9, 0)] {
            let (verified, sent, _) = Traffic(exploration: 10, seed: UInt64(seed)) { _ in [0.9, second] }.run()
            // The share, and a few messages because of an estimate that is off by two standard deviations for a while.
            #expect(sent[1] < 20_000 * 15 / 100, "\(second): \(sent)")
            // Five standard deviations of the count of verified codes.
            #expect(Double(verified) > 20_000 * (0.9 - loss * 0.15) - 212, "\(second): \(verified)")
        }
    }

    @Test("a gateway that gets worse loses its messages, and gets them back when it is better again", arguments: 1...5)
    func change(seed: Int) {
        let shares: (Double) -> [Double] = { time in [0.3..<0.5 ~= time ? 0.2 : 0.9, 0.8] }
        let fixed = Traffic(exploration: 0, seed: UInt64(seed), verified: shares).run()
        let chosen = Traffic(exploration: 10, seed: UInt64(seed), verified: shares).run()
        #expect(chosen.verified > fixed.verified + 500, "\(chosen)")
        #expect(chosen.last[0] > 2000 * 80 / 100, "\(chosen)")
    }

    @Test("few messages do not change the order, and the share for exploration goes to the other gateways")
    func few() {
        let few = ["US:first": RangeCounts(sent: 3, verified: 1), "US:second": RangeCounts(sent: 3, verified: 3)]
        let many = few.mapValues { RangeCounts(sent: 100 * $0.sent, verified: 100 * $0.verified) }
        func choice(_ counts: [String: RangeCounts], in region: String = "US", random: UInt32 = 99) -> String {
            let choice = GatewayShares(counts: counts).choice(
                of: Self.gateways,
                in: region,
                exploration: 10,
                random: random
            )
            return Self.gateways[choice.index] + (choice.isExplored ? ", explored" : "")
        }
        #expect(choice(few) == "first")
        #expect(choice(many) == "second")
        #expect(choice(many, in: "GB") == "first")
        #expect(choice(many, random: 10) == "second")
        #expect(choice(many, random: 9) == "first, explored")
        #expect(choice([:], random: 9) == "second, explored")
        let single = GatewayShares(stored: ["US:first": [1]], now: 0)
        #expect(single.choice(of: ["first"], in: "US", exploration: 50, random: 0).index == 0)
    }
}
