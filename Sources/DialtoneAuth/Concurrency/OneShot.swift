internal import Foundation

/// A result that arrives once and that one task waits for. Later results are ignored.
final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case finished
    }

    private let state = Locked(State.empty)

    /// Delivers the result, unless there is one already.
    func resolve(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .empty: state = .resolved(result)
            case .waiting(let continuation):
                state = .finished
                return continuation
            case .resolved, .finished: break
            }
            return nil
        }
        continuation?.resume(with: result)
    }

    /// Waits for the result. Throws `CancellationError` at once if the waiting task is cancelled.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early = state.withLock { state -> Result<Value, any Error>? in
                    guard case .resolved(let result) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .finished
                    return result
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }
}

/// Waits for a task that others may also wait for. If the waiting task is cancelled, only the wait ends.
func result<Value: Sendable>(of task: Task<Value, any Error>) async throws -> Value {
    let oneShot = OneShot<Value>()
    Task { oneShot.resolve(await task.result) }
    return try await oneShot.value()
}

/// Runs an operation, and cancels it at a deadline or when the calling task is cancelled.
///
/// - Parameters:
///   - seconds: the time until the deadline.
///   - error: returns the error to throw at the deadline.
///   - operation: the operation. If it ignores its cancellation, its result is ignored.
/// - Returns: the operation's result.
/// - Throws: the operation's error, the error of the deadline, or `CancellationError`.
func withDeadline<Value: Sendable>(
    seconds: TimeInterval,
    _ error: @escaping @Sendable () -> any Error,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let oneShot = OneShot<Value>()
    let work = Task {
        do { oneShot.resolve(.success(try await operation())) } catch { oneShot.resolve(.failure(error)) }
    }
    let timer = Task {
        try await sleep(seconds: seconds)
        oneShot.resolve(.failure(error()))
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    return try await oneShot.value()
}

/// Sleeps for a number of seconds, or until the task is cancelled.
func sleep(seconds: TimeInterval) async throws {
    try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9))
}

/// A runner that executes an operation once for all concurrent callers with the same key (single flight).
///
/// The operation continues if a caller is cancelled: others wait for it, and what it changes on the server must be
/// known here. A caller that is cancelled returns at once.
actor Coalescer<Key: Hashable & Sendable, Value: Sendable> {
    private var running: [Key: Task<Value, any Error>] = [:]

    /// Returns the result of the running operation with this key, or starts it.
    func value(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        return try await result(of: running[key] ?? start(key, operation))
    }

    private func start(
        _ key: Key,
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        let task = Task {
            defer { running[key] = nil }
            return try await operation()
        }
        running[key] = task
        return task
    }
}
