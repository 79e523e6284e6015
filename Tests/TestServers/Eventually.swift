import Threads

/// Polls a condition until it is true.
///
/// - Parameters:
///   - limit: the maximum time to wait. Keep the default unless the limit itself is tested: a loaded machine may stall
///     for many seconds.
///   - interval: the time between two polls.
///   - condition: the condition.
/// - Returns: whether the condition became true in time.
/// - Throws: the error of `condition`.
public func eventually<Failure: Error>(
    within limit: Duration = .seconds(60),
    every interval: Duration = .milliseconds(5),
    _ condition: () throws(Failure) -> Bool
) throws(Failure) -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try condition() { return true }
        if ContinuousClock.now >= end { return false }
        ActiveThreads.sleep(for: interval)
    }
}

/// Polls a condition until it is true, as ``eventually(within:every:_:)`` does, and lets other tasks run meanwhile.
///
/// - Parameters:
///   - limit: the maximum time to wait.
///   - isolation: the caller's actor, whose state the condition may read.
///   - condition: the condition.
/// - Returns: whether the condition became true in time, and before the task was cancelled.
public func waitUntil(
    within limit: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end, !Task.isCancelled else { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}
