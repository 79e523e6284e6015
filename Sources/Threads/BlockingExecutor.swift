internal import Dispatch

/// An executor that runs an actor's work on its own queue. The work blocks, and the shared threads of the concurrency
/// pool must not block.
public final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// Creates an executor. The name appears in debuggers.
    public init(name: String) {
        queue = DispatchQueue(label: name)
    }

    /// Runs a job after those that were enqueued before.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
