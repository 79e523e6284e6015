import Glibc

/// Polls a condition until it is true.
///
/// - Parameters:
///   - limit: the maximum time to wait.
///   - interval: the time between two polls.
///   - condition: the condition.
/// - Returns: whether the condition became true in time.
/// - Throws: the error of `condition`.
public func eventually<Failure: Error>(
    within limit: Duration = .seconds(10),
    every interval: Duration = .milliseconds(5),
    _ condition: () throws(Failure) -> Bool
) throws(Failure) -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= end { return false }
        usleep(UInt32(interval / .microseconds(1)))
    }
}
