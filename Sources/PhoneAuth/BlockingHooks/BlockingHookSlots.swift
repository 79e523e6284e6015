internal import Encodings
internal import Metrics
internal import Synchronization
internal import Threads

/// Bounds how many requests may wait for hooks at the same time (bulkhead), each in a *slot*.
///
/// A hook that hangs blocks the thread of each request that waits for it. So each project may block only a part of a
/// process's threads, and all projects together only a larger part. A request beyond the bound is rejected at once, so
/// requests without hooks and other projects continue.
///
/// A request takes its slot **before its secret is verified**. If only correct codes needed a slot, the refusal would
/// reveal that a code is correct before the guess was counted. Conversely, guesses must not starve correct codes, so a
/// slot counts as *verifying* until its first hook is called. A project has more slots than threads that its hooks may
/// block. The difference is for requests whose codes are being verified: a wrong code releases its slot after one round
/// trip to Redis.
///
/// A project's slots are shared: clients that have proven little leave some to clients that have proven more
/// (``BlockingHookShare``). So a flood of sign-ups does not keep users out.
public final class BlockingHookSlots: Sendable {
    /// Posts a request and waits for the response, at most until the deadline. Blocks the calling thread.
    public typealias Post = @Sendable (BlockingHookRequest) -> BlockingHookReply

    /// The slots of one project.
    private struct Taken {
        var verifying = 0
        var calling = 0
        /// The number of slots of each share.
        var byShare = [Int](repeating: 0, count: BlockingHookShare.allCases.count)
        var count: Int { verifying + calling }

        /// Returns the number of slots of this share and of the lower ones.
        func count(upTo share: BlockingHookShare) -> Int { byShare[...share.rawValue].reduce(0, +) }
    }

    private let maximum: Int
    private let maximumOfProject: Int
    private let post: Post
    private let taken = Mutex<[String: Taken]>([:])

    /// Bounds the slots of all projects by `maximum`. A project gets a slot while fewer than `maximumOfProject` of its
    /// requests wait for hooks.
    public init(maximum: Int, maximumOfProject: Int, post: @escaping Post) {
        self.maximum = maximum
        self.maximumOfProject = maximumOfProject
        self.post = post
    }

    /// Takes the bounds from ``BlockingBudget``: half of the threads that serve requests may wait for hooks, and a
    /// quarter for the hooks of one project; at least one each.
    public convenience init(servingThreads: Int, post: @escaping Post) {
        let budget = BlockingBudget(servingThreads: servingThreads)
        self.init(maximum: budget.blockingHooks, maximumOfProject: budget.blockingHooksOfProject, post: post)
    }

    /// Returns whether a request of a project would get a slot now.
    func hasRoom(in project: String, for share: BlockingHookShare = .proven) -> Bool {
        taken.withLock { hasRoom(in: project, for: share, $0) }
    }

    /// Takes a slot for one request of a project; nil if there is no room.
    func slot(in project: String, for share: BlockingHookShare = .proven) -> BlockingHookSlot? {
        let isFree = taken.withLock { taken in
            guard hasRoom(in: project, for: share, taken) else { return false }
            taken[project, default: Taken()].verifying += 1
            taken[project, default: Taken()].byShare[share.rawValue] += 1
            return true
        }
        guard isFree else {
            MetricFamily.hookCalls.count(project, "no-slot")
            return nil
        }
        return BlockingHookSlot(of: project, share, self)
    }

    private func hasRoom(in project: String, for share: BlockingHookShare, _ taken: [String: Taken]) -> Bool {
        let own = taken[project] ?? Taken()
        let isWithinShares = BlockingHookShare.allCases.allSatisfy { above in
            above.rawValue < share.rawValue || above == .proven
                || own.count(upTo: above) < above.slots(of: maximumOfProject)
        }
        guard isWithinShares else { return false }
        return taken.values.reduce(0) { $0 + $1.count } < maximum && own.calling < maximumOfProject
            && own.count < max(maximumOfProject, (maximum + maximumOfProject) / 2)
    }

    fileprivate func beginCalling(in project: String) {
        taken.withLock { taken in
            taken[project, default: Taken()].verifying -= 1
            taken[project, default: Taken()].calling += 1
        }
    }

    fileprivate func end(in project: String, _ share: BlockingHookShare, hasCalled: Bool) {
        taken.withLock { taken in
            var rest = taken[project] ?? Taken()
            if hasCalled { rest.calling -= 1 } else { rest.verifying -= 1 }
            rest.byShare[share.rawValue] -= 1
            taken[project] = rest.count > 0 ? rest : nil
        }
    }

    fileprivate func send(_ request: BlockingHookRequest) -> BlockingHookReply { post(request) }
}

/// A request's slot for waiting for hooks, released in `deinit`. All calls together take at most
/// ``BlockingHooks/deadline``.
final class BlockingHookSlot: Sendable {
    private struct State {
        var timeLeft = BlockingHooks.deadline
        var hasCalled = false
    }

    private let project: String
    private let share: BlockingHookShare
    private let slots: BlockingHookSlots
    private let state = Mutex(State())

    fileprivate init(of project: String, _ share: BlockingHookShare, _ slots: BlockingHookSlots) {
        self.project = project
        self.share = share
        self.slots = slots
        MetricRegistry.process.gauge(.hooksInProgress).add(1)
    }

    deinit {
        slots.end(in: project, share, hasCalled: state.withLock { $0.hasCalled })
        MetricRegistry.process.gauge(.hooksInProgress).add(-1)
    }

    /// Calls a hook and waits for its response.
    /// - Returns: the response, and how long it took.
    func call(_ hook: ServiceURL, _ body: [UInt8]) -> (reply: BlockingHookReply, duration: Duration) {
        let (deadline, isFirst) = state.withLock { state in
            defer { state.hasCalled = true }
            return (state.timeLeft, !state.hasCalled)
        }
        if isFirst { slots.beginCalling(in: project) }
        guard deadline > .zero else { return (.timedOut, .zero) }
        let start = ContinuousClock.now
        let reply = slots.send(BlockingHookRequest(url: hook, body: body, deadline: deadline))
        let duration = ContinuousClock.now - start
        state.withLock { $0.timeLeft -= duration }
        MetricFamily.hookCalls.count(project, reply.word)
        MetricRegistry.process.histogram(.hookDuration, project).observe(duration)
        return (reply, duration)
    }
}
