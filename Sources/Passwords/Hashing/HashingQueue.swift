internal import Synchronization
internal import Threads

/// What is to be hashed: a bounded number of jobs. Those of the highest share come first, and within a share those that
/// waited longest.
final class HashingQueue: Sendable {
    /// Compared by its identity.
    final class Job: Sendable {
        fileprivate let run: @Sendable () -> Void
        /// Signalled when it has run and its place is free, or when it lost its place.
        let isDone = Semaphore()
        fileprivate let client: HashingClient

        init(for client: HashingClient = HashingClient(.known), _ run: @escaping @Sendable () -> Void) {
            self.client = client
            self.run = run
        }
    }

    private struct State {
        var waiting: [Job] = []
        /// Threads that have nothing to do: a job for one of them does not wait.
        var idleThreads: Int
        var isClosed = false

        /// Finds a place for another job, that of a waiting one if need be.
        /// - Returns: whether there is one, and which job lost it.
        mutating func makePlace(for client: HashingClient, among maximumWaiting: Int) -> (isFree: Bool, lost: Job?) {
            if waiting.count < idleThreads + maximumWaiting { return (true, nil) }
            guard let victim = lowerJob(than: client) ?? jobOfGreedierNetwork(than: client) else { return (false, nil) }
            return (true, waiting.remove(at: victim))
        }

        /// The newest job of the lowest share, if that is lower.
        private func lowerJob(than client: HashingClient) -> Int? {
            guard let lowest = waiting.map(\.client.share.rawValue).min(), lowest < client.share.rawValue else {
                return nil
            }
            return waiting.lastIndex { $0.client.share.rawValue == lowest }
        }

        /// The newest job of the same share whose network has another one waiting, for a network that has none.
        private func jobOfGreedierNetwork(than client: HashingClient) -> Int? {
            let ofShare = waiting.filter { $0.client.share == client.share }
            guard let network = client.network, !ofShare.contains(where: { $0.client.network == network }) else {
                return nil
            }
            return waiting.lastIndex { job in
                job.client.share == client.share && job.client.network != nil
                    && ofShare.count { $0.client.network == job.client.network } > 1
            }
        }

        mutating func takeNext() -> Job? {
            let share = waiting.map(\.client.share.rawValue).max()
            return waiting.firstIndex { $0.client.share.rawValue == share }.map { waiting.remove(at: $0) }
        }
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

    /// Adds a job, unless the queue is full: false then. A waiting job that loses its place to this one is done without
    /// having run.
    func add(_ job: Job) -> Bool {
        let (isAdded, lost) = state.withLock { state -> (isFree: Bool, lost: Job?) in
            let place = state.makePlace(for: job.client, among: maximumWaiting)
            if place.isFree { state.waiting.append(job) }
            return place
        }
        if isAdded { hasNews.signal() }
        lost?.isDone.signal()
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
                guard let next = state.takeNext() else { return (nil, false) }
                state.idleThreads -= 1
                return (next, false)
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
