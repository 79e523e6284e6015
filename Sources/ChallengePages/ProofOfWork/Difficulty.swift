/// The amount of work in a challenge.
///
/// The secret number is uniformly distributed in `0...maximumNumber` and clients try numbers from 0 upwards, so the
/// mean is half of the maximum.
public enum Difficulty: Int, Sendable, CaseIterable, Comparable {
    /// 50,000 hashes on average: 0.25 s on a mid-range phone, and 0.5 s at worst.
    ///
    /// Such a phone computes about 200,000 hashes a second, Chromium's measured rate at 4× CPU throttling. If the
    /// browser may not compile scripts, as in iOS's Lockdown Mode, WebCrypto computes about 25,000 hashes a second: two
    /// seconds on average.
    case lowest
    case raised
    case high
    /// 1,500,000 hashes on average: 8 s on that phone. Many people share one network address, so the time must stay
    /// bearable.
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

    /// Returns the difficulty for a network: an IPv4 address or an IPv6 /64. For wider IPv6 networks, a share of their
    /// challenges counts.
    ///
    /// - Parameter recentChallenges: the number of challenges that the network was given in the last ten minutes.
    /// - Returns: the lowest difficulty for networks with few challenges.
    public static func forNetwork(recentChallenges: Int) -> Difficulty {
        switch recentChallenges {
        case ..<20: .lowest
        case ..<60: .raised
        case ..<200: .high
        default: .highest
        }
    }

    /// Returns whether `left` is less work than `right`.
    public static func < (left: Difficulty, right: Difficulty) -> Bool { left.rawValue < right.rawValue }
}
