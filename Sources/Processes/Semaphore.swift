import Glibc

/// A counting semaphore between threads.
///
/// Sendable although it holds a pointer: the pointer never changes, what it points to is a `sem_t`, which the system makes
/// safe to use from any thread, and it is freed only when no reference is left.
package final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    package init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }

    package func wait() { while sem_wait(semaphore) != 0 {} }
}
