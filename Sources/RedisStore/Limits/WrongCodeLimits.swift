internal import Glibc

/// How many wrong codes for a number are verified between two right ones.
public struct WrongCodeLimits: Hashable, Sendable {
    /// After this many, no more until some are forgotten.
    public let maximum: Int
    /// After so many of one client it must wait before each further one: a second, then twice as long each time.
    public let perClientBeforeWait: Int
    /// No wait is longer.
    public let longestWaitMilliseconds: Int64
    /// In what time half of them are forgotten.
    public let halfLifeMilliseconds: Int64
    /// How many of the ``maximum`` only clients may give that gave the number's right code before.
    public let reservedForKnownClients: Int
    /// How many of those clients are remembered, the latest.
    public let knownClients: Int
    /// For how long they are.
    public let knownClientMilliseconds: Int64

    /// Everything is needed; the counts are at least 1, but none need be reserved.
    public init(
        maximum: Int,
        perClientBeforeWait: Int,
        longestWaitMilliseconds: Int64,
        halfLifeMilliseconds: Int64,
        reservedForKnownClients: Int,
        knownClients: Int,
        knownClientMilliseconds: Int64
    ) {
        self.maximum = maximum
        self.perClientBeforeWait = perClientBeforeWait
        self.longestWaitMilliseconds = longestWaitMilliseconds
        self.halfLifeMilliseconds = halfLifeMilliseconds
        self.reservedForKnownClients = reservedForKnownClients
        self.knownClients = knownClients
        self.knownClientMilliseconds = knownClientMilliseconds
    }
}

extension WrongCodeLimits {
    /// How long after the last one all are forgotten: eight half-lives, as `answer-session.lua` has it.
    var memoryMilliseconds: Int64 { 8 * halfLifeMilliseconds }

    /// How many of `count` wrong codes are left after a time; one that is partly forgotten still counts.
    func left(of count: Double, after milliseconds: Int64) -> Int {
        Int((count * exp2(-Double(max(0, milliseconds)) / Double(halfLifeMilliseconds)) - 1e-6).rounded(.up))
    }
}

/// Why an answer was not judged.
public struct WrongCodeBlock: Hashable, Sendable {
    /// Whether only this client must wait, not everybody.
    public let isOfClient: Bool
    /// How many wrong codes there were, of this client or of all.
    public let wrongCodes: Int
    /// How long until an answer is judged again.
    public let retryAfterMilliseconds: Int64
}
