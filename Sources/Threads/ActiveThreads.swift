internal import Glibc
internal import Synchronization

/// A limit on the active threads of a group. At the limit, another thread can become active only while an active one
/// waits for something that needs no processor.
///
/// More than a few active threads per processor do not increase throughput: they evict each other's data from the
/// caches, and each task takes as long as all concurrent tasks together. But threads that wait, for example for a
/// hook's response or a password hash, must not block others. So a thread *steps aside* while it waits. Windows' I/O
/// completion ports limit their threads in the same way.
package final class ActiveThreads: Sendable {
    private struct State {
        var active = 0
        /// The number of threads that are waiting to become active.
        var resting = 0
        var isClosed = false
    }

    private let maximum: Int
    private let state = Mutex(State())
    /// Whether too many threads are active. It is read often, and rarely true.
    private let isCrowded = Atomic(false)
    /// Signaled once per resting thread that becomes active.
    private let mayBeActive = Semaphore()

    /// Creates a group without threads.
    ///
    /// - Parameter maximum: the maximum number of active threads, at least one.
    package init(maximum: Int) {
        precondition(maximum > 0, "a thread must be active")
        self.maximum = maximum
    }

    /// Makes the calling thread a member of the group while `work` runs. `work` begins when the thread may be active.
    package func run(_ work: () -> Void) {
        ThreadGroup.current = self
        defer { ThreadGroup.current = nil }
        change { $0.active += 1 }
        restIfCrowded()
        work()
        stepOut()
    }

    /// Blocks the calling thread, a member of the group, if too many threads are active. Call this method between two
    /// tasks.
    package func restIfCrowded() {
        guard isCrowded.load(ordering: .relaxed) else { return }
        let mustRest = change { state in
            guard state.active > maximum, !state.isClosed else { return false }
            state.active -= 1
            state.resting += 1
            return true
        }
        if mustRest { mayBeActive.wait() }
    }

    /// Wakes all resting threads and lets no thread rest from now on, so that all threads can end.
    package func close() {
        let woken = change { state in
            state.isClosed = true
            defer {
                state.active += state.resting
                state.resting = 0
            }
            return state.resting
        }
        for _ in 0..<woken { mayBeActive.signal() }
    }

    /// Lets another thread of the calling thread's group be active while the calling thread waits for something that
    /// needs no processor.
    ///
    /// After the wait, the thread continues at once, even if this means that too many threads are active until the next
    /// one rests. A thread that belongs to no group just waits.
    ///
    /// - Parameter wait: the blocking call.
    /// - Returns: the result of `wait`.
    /// - Throws: the error of `wait`.
    package static func stepAside<Value, Failure: Error>(
        while wait: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let group = ThreadGroup.current else { return try wait() }
        // A nested call finds no group, because the thread has already stepped aside.
        ThreadGroup.current = nil
        group.stepOut()
        defer {
            group.change { $0.active += 1 }
            ThreadGroup.current = group
        }
        return try wait()
    }

    /// Blocks the calling thread for a time, during which it steps aside. Signals do not shorten the time. Returns at
    /// once if the time is not positive.
    package static func sleep(for time: Duration) {
        guard time > .zero else { return }
        let (seconds, attoseconds) = time.components
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        stepAside {
            var rest = timespec()
            while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
        }
    }

    private func stepOut() {
        let isReplaced = change { state in
            state.active -= 1
            guard state.active < maximum, state.resting > 0 else { return false }
            state.resting -= 1
            state.active += 1
            return true
        }
        if isReplaced { mayBeActive.signal() }
    }

    private func change<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        state.withLock { state in
            defer { isCrowded.store(state.active > maximum && !state.isClosed, ordering: .relaxed) }
            return change(&state)
        }
    }
}

/// The calling thread's group, in thread-local storage.
private enum ThreadGroup {
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Not retained: ``ActiveThreads/run(_:)`` keeps the group alive while this property is set.
    static var current: ActiveThreads? {
        get {
            guard let key, let group = pthread_getspecific(key) else { return nil }
            return Unmanaged<ActiveThreads>.fromOpaque(group).takeUnretainedValue()
        }
        set {
            guard let key else { return }
            pthread_setspecific(key, newValue.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }
    }
}
