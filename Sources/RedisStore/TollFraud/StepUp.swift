/// How far the sends to new clients are stepped up, and by what.
public struct StepUp: Hashable, Sendable {
    /// How far.
    public enum Level: String, Sendable {
        case normal
        /// Only for clients that solve the hard challenge.
        case challenged
        case denied
    }

    /// What it follows from.
    public enum Cause: Hashable, Sendable {
        /// The messages that a range owes, and how many it may.
        case debt(RangeKind, owed: Int64, allowed: Int64)
        /// What was spent on the region today, and what may be, in millionths.
        case spending(spent: Int64, cap: Int64)
    }

    /// How far.
    public let level: Level
    /// What decided; of several causes the one that is nearest to its bound.
    public let cause: Cause
    /// How long a denial lasts where nothing else happens; 0 for no denial.
    public let retryAfterMilliseconds: Int64

    /// Reads what the script says: level, cause, value, bound, retry after.
    init?(_ words: [String]) {
        guard words.count == 5, let level = Level(rawValue: words[0]), let value = Int64(words[2]),
            let bound = Int64(words[3]), let retryAfter = Int64(words[4])
        else { return nil }
        self.level = level
        if let kind = RangeKind(rawValue: words[1]) {
            cause = .debt(kind, owed: value, allowed: bound)
        } else if words[1] == "spending" {
            cause = .spending(spent: value, cap: bound)
        } else {
            return nil
        }
        retryAfterMilliseconds = retryAfter
    }
}
