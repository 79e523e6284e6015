/// How much work a challenge asks for.
///
/// The number to be found is drawn evenly from `0...maximumNumber` and tried from 0 upwards, so half of it is the mean.
public enum Difficulty: Int, Sendable, CaseIterable, Comparable {
    /// 50,000 hashes in the mean: 0.25 s, and 0.5 s at worst, on a phone of the middle class.
    ///
    /// Such a phone does about 200,000 a second, which is what Chromium does here when slowed down to a quarter. Where the browser may not
    /// compile scripts, as in iOS's Lockdown Mode, WebCrypto does about 25,000: two seconds in the mean.
    case lowest
    case raised
    case high
    /// 1,500,000 hashes in the mean: 8 s on that phone. Many people share one network's address, so it stays bearable.
    case highest

    /// The largest number that may be the solution.
    public var maximumNumber: Int64 {
        switch self {
        case .lowest: 100_000
        case .raised: 300_000
        case .high: 1_000_000
        case .highest: 3_000_000
        }
    }

    /// The difficulty for a network (an IPv4 address or an IPv6 /64; wider IPv6 networks count with a part of their
    /// challenges).
    ///
    /// - Parameter recentChallenges: how many challenges the network was given in the last ten minutes.
    /// - Returns: the least work for whoever asks seldom.
    public static func forNetwork(recentChallenges: Int) -> Difficulty {
        switch recentChallenges {
        case ..<20: .lowest
        case ..<60: .raised
        case ..<200: .high
        default: .highest
        }
    }

    /// Whether `left` asks for less work than `right`.
    public static func < (left: Difficulty, right: Difficulty) -> Bool { left.rawValue < right.rawValue }
}
