internal import Synchronization
internal import Threads

/// A bounded priority queue of hashing jobs: the highest share first, and within a share the oldest job first.
final class HashingQueue: Sendable {
    /// A job, compared by identity.
    final class Job: Sendable {
        fileprivate let run: @Sendable () -> Void
        /// Signaled when the job has run and its place is free, or when another job has displaced it.
        let isDone = Semaphore()
        fileprivate let share: HashingShare

        init(for share: HashingShare = .known, _ run: @escaping @Sendable () -> Void) {
            self.share = share
            self.run = run
        }
    }

    private struct State {
        var waiting: [Job] = []
        /// The number of idle threads. A job for an idle thread does not wait.
        var idleThreads: Int
        var isClosed = false

        /// Makes room for another job, if necessary by displacing the newest waiting one of the lowest, lower share.
        /// - Returns: whether there is room, and the displaced job.
        mutating func makeRoom(for share: HashingShare, among maximumWaiting: Int) -> (isFree: Bool, lost: Job?) {
            if waiting.count < idleThreads + maximumWaiting { return (true, nil) }
            guard let lowest = waiting.map(\.share.rawValue).min(), lowest < share.rawValue,
                let newest = waiting.lastIndex(where: { $0.share.rawValue == lowest })
            else { return (false, nil) }
            return (true, waiting.remove(at: newest))
        }

        mutating func takeNext() -> Job? {
            let share = waiting.map(\.share.rawValue).max()
            return waiting.firstIndex { $0.share.rawValue == share }.map { waiting.remove(at: $0) }
        }
    }

    private let state: Mutex<State>
    private let maximumWaiting: Int
    private let threads: Int
    /// Signaled at least once for each job, and once for each thread on close.
    private let hasNews = Semaphore()

    init(threads: Int, maximumWaiting: Int) {
        self.threads = threads
        self.maximumWaiting = maximumWaiting
        state = Mutex(State(idleThreads: threads))
    }

    /// Adds a job; returns false if the queue is full. A waiting job that this one displaces is signaled as done
    /// without having run.
    func add(_ job: Job) -> Bool {
        let (isAdded, lost) = state.withLock { state -> (isFree: Bool, lost: Job?) in
            let place = state.makeRoom(for: job.share, among: maximumWaiting)
            if place.isFree { state.waiting.append(job) }
            return place
        }
        if isAdded { hasNews.signal() }
        lost?.isDone.signal()
        return isAdded
    }

    /// Removes a job that no thread has started. Its place is free at once.
    func withdraw(_ job: Job) {
        state.withLock { state in state.waiting.removeAll { $0 === job } }
    }

    /// Runs jobs on the calling thread until the queue is closed.
    func work() {
        while true {
            hasNews.wait()
            let (job, isClosed) = state.withLock { state -> (Job?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                // A withdrawn job leaves its signal behind.
                guard let next = state.takeNext() else { return (nil, false) }
                state.idleThreads -= 1
                return (next, false)
            }
            if isClosed { return }
            guard let job else { continue }
            job.run()
            state.withLock { $0.idleThreads += 1 }
            // Signaled only now, so that a caller that returns at once finds its place free.
            job.isDone.signal()
        }
    }

    /// Ends ``work()`` on all threads after their current jobs.
    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threads { hasNews.signal() }
    }
}

/// The priority of a client whose password is hashed, lowest first.
///
/// Rate limits per network do not stop an attacker who has many networks. So requests of better known clients are
/// hashed first, and displace requests of lesser known clients if the queue is full.
public enum HashingShare: Int, Sendable {
    /// A sign-up.
    case signUp
    /// A sign-in, with or without an account.
    case signIn
    /// A user with a session, a client that signed in to the account before, or an operator.
    case known
}
