import Synchronization
import Threads

/// Runs an asynchronous operation and blocks this thread until the operation ends.
func waitFor<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) -> Result {
    let isDone = Semaphore()
    let result = Outcome<Result>()
    Task.detached {
        let value = await operation()
        result.value.withLock { $0 = value }
        isDone.signal()
    }
    while true {
        isDone.wait()
        if let value = result.value.withLock({ $0 }) { return value }
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
