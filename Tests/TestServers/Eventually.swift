import Glibc

/// Waits, by asking again and again, until something is so.
///
/// - Parameters:
///   - limit: how long to wait at most.
///   - condition: asked every few milliseconds.
/// - Returns: whether it became so in time.
/// - Throws: what `condition` throws.
public func eventually<Failure: Error>(
    within limit: Duration = .seconds(10),
    _ condition: () throws(Failure) -> Bool
) throws(Failure) -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= end { return false }
        usleep(5_000)
    }
}
