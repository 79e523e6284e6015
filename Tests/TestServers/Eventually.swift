import Glibc

/// Waits, by asking again and again, until something is so.
///
/// - Parameters:
///   - limit: how long to wait at most.
///   - interval: how long to wait between two questions.
///   - condition: asked again and again.
/// - Returns: whether it became so in time.
/// - Throws: what `condition` throws.
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
