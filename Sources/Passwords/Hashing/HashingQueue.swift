internal import Synchronization
internal import Threads

/// What is to be hashed: first in, first out, and never more than so many.
final class HashingQueue: Sendable {
    /// Compared by its identity.
    final class Job: Sendable {
        fileprivate let run: @Sendable () -> Void
        /// Signalled when it has run and its place is free.
        let isDone = Semaphore()

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private struct State {
        var waiting: [Job] = []
        /// Threads that have nothing to do: a job for one of them does not wait.
        var idleThreads: Int
        var isClosed = false
    }

    private let state: Mutex<State>
    private let maximumWaiting: Int
    private let threads: Int
    /// Signalled at least once for each job, and for each thread at the end.
    private let hasNews = Semaphore()

    init(threads: Int, maximumWaiting: Int) {
        self.threads = threads
        self.maximumWaiting = maximumWaiting
        state = Mutex(State(idleThreads: threads))
    }

    /// Adds a job, unless the queue is full: false then.
    func add(_ job: Job) -> Bool {
        let isAdded = state.withLock { state in
            guard state.waiting.count < state.idleThreads + maximumWaiting else { return false }
            state.waiting.append(job)
            return true
        }
        if isAdded { hasNews.signal() }
        return isAdded
    }

    /// Takes a job back that no thread has begun: its place is free at once.
    func withdraw(_ job: Job) {
        state.withLock { state in state.waiting.removeAll { $0 === job } }
    }

    /// Runs what is added, on the calling thread, until the queue is closed.
    func work() {
        while true {
            hasNews.wait()
            let (job, isClosed) = state.withLock { state -> (Job?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                // A job that was withdrawn leaves its signal.
                guard !state.waiting.isEmpty else { return (nil, false) }
                state.idleThreads -= 1
                return (state.waiting.removeFirst(), false)
            }
            if isClosed { return }
            guard let job else { continue }
            job.run()
            state.withLock { $0.idleThreads += 1 }
            // Only now: a caller that comes again at once finds the place that it had.
            job.isDone.signal()
        }
    }

    /// Ends ``work()`` on all threads when they have done what they began.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threads { hasNews.signal() }
    }
}
