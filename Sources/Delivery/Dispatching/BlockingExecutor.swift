internal import Dispatch

/// Runs an actor's work on a queue of its own, because the work waits for Redis: threads that all tasks share must not wait.
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
