import Threads

/// Runs an asynchronous operation and blocks this thread until the operation ends.
func waitFor<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) -> Result {
    let result = Promise<Result>()
    Task.detached { result.fulfill(await operation()) }
    return result.wait()
}
