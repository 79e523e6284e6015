import Glibc

@testable import PhoneAuth
@testable import RedisScripts

/// A simple model of the toll fraud check of `send-verification-code.lua`.
struct TollFraudModel {
    let check: TollFraudCheck
    /// The counts of the number's region, series and block without the message.
    var counts: [RangeKind: RangeCounts] = [:]
    /// Today's spending on the region, without the message.
    var spent: Int64 = 0
    /// Milliseconds since the Unix epoch.
    var now: Int64

    /// Returns level and cause of the step-up, and how long a denial lasts; nil for a known client within the cap.
    func stepUp(isKnown: Bool) -> (level: StepUp.Level, cause: StepUp.Cause, retryAfter: Int64)? {
        let cap = check.cap?.micros
        if let cap, spent + check.price.micros > cap {
            return (.denied, .spending(spent: spent, cap: cap), Store.dayMilliseconds - now % Store.dayMilliseconds)
        }
        if isKnown { return nil }
        let byDebt = byDebt
        if byDebt.level != .normal { return byDebt }
        if check.challengesNewClients { return (.challenged, .unknownNumber, 0) }
        if let cap, Double(spent) * 100 >= Double(cap) * Double(TollFraudPolicy.nearCapPercent) {
            return (.challenged, .spending(spent: spent, cap: cap), 0)
        }
        return byDebt
    }

    private var byDebt: (level: StepUp.Level, cause: StepUp.Cause, retryAfter: Int64) {
        let bounds = check.bounds
        var nearest = (share: -1.0, kind: RangeKind.region, debt: 0.0)
        for kind in RangeKind.allCases {
            let debt = counts[kind, default: .none].debt(creditPerVerified: bounds.creditPerVerified)
            let share = (debt + 1) / Double(bounds.allowance(kind))
            if share > nearest.share { nearest = (share, kind, debt) }
        }
        let allowance = bounds.allowance(nearest.kind)
        let level: StepUp.Level = nearest.share <= 1 ? .normal : nearest.share <= 1.5 ? .challenged : .denied
        let halfLives = level == .denied ? log2(nearest.debt / (1.5 * Double(allowance) - 1)) : 0
        let wait = Int64(max(0, halfLives * Double(bounds.halfLifeMilliseconds)).rounded(.up))
        let owed = Int64(nearest.debt.rounded(.up))
        return (level, .debt(nearest.kind, owed: owed, allowed: Int64(allowance)), wait)
    }
}
