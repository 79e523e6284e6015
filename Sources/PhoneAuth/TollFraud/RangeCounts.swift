internal import Glibc

/// How many messages were sent to a range of numbers, and how many of them were verified. Both counts halve in every
/// half-life.
struct RangeCounts: Hashable {
    /// The number of messages.
    let sent: Double
    /// The number of messages whose session was verified with the correct code.
    let verified: Double

    static let none = RangeCounts(sent: 0, verified: 0)

    /// Creates the counts that remain, at `now` (milliseconds since the Unix epoch), of those that `number-ranges.lua`
    /// stored. Other bytes yield no counts.
    init(stored bytes: [UInt8], now: Int64, halfLifeMilliseconds: Int64) {
        guard bytes.count == 24 else {
            self = .none
            return
        }
        let doubles = stride(from: 0, to: 24, by: 8).map { start in
            Double(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        // Another worker's clock may be ahead.
        let left = exp2(min(0, doubles[2] - Double(now)) / Double(halfLifeMilliseconds))
        self.init(sent: doubles[0] * left, verified: doubles[1] * left)
    }

    init(sent: Double, verified: Double) {
        self.sent = sent
        self.verified = verified
    }

    /// Returns the debt: the unverified messages, less the credit of the verified ones, in hundredths of a message for
    /// each.
    func debt(creditPerVerified: Int) -> Double { max(0, sent - verified * (1 + Double(creditPerVerified) / 100)) }
}
