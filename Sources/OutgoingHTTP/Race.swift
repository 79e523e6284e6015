/// How a race against the clock ended.
enum RaceResult<Value: Sendable>: Sendable {
    case finished(Value)
    case timedOut
    /// The task that waited was cancelled.
    case cancelled
}

/// Does work, and waits for it until a deadline.
///
/// The loser is cancelled and not waited for, as a task group would: work that never ends costs the caller the deadline and no more.
///
/// - Parameters:
///   - deadline: how long to wait at most.
///   - work: what to do, in a task of its own.
/// - Returns: how it ended; at once where the caller's task is cancelled.
func race<Value: Sendable>(
    within deadline: Duration,
    _ work: @escaping @Sendable () async -> Value
) async -> RaceResult<Value> {
    let first = FirstResult<RaceResult<Value>>()
    let runner = Task { first.settle(.finished(await work())) }
    let clock = Task {
        try await Task.sleep(for: deadline)
        first.settle(.timedOut)
    }
    defer {
        runner.cancel()
        clock.cancel()
    }
    return await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        first.settle(.cancelled)
    }
}
