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

    /// Everything is needed; the counts are at least 1.
    public init(
        maximum: Int,
        perClientBeforeWait: Int,
        longestWaitMilliseconds: Int64,
        memoryMilliseconds: Int64
    ) {
        self.maximum = maximum
        self.perClientBeforeWait = perClientBeforeWait
        self.longestWaitMilliseconds = longestWaitMilliseconds
        self.memoryMilliseconds = memoryMilliseconds
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
