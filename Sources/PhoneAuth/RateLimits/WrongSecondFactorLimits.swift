/// The limits on wrong TOTP and recovery codes of an account since the last correct one, against brute force.
///
/// Not a ``RateLimit``: a correct code resets the count, which is part of the account's record and does not decay
/// gradually.
public struct WrongSecondFactorLimits: Hashable, Sendable {
    let maximum: Int
    let beforeWait: Int
    let longestWaitMilliseconds: Int64
    let memoryMilliseconds: Int64

    /// Creates limits. After `maximum` wrong codes, no code is verified until the count is reset, `memoryMilliseconds`
    /// after the last one. After `beforeWait`, the user must wait before each further one: a second, then twice as long
    /// each time, at most `longestWaitMilliseconds`.
    public init(maximum: Int, beforeWait: Int, longestWaitMilliseconds: Int64, memoryMilliseconds: Int64) {
        self.maximum = maximum
        self.beforeWait = beforeWait
        self.longestWaitMilliseconds = longestWaitMilliseconds
        self.memoryMilliseconds = memoryMilliseconds
    }
}
