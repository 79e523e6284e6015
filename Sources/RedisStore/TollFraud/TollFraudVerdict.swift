internal import Glibc

/// The result of the toll fraud check of a message (the circuit breaker against SMS pumping), for each of the two cases
/// that the number's shard distinguishes: a new client, and a known client, which has entered the number's correct code
/// before.
struct TollFraudVerdict: Hashable {
    /// The step-up of a new client; its level may be ``StepUp/Level/normal``.
    let ofNewClient: StepUp
    /// The denial of a known client; nil if the region's spending cap allows the message. Ranges' debts do not matter.
    let ofKnownClient: StepUp?

    /// Decides about a message that is not yet included in the ranges' counts and the spending.
    ///
    /// - Parameters:
    ///   - check: the message, and the bounds.
    ///   - counts: the counts of its ranges.
    ///   - spent: today's spending on its region, in millionths.
    ///   - now: milliseconds since the Unix epoch.
    init(_ check: TollFraudCheck, counts: [RangeKind: RangeCounts], spent: Int64, now: Int64) {
        let denial = Self.denialByCap(check, spent: spent, now: now)
        ofKnownClient = denial
        let byDebt = Self.stepUpByDebt(check.bounds, counts)
        if let denial {
            ofNewClient = denial
        } else if check.challengesNewClients, byDebt.level == .normal {
            ofNewClient = StepUp(.challenged, .unknownNumber, retryAfterMilliseconds: 0)
        } else if let cap = check.cap, byDebt.level == .normal,
            Double(spent) * 100 >= Double(cap) * Double(check.nearCapPercent)
        {
            ofNewClient = StepUp(.challenged, .spending(spent: spent, cap: cap), retryAfterMilliseconds: 0)
        } else {
            ofNewClient = byDebt
        }
    }

    private static func denialByCap(_ check: TollFraudCheck, spent: Int64, now: Int64) -> StepUp? {
        let (total, overflows) = spent.addingReportingOverflow(check.price)
        guard let cap = check.cap, overflows || total > cap else { return nil }
        return StepUp(
            .denied,
            .spending(spent: spent, cap: cap),
            retryAfterMilliseconds: Store.dayMilliseconds - now % Store.dayMilliseconds
        )
    }

    /// Returns how many more messages to a region are possible before new clients are stepped up because of its debt or
    /// its spending; infinite if the verdict is only recorded.
    static func room(_ check: TollFraudCheck, inRegion counts: RangeCounts, spent: Int64) -> Double {
        guard check.isEnforced else { return .infinity }
        // A region with credit has correspondingly more room.
        let byDebt = Double(check.bounds.region) - counts.balance(creditPerVerified: check.bounds.creditPerVerified)
        guard let cap = check.cap, check.price > 0 else { return max(0, byDebt) }
        let byCap = (Double(cap) * Double(check.nearCapPercent) / 100 - Double(spent)) / Double(check.price)
        return max(0, min(byDebt, byCap))
    }

    /// Returns the step-up by the range whose debt, with this message, is nearest to its allowance. Of equal ranges,
    /// the widest decides.
    private static func stepUpByDebt(_ bounds: RangeBounds, _ counts: [RangeKind: RangeCounts]) -> StepUp {
        var nearest = (share: -1.0, kind: RangeKind.region, debt: 0.0)
        for kind in RangeKind.allCases {
            let debt = counts[kind, default: .none].debt(creditPerVerified: bounds.creditPerVerified)
            let share = (debt + 1) / Double(bounds.allowance(kind))
            if share > nearest.share { nearest = (share, kind, debt) }
        }
        let allowance = bounds.allowance(nearest.kind)
        let level: StepUp.Level =
            nearest.share <= 1 ? .normal : nearest.share <= deniedShare ? .challenged : .denied
        // Until the debt has decayed so far that one more message is allowed to clients that solve the hard challenge.
        let halfLives = level == .denied ? log2(nearest.debt / (deniedShare * Double(allowance) - 1)) : 0
        return StepUp(
            level,
            .debt(nearest.kind, owed: wholeUp(nearest.debt), allowed: Int64(allowance)),
            retryAfterMilliseconds: wholeUp(halfLives * Double(bounds.halfLifeMilliseconds))
        )
    }

    /// The share of a range's allowance above which no new client is sent a message.
    private static let deniedShare = 1.5

    /// Rounds up to a whole number that is not negative.
    private static func wholeUp(_ value: Double) -> Int64 {
        Int64(exactly: max(0, value).rounded(.up)) ?? (value > 0 ? .max : 0)
    }
}
