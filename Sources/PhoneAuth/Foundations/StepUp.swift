/// The step-up of sends to new clients against SMS pumping (toll fraud), and its cause.
public struct StepUp: Hashable, Sendable {
    /// The level of the step-up.
    enum Level: String, Sendable {
        case normal
        /// Only clients that solve the hard challenge may send.
        case challenged
        case denied
    }

    /// The cause of the level.
    enum Cause: Hashable, Sendable {
        /// The debt of a range, and its allowance, in messages.
        case debt(RangeKind, owed: Int64, allowed: Int64)
        /// The number is not in the numbering data.
        case unknownNumber
        /// Today's spending on the region, and its cap, in millionths.
        case spending(spent: Int64, cap: Int64)
    }

    /// The level.
    let level: Level
    /// The deciding cause: of several, the one nearest to its bound.
    let cause: Cause
    /// How long a denial lasts if nothing changes; 0 if sends are not denied.
    let retryAfterMilliseconds: Int64

    /// The share of a range's allowance above which no new client is sent a message.
    static let deniedShare = 1.5

    /// The cause in a word, for metrics.
    var reason: String {
        switch cause {
        case .debt(let kind, _, _): kind.rawValue
        case .unknownNumber: "unknown-number"
        case .spending: "spending"
        }
    }

    /// Parses the words of `send-verification-code.lua`: level, cause, value, bound, retry after.
    init?(_ words: [String]) {
        guard words.count == 5, let level = Level(rawValue: words[0]), let value = Int64(words[2]),
            let bound = Int64(words[3]), let retryAfter = Int64(words[4])
        else { return nil }
        self.level = level
        if let kind = RangeKind(rawValue: words[1]) {
            cause = .debt(kind, owed: value, allowed: bound)
        } else if words[1] == "unknown-number" {
            cause = .unknownNumber
        } else if words[1] == "spending" {
            cause = .spending(spent: value, cap: bound)
        } else {
            return nil
        }
        retryAfterMilliseconds = retryAfter
    }
}

/// The kinds of ranges, the widest first.
enum RangeKind: String, Sendable, CaseIterable {
    case region
    case series
    case block
}

extension StepUp: CustomStringConvertible {
    /// The level and cause, for operators; contains no part of the number.
    public var description: String {
        switch cause {
        case .debt(let kind, let owed, let allowed):
            "\(level.rawValue): \(owed) unverified messages to the number's \(kind.words), \(allowed) allowed"
        case .unknownNumber: "\(level.rawValue): the number is not in the numbering data"
        case .spending(let spent, let cap):
            "\(level.rawValue): \(Money(micros: spent)) of \(Money(micros: cap)) spent on the region today"
        }
    }
}

extension StepUp {
    /// Whether a client that solves the hard challenge may send.
    public var allowsChallenged: Bool { level == .challenged }

    /// Whether sends are denied because the spending cap of the region is reached.
    public var isOfSpendingCap: Bool {
        if case .spending = cause { level == .denied } else { false }
    }

    /// How long a denial lasts if nothing changes.
    public var retryAfter: Duration { .milliseconds(retryAfterMilliseconds) }
}

extension RangeKind {
    /// The name for operators.
    var words: String {
        switch self {
        case .region: "region"
        case .series: "million neighbors"
        case .block: "ten thousand neighbors"
        }
    }
}
