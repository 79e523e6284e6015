import Glibc
import Synchronization
import Threads

/// The thread that starts all child processes. It never ends.
///
/// PR_SET_PDEATHSIG applies to the parent *thread* that forked, not to its process: a child started by a short-lived
/// thread would be killed when the thread ends. So this thread starts all children.
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
        precondition(failure == 0, "the thread that starts processes cannot be created")
        pthread_detach(thread)
    }

    /// Runs a job on the thread, and returns its result.
    func run<Result: Sendable>(_ job: @escaping @Sendable () -> Result) -> Result {
        let result = Promise<Result>()
        jobs.withLock { $0.append { result.fulfill(job()) } }
        hasJob.signal()
        return result.wait()
    }

    private func runForever() {
        // Signals to the process are meant for threads that wait for them, never for this one.
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
