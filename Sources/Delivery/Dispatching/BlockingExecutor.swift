internal import Dispatch

/// An executor that runs an actor's work on its own queue. The work blocks on Redis, and the shared threads of the
/// concurrency pool must not block.
final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(name: String) {
        queue = DispatchQueue(label: name)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
