internal import Synchronization

/// A value that another thread or task sets once. One thread may block until then.
///
/// ```swift
/// let answer = Promise<Answer>()
/// queue.add { answer.fulfill(compute()) }
/// return answer.wait()
/// ```
package final class Promise<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isFulfilled = Semaphore()

    package init() {}

    package func fulfill(_ value: Value) {
        self.value.withLock { $0 = value }
        isFulfilled.signal()
    }

    package func wait() -> Value {
        isFulfilled.wait()
        return fulfilled
    }

    /// Waits for the value. Returns nil if it was not set within `limit`.
    package func wait(atMost limit: Duration) -> Value? { isFulfilled.wait(atMost: limit) ? fulfilled : nil }

    private var fulfilled: Value {
        guard let value = value.withLock({ $0 }) else { preconditionFailure("a fulfilled promise has a value") }
        return value
    }
}
