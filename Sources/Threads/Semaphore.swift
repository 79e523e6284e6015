internal import CThreads
internal import Glibc
internal import Synchronization

/// A counting semaphore for threads.
///
/// `@unchecked Sendable`: the pointer never changes, the `sem_t` behind it is thread-safe, and it is freed only when no
/// reference is left.
package final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }

    package func wait() { while sem_wait(semaphore) != 0 {} }

    /// Waits for a signal. Returns false if none arrived within `limit`; a negative limit counts as zero.
    package func wait(atMost limit: Duration) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let (seconds, attoseconds) = max(.zero, limit).components
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while cthreads_wait_until(semaphore, &end) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}

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
