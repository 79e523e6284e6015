internal import Synchronization
internal import Threads

/// Does work in a task and blocks the thread until it is done.
@discardableResult func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let outcome = Outcome<Value>()
    let isDone = Semaphore()
    Task {
        let value = await work()
        outcome.value.withLock { $0 = value }
        isDone.signal()
    }
    ActiveThreads.stepAside { isDone.wait() }
    guard let value = outcome.value.withLock({ $0 }) else { preconditionFailure("work that is done has set its value") }
    return value
}

private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
