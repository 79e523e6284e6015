internal import Glibc

/// The limits on wrong codes for a number since the last correct one, against brute force.
public struct WrongCodeLimits: Hashable, Sendable {
    /// After this many wrong codes, codes are rejected without verification until some are forgotten.
    public let maximum: Int
    /// After this many wrong codes, a client must wait before each further one: a second, then twice as long each time.
    public let perClientBeforeWait: Int
    /// The longest such wait.
    public let longestWaitMilliseconds: Int64
    /// The time in which half of the wrong codes are forgotten.
    public let halfLifeMilliseconds: Int64
    /// How many of the ``maximum`` are reserved for known clients: those that gave the number's correct code before.
    public let reservedForKnownClients: Int
    /// How many known clients are remembered: the latest ones.
    public let knownClients: Int
    /// How long a known client is remembered.
    public let knownClientMilliseconds: Int64

    /// Creates limits. The counts are at least 1, except the reserved part, which may be 0.
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
    /// The time after which all wrong codes are forgotten: eight half-lives after the last one, as in
    /// `answer-session.lua`.
    var memoryMilliseconds: Int64 { 8 * halfLifeMilliseconds }

    /// Returns how many of `count` wrong codes are left after a time. A partly forgotten one still counts as one.
    func left(of count: Double, after milliseconds: Int64) -> Int {
        Int((count * exp2(-Double(max(0, milliseconds)) / Double(halfLifeMilliseconds)) - 1e-6).rounded(.up))
    }
}

/// Why a code was rejected without verification.
public struct WrongCodeBlock: Hashable, Sendable {
    /// Whether only this client must wait, and not all clients.
    public let isOfClient: Bool
    /// The number of wrong codes, of this client or of all.
    public let wrongCodes: Int
    /// How long until a code is verified again.
    public let retryAfterMilliseconds: Int64
}
