internal import Glibc
internal import Synchronization

/// Lets so many of a group of threads be active at once, and another one only where one of these waits for something that
/// takes no processor.
///
/// More active threads than a few for each processor get no more done: they push each other's work out of the caches, and each
/// piece of work takes as long as all that were begun. But threads that wait, for a hook's answer or a password's hash, must
/// not keep others from their work. So a thread *steps aside* while it waits. An I/O completion port of Windows bounds its
/// threads in the same way.
package final class ActiveThreads: Sendable {
    private struct State {
        var active = 0
        /// Threads that wait until they may be active.
        var resting = 0
        var isClosed = false
    }

    private let maximum: Int
    private let state = Mutex(State())
    /// Whether more threads are active than may be: looked at often, and seldom true.
    private let isCrowded = Atomic(false)
    /// Signalled for each resting thread that has been made active.
    private let mayBeActive = Semaphore()

    /// A group without threads.
    /// - Parameter maximum: how many may be active, at least one.
    package init(maximum: Int) {
        precondition(maximum > 0, "a thread must be active")
        self.maximum = maximum
    }

    /// Makes the calling thread one of the group for as long as `work` takes, which begins when it may be active.
    package func run(_ work: () -> Void) {
        ThreadGroup.current = self
        defer { ThreadGroup.current = nil }
        change { $0.active += 1 }
        restIfCrowded()
        work()
        stepOut()
    }

    /// Rests if too many threads are active, until this one may be again. To be called between two pieces of work, by a thread
    /// of the group.
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

    /// Has no thread rest any more: for the end, which all have to see.
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

    /// Waits for something that needs no processor, and lets another thread of the calling one's group be active meanwhile.
    ///
    /// When the wait is over, the thread goes on at once, even if it is one too many until the next of them rests. A thread of no
    /// group just waits.
    ///
    /// - Parameter wait: what waits.
    /// - Returns: what it returns.
    /// - Throws: what it throws.
    package static func stepAside<Value, Failure: Error>(
        while wait: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let group = ThreadGroup.current else { return try wait() }
        // A wait within this one finds no group: the thread has stepped aside already.
        ThreadGroup.current = nil
        group.stepOut()
        defer {
            group.change { $0.active += 1 }
            ThreadGroup.current = group
        }
        return try wait()
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

/// Which group the calling thread is one of.
private enum ThreadGroup {
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// The group is not retained: ``ActiveThreads/run(_:)`` holds it for as long as this says so.
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
