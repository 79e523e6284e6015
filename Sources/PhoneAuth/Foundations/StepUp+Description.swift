internal import RedisScripts

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
    public var words: String {
        switch self {
        case .region: "region"
        case .series: "million neighbors"
        case .block: "ten thousand neighbors"
        }
    }
}
