internal import Synchronization

/// The amounts to add to the counts of a series and of one of its blocks, and to the ledger.
struct SeriesCorrection {
    /// What corrections must share to be made as one.
    struct Place: Hashable {
        let seriesKey: String
        let block: String
        let ledgerKey: String
        /// The line of the ledger.
        let line: String
        let halfLifeMilliseconds: Int64
    }

    let place: Place
    var sent: Int64 = 0
    var verified: Int64 = 0
    var verifiedInLedger: Int64 = 0
    /// How long the ledger is kept; 0 if the correction does not change it.
    var ledgerMilliseconds: Int64 = 0

    fileprivate static func += (left: inout SeriesCorrection, right: SeriesCorrection) {
        left.sent += right.sent
        left.verified += right.verified
        left.verifiedInLedger += right.verifiedInLedger
        left.ledgerMilliseconds = max(left.ledgerMilliseconds, right.ledgerMilliseconds)
    }

    /// Whether the correction only reduces debts, so that it may wait.
    var isReduction: Bool { sent <= 0 && verified >= 0 && verifiedInLedger >= 0 }
}

/// Corrections of series that a process defers for a moment.
///
/// Each correct code corrects the counts of its number's series, which are in as many slots as there are shards. A busy
/// process collects an eighth of a second's corrections, up to ``LeasedEvents/mostEvents``, and makes them in one round
/// trip with a call for each slot. They only reduce debts, so the debt of a series may be too high for that moment, or
/// until its counts decay if the process dies, but never too low. Corrections left over from a busy moment are made
/// with a later one, or when the process ends.
final class OwedSeriesCorrections: Sendable {
    private struct State {
        var owed: [SeriesCorrection.Place: SeriesCorrection] = [:]
        var count = 0
        var since: Int64 = .max
        var rate = EventRate()

        mutating func removeAll(_ now: Int64) -> [SeriesCorrection] {
            if owed.isEmpty { return [] }
            let age = now - since
            defer { (owed, count, since) = ([:], 0, .max) }
            return owed.values.map { correction in
                var correction = correction
                let halfLife = correction.place.halfLifeMilliseconds
                correction.sent = RangeCounts.remaining(of: correction.sent, after: age, halfLife)
                correction.verified = RangeCounts.remaining(of: correction.verified, after: age, halfLife)
                return correction
            }
        }
    }

    private let state = Mutex(State())

    /// Adds a correction to those that are owed.
    /// - Returns: the corrections to make now.
    func owe(_ correction: SeriesCorrection, now: Int64) -> [SeriesCorrection] {
        state.withLock { state in
            state.rate.count(at: now)
            let late = state.since <= now - LeasedEvents.lifeMilliseconds ? state.removeAll(now) : []
            var owed = state.owed[correction.place] ?? SeriesCorrection(place: correction.place)
            owed += correction
            state.owed[correction.place] = owed
            state.count += 1
            state.since = min(state.since, now)
            return late + (state.count >= state.rate.block ? state.removeAll(now) : [])
        }
    }

    /// Removes and returns all corrections that are owed.
    func removeAll(now: Int64) -> [SeriesCorrection] { state.withLock { $0.removeAll(now) } }
}
