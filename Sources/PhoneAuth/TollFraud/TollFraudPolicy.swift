internal import Encodings
internal import RedisStore

/// When the numbers of a range count as being pumped, and what may be spent.
///
/// Whoever earns by messages to numbers of their own asks for many codes and types in few. So every range of numbers has a debt:
/// the messages to it whose code was not typed in, less what the right codes pay for. A right code pays for itself and, where 30 of
/// 100 messages must be verified, for 7/3 messages that nobody answers. What is left may not exceed the range's allowance:
///
///  - up to it, messages are sent as always;
///  - above it, only to clients that solve the hard challenge: an app credential is refused, so the app opens the page;
///  - above one and a half times of it, to nobody who is new.
///
/// All counts halve every day, so a range steps down by itself: at a few messages an hour at first, and as soon as honest people type
/// their codes in, within minutes. Ranges are a region, the million numbers that differ in the last six digits and the ten thousand that differ in the
/// last four: the narrow ones stop an attack on a few blocks where its neighbours notice nothing, the wide ones an attack that is
/// spread. Clients that signed in with the number before are neither counted nor held up.
public struct TollFraudPolicy: Hashable, Sendable {
    /// What happens to a message that should not be sent.
    public enum Mode: String, Sendable {
        /// It is refused.
        case enforce = "on"
        /// It is sent; what would have been done is remembered with the decision.
        case record
    }

    /// What happens to a message that should not be sent.
    public var mode = Mode.enforce
    /// How many of 100 messages must be verified in the long run, 1 to 99.
    public var leastVerifiedPercent = 30
    /// How many messages to a block of 10,000 numbers may stay unanswered on top of that; wider ranges have a multiple.
    public var unverifiedAllowance = 20
    /// What messages cost, and may cost.
    public var prices = MessagePrices.free

    /// The documented defaults.
    public init() {}

    /// After how long what was counted counts half.
    static let halfLife: Duration = .seconds(86_400)

    /// From which share of a day's spending on, in percent, new clients must solve the hard challenge.
    static let nearCapPercent: Int64 = 80

    /// How many days the ledger is kept, today's among them.
    public static let ledgerDays = 35

    static let ledgerLife: Duration = .seconds(86_400 * (ledgerDays + 1))

    /// How long a network's clients take the challenge page at once after one of their sends was stepped up.
    static let challengedNetworkMemory: Duration = .seconds(600)

    /// The bounds of the three kinds of ranges.
    var bounds: RangeBounds {
        RangeBounds(
            region: unverifiedAllowance * 10,
            series: unverifiedAllowance * 5 / 2,
            block: unverifiedAllowance,
            // Hundredths keep the text on the wire short; what a right code pays for besides itself.
            creditPerVerified: (100 - leastVerifiedPercent) * 100 / leastVerifiedPercent,
            halfLifeMilliseconds: Self.halfLife.milliseconds
        )
    }
}
