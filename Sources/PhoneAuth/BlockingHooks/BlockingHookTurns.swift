internal import Encodings
internal import Synchronization

/// How many requests may wait for hooks at once.
///
/// A hook that hangs holds the thread of each request that waits for it. So a project may hold some of a process's threads so,
/// all projects together some more, and who comes then is told to come later at once: what needs no hook goes on, and so do
/// other projects.
public final class BlockingHookTurns: Sendable {
    /// Posts a request and waits for the answer, within its deadline. It blocks the calling thread.
    public typealias Post = @Sendable (BlockingHookRequest) -> BlockingHookReply

    private let maximum: Int
    private let maximumOfProject: Int
    private let post: Post
    /// How many requests have a turn, by project.
    private let taken = Mutex<[String: Int]>([:])

    /// Bounds the requests of all projects by `maximum`, and those of each by `maximumOfProject`.
    public init(maximum: Int, maximumOfProject: Int, post: @escaping Post) {
        self.maximum = maximum
        self.maximumOfProject = maximumOfProject
        self.post = post
    }

    /// Half of the threads that serve requests may wait for hooks, and a quarter for those of one project; one in any case.
    public convenience init(servingThreads: Int, post: @escaping Post) {
        self.init(maximum: max(1, servingThreads / 2), maximumOfProject: max(1, servingThreads / 4), post: post)
    }

    /// A turn for one request of a project; nil where as many as may have one.
    func turn(in project: String) -> BlockingHookTurn? {
        let isFree = taken.withLock { taken in
            guard taken.values.reduce(0, +) < maximum, taken[project, default: 0] < maximumOfProject else {
                return false
            }
            taken[project, default: 0] += 1
            return true
        }
        return isFree ? BlockingHookTurn(of: project, self) : nil
    }

    fileprivate func end(in project: String) {
        taken.withLock { taken in
            let rest = taken[project, default: 0] - 1
            taken[project] = rest > 0 ? rest : nil
        }
    }

    fileprivate func send(_ request: BlockingHookRequest) -> BlockingHookReply { post(request) }
}

/// A request's turn to wait for hooks; it ends with the value. All calls together take ``Policy/blockingHookDeadline`` at most.
final class BlockingHookTurn: Sendable {
    private let project: String
    private let turns: BlockingHookTurns
    private let timeLeft = Mutex(Policy.blockingHookDeadline)

    fileprivate init(of project: String, _ turns: BlockingHookTurns) {
        self.project = project
        self.turns = turns
    }

    deinit { turns.end(in: project) }

    /// Asks a hook and waits for its answer.
    /// - Returns: the answer, and how long it took.
    func call(_ hook: ServiceURL, _ body: [UInt8]) -> (reply: BlockingHookReply, duration: Duration) {
        let deadline = timeLeft.withLock { $0 }
        guard deadline > .zero else { return (.timedOut, .zero) }
        let start = ContinuousClock.now
        let reply = turns.send(BlockingHookRequest(url: hook, body: body, deadline: deadline))
        let duration = ContinuousClock.now - start
        timeLeft.withLock { $0 -= duration }
        return (reply, duration)
    }
}
