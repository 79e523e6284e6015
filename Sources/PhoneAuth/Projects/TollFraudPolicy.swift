internal import Encodings

/// Protection against SMS pumping (toll fraud): when a range of numbers counts as pumped, and what may be spent.
///
/// An attacker who earns money from messages to their own numbers requests many codes and enters few. So every range of
/// numbers has a debt: the messages to it whose code was not entered, less a credit for the correct codes. A correct
/// code pays for itself and, if 30 of 100 messages must be verified, for 7/3 unanswered messages. The remaining debt is
/// compared with the range's allowance:
///
///  - up to the allowance, messages are sent as usual;
///  - above it, new clients must solve the hard challenge: an app credential is rejected, so the app opens the
///    challenge page;
///  - above one and a half times the allowance, no new client is sent a message.
///
/// All counts have a half-life of a day, so a range recovers by itself: at first it admits a few messages an hour, and
/// once honest users enter their codes, it is back to normal within minutes. Ranges are a region, the million numbers
/// that differ in the last six digits, and the ten thousand numbers that differ in the last four. The narrow ranges
/// stop an attack on a few blocks without affecting neighboring numbers; the wide ranges stop a distributed attack.
/// Clients that signed in with the number before are neither counted nor stepped up. Only a region's daily spending
/// cap, once reached, stops them too.
public struct TollFraudPolicy: Hashable, Sendable {
    /// What happens to a message that should not be sent.
    public enum Mode: String, Sendable {
        /// The message is rejected.
        case enforce = "on"
        /// The message is sent; the decision record says what would have been done (dry run).
        case record
    }

    /// What happens to a message that should not be sent.
    public var mode = Mode.enforce
    /// The percentage of messages that must be verified in the long run, 1 to 95.
    public var leastVerifiedPercent = 30
    /// The number of messages to a block of 10,000 numbers that may stay unverified on top of that; wider ranges have a
    /// multiple.
    public var unverifiedAllowance = 20
    /// The prices of messages, and the spending caps.
    public var prices = MessagePrices.free

    /// Creates a policy with the documented defaults.
    public init() {}

    /// The half-life of all counts.
    static let halfLife: Duration = .seconds(86_400)

    /// The share of a region's daily spending cap, in percent, from which new clients must solve the hard challenge.
    static let nearCapPercent: Int64 = 80

    /// The retention of the ledger in days, including today.
    public static let ledgerDays = 35

    static let ledgerLife: Duration = .seconds(86_400 * (ledgerDays + 1))

    /// The time for which a network's clients go straight to the challenge page after one of their sends was stepped
    /// up.
    static let challengedNetworkMemory: Duration = .seconds(600)

    /// The allowances of the three kinds of ranges, and the credit per correct code.
    var bounds: RangeBounds { bounds(series: unverifiedAllowance * 5 / 2) }

    /// The allowances for numbers that are not in the numbering data: the series' one is a tenth of what it is for
    /// others. Series and blocks are the same as those of known numbers, so correct codes open a new range by
    /// themselves.
    var boundsOfUnknownNumbers: RangeBounds { bounds(series: max(1, unverifiedAllowance / 4)) }

    private func bounds(series: Int) -> RangeBounds {
        RangeBounds(
            region: unverifiedAllowance * 10,
            series: series,
            block: unverifiedAllowance,
            // In hundredths, to keep the serialized text short: the messages that a correct code pays for besides its
            // own.
            creditPerVerified: (100 - leastVerifiedPercent) * 100 / leastVerifiedPercent,
            halfLifeMilliseconds: Self.halfLife.milliseconds
        )
    }
}

/// The allowances of ranges: how much debt each kind may have before SMS pumping is suspected.
public struct RangeBounds: Hashable, Sendable {
    let region: Int
    let series: Int
    let block: Int
    /// The credit of a verified message, in hundredths of a message.
    let creditPerVerified: Int
    let halfLifeMilliseconds: Int64

    /// Returns the allowance of one kind of range.
    func allowance(_ kind: RangeKind) -> Int {
        switch kind {
        case .region: region
        case .series: series
        case .block: block
        }
    }
}
