import Testing

@testable import RedisStore

/// The decision whether to step up sends to new clients, from counts alone.
@Suite struct TollFraudVerdictTests {
    private static let day: Int64 = 86_400_000
    /// Six hours after the start of a day.
    private let now: Int64 = 20_000 * day + day / 4

    private func check(
        price: Int64 = 0,
        cap: Int64? = nil,
        isEnforced: Bool = true,
        isHardProof: Bool = false,
        challengesNewClients: Bool = false
    ) -> TollFraudCheck {
        TollFraudCheck(
            ranges: NumberRanges(project: "demo", region: "US", series: "series", block: "block"),
            bounds: RangeBounds(
                region: 40,
                series: 10,
                block: 4,
                creditPerVerified: 233,
                halfLifeMilliseconds: Self.day
            ),
            isEnforced: isEnforced,
            isHardProof: isHardProof,
            challengesNewClients: challengesNewClients,
            price: price,
            cap: cap,
            nearCapPercent: 80,
            knownClientMilliseconds: Self.day
        )
    }

    private func verdict(
        region: Double = 0,
        series: Double = 0,
        block: Double = 0,
        price: Int64 = 0,
        cap: Int64? = nil,
        spent: Int64 = 0
    ) -> TollFraudVerdict {
        let counts: [RangeKind: RangeCounts] = [
            .region: RangeCounts(sent: region, verified: 0), .series: RangeCounts(sent: series, verified: 0),
            .block: RangeCounts(sent: block, verified: 0),
        ]
        return TollFraudVerdict(check(price: price, cap: cap), counts: counts, spent: spent, now: now)
    }

    @Test(
        "the debt including this message decides: within the allowance, above it, or above one and a half times it",
        arguments: [
            (0, .normal), (3, .normal), (3.1, .challenged), (5, .challenged), (5.1, .denied), (1e6, .denied),
        ] as [(Double, StepUp.Level)]
    )
    func levels(debt: Double, level: StepUp.Level) {
        let verdict = verdict(block: debt)
        #expect(verdict.ofNewClient.level == level)
        #expect(verdict.ofNewClient.cause == .debt(.block, owed: Int64(debt.rounded(.up)), allowed: 4))
        #expect(verdict.ofKnownClient == nil)
    }

    @Test("the range nearest to its allowance is the cause; of equal ranges, the widest one")
    func causes() {
        #expect(verdict(region: 39, series: 8, block: 2).ofNewClient.cause == .debt(.region, owed: 39, allowed: 40))
        #expect(verdict(region: 12, series: 9.5, block: 2).ofNewClient.cause == .debt(.series, owed: 10, allowed: 10))
        #expect(verdict(region: 39, series: 9, block: 3).ofNewClient.cause == .debt(.region, owed: 39, allowed: 40))
        #expect(verdict().ofNewClient.cause == .debt(.block, owed: 0, allowed: 4))
    }

    @Test("an unknown number is challenged within its allowance, and its debt decides above it")
    func unknownNumber() {
        let check = check(challengesNewClients: true)
        let within = TollFraudVerdict(check, counts: [:], spent: 0, now: now)
        #expect(within.ofNewClient == StepUp(.challenged, .unknownNumber, retryAfterMilliseconds: 0))
        #expect(within.ofKnownClient == nil)
        let words = within.ofNewClient.words.split(separator: " ").map(String.init)
        #expect(StepUp(words) == within.ofNewClient)
        let debt = TollFraudVerdict(
            check,
            counts: [.block: RangeCounts(sent: 4, verified: 0)],
            spent: 0,
            now: now
        )
        #expect(debt.ofNewClient.cause == .debt(.block, owed: 4, allowed: 4))
    }

    @Test("correct codes pay for themselves and their credit, and a debt is never negative")
    func credit() {
        #expect(RangeCounts(sent: 10, verified: 1).debt(creditPerVerified: 200) == 7)
        #expect(RangeCounts(sent: 2, verified: 2).debt(creditPerVerified: 200) == 0)
    }

    @Test("a denial lasts until the debt has decayed to one and a half times the allowance, less one message")
    func retryAfter() {
        // A debt falls from 10 to 5 messages in one half-life.
        #expect(verdict(block: 10).ofNewClient.retryAfterMilliseconds == Self.day)
        #expect(verdict(block: 20).ofNewClient.retryAfterMilliseconds == 2 * Self.day)
        #expect(verdict(block: 5).ofNewClient.retryAfterMilliseconds == 0)
    }

    @Test("the spending cap denies every client until the end of the day (UTC), whatever the debts are")
    func cap() {
        let denied = StepUp(
            .denied,
            .spending(spent: 91, cap: 100),
            retryAfterMilliseconds: Self.day * 3 / 4
        )
        for debt in [0.0, 4, 100] {
            let verdict = verdict(block: debt, price: 10, cap: 100, spent: 91)
            #expect(verdict.ofNewClient == denied && verdict.ofKnownClient == denied)
        }
        // The last message within the cap.
        #expect(verdict(price: 10, cap: 100, spent: 90).ofKnownClient == nil)
        #expect(verdict(price: .max, cap: .max, spent: .max).ofKnownClient?.level == .denied)
    }

    @Test("near the cap, new clients are challenged, unless a debt already steps them up")
    func nearCap() {
        let near = verdict(price: 1, cap: 100, spent: 80)
        #expect(near.ofNewClient == StepUp(.challenged, .spending(spent: 80, cap: 100), retryAfterMilliseconds: 0))
        #expect(near.ofKnownClient == nil)
        #expect(verdict(price: 1, cap: 100, spent: 79).ofNewClient.level == .normal)
        #expect(verdict(block: 100, price: 1, cap: 100, spent: 80).ofNewClient.level == .denied)
        let owing = verdict(block: 4, price: 1, cap: 100, spent: 80).ofNewClient
        #expect(owing.cause == .debt(.block, owed: 4, allowed: 4))
    }

    @Test("a challenge stops clients that have not solved the hard challenge, a denial every client, record mode none")
    func refusals() {
        let (normal, challenged, denied) = (
            verdict(block: 0).ofNewClient, verdict(block: 4).ofNewClient, verdict(block: 9).ofNewClient
        )
        for (stepUp, refusesSoft, refusesHard) in [
            (normal, false, false), (challenged, true, false), (denied, true, true), (nil, false, false),
        ] {
            #expect(check().refuses(stepUp) == refusesSoft)
            #expect(check(isHardProof: true).refuses(stepUp) == refusesHard)
            #expect(!check(isEnforced: false).refuses(stepUp))
        }
    }

    @Test("a step-up can be read back from the decision record")
    func words() {
        for stepUp in [
            verdict(block: 9).ofNewClient, verdict(series: 3).ofNewClient,
            verdict(price: 10, cap: 100, spent: 91).ofNewClient,
        ] {
            #expect(StepUp(stepUp.words.split(separator: " ").map(String.init)) == stepUp)
        }
    }

    @Test("stored counts halve in each half-life, even if another worker's clock is fast")
    func decay() {
        func counts(_ text: String) -> RangeCounts {
            RangeCounts(stored: text, now: now, halfLifeMilliseconds: Self.day)
        }
        #expect(counts("80000 20000 \(now - 2 * Self.day)") == RangeCounts(sent: 2, verified: 0.5))
        #expect(counts("80000 20000 \(now + Self.day)") == RangeCounts(sent: 8, verified: 2))
        for text in ["", "1 2", "a b c", "1 2 3 4"] { #expect(counts(text) == .none) }
    }
}
