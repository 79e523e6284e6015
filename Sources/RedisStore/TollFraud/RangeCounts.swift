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
    /// stored. A text in another format yields no counts.
    init(stored text: String, now: Int64, halfLifeMilliseconds: Int64) {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).compactMap { Int64(Substring($0)) }
        guard words.count == 3 else {
            self = .none
            return
        }
        // Another worker's clock may be ahead.
        let age = Double(max(0, now - words[2]))
        let left = exp2(-age / Double(halfLifeMilliseconds)) / Self.unitsPerMessage
        self.init(sent: Double(words[0]) * left, verified: Double(words[1]) * left)
    }

    init(sent: Double, verified: Double) {
        self.sent = sent
        self.verified = verified
    }

    /// Stored counts are in ten-thousandths.
    private static let unitsPerMessage = 10_000.0

    /// Returns the debt: the unverified messages, less the credit of the verified ones, in hundredths of a message for
    /// each.
    func debt(creditPerVerified: Int) -> Double { max(0, sent - verified * (1 + Double(creditPerVerified) / 100)) }
}
