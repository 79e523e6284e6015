/// How many wrong codes for a number are judged between two right ones.
public struct WrongCodeLimits: Hashable, Sendable {
    /// After so many, no more until they are forgotten.
    public let maximum: Int
    /// After so many of one client it must wait before each further one: a second, then twice as long each time.
    public let perClientBeforeWait: Int
    /// No wait is longer.
    public let longestWaitMilliseconds: Int64
    /// How long after the last one they are forgotten.
    public let memoryMilliseconds: Int64
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
        memoryMilliseconds: Int64,
        reservedForKnownClients: Int,
        knownClients: Int,
        knownClientMilliseconds: Int64
    ) {
        self.maximum = maximum
        self.perClientBeforeWait = perClientBeforeWait
        self.longestWaitMilliseconds = longestWaitMilliseconds
        self.memoryMilliseconds = memoryMilliseconds
        self.reservedForKnownClients = reservedForKnownClients
        self.knownClients = knownClients
        self.knownClientMilliseconds = knownClientMilliseconds
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
