import Glibc
import Synchronization
import Threads

/// The one thread that starts all child processes. It never ends.
///
/// "Dies with its parent" is kept by the kernel for the *thread* that forked, not for its process: a child started by a
/// short-lived thread would be killed when that thread ends. So every start is handed to this thread.
final class StartingThread: Sendable {
    static let shared = StartingThread()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let hasJob = Semaphore()

    private init() {
        var thread = pthread_t()
        let failure = pthread_create(
            &thread,
            nil,
            { argument in
                if let argument { Unmanaged<StartingThread>.fromOpaque(argument).takeUnretainedValue().runForever() }
                return nil
            },
            Unmanaged.passRetained(self).toOpaque()
        )
        precondition(failure == 0, "the thread that starts processes cannot be made")
        pthread_detach(thread)
    }

    /// Runs a job on the thread and waits for what it returns.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) -> Result {
        let isDone = Semaphore()
        let result = Box<Result>()
        let job = { @Sendable in
            result.value.withLock { $0 = job() }
            isDone.signal()
        }
        jobs.withLock { $0.append(job) }
        hasJob.signal()
        isDone.wait()
        guard let value = result.value.withLock({ $0 }) else {
            preconditionFailure("a job signals after its result is set")
        }
        return value
    }

    private func runForever() {
        // A signal to the process is for a thread that waits for it, never for this one.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        while true {
            hasJob.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job()
        }
    }
}

private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}
