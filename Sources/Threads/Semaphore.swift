internal import CThreads
internal import Glibc

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
