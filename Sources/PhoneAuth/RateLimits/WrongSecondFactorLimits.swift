/// The limits on wrong TOTP and recovery codes of an account since the last correct one, against brute force.
///
/// Not a ``RateLimit``: a correct code resets the count, which is part of the account's record and does not decay
/// gradually.
public struct WrongSecondFactorLimits: Hashable, Sendable {
    /// After so many, no code is verified until the count is reset, `memoryMilliseconds` after the last one.
    let maximum: Int
    /// After so many, the user must wait before each further one: a second, then twice as long each time.
    let beforeWait: Int
    let longestWaitMilliseconds: Int64
    let memoryMilliseconds: Int64
}
