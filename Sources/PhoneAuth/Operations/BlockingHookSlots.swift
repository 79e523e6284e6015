public import Encodings
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

    private let maximumOfProject: Int
    private let post: Post
    /// The slots of all projects.
    private let taken: CountingGate
    /// The slots whose hooks were called.
    private let calling = CountingGate()

    /// Bounds the slots of all projects by `maximum`. A project gets a slot while fewer than `maximumOfProject` of its
    /// requests wait for hooks.
    public init(maximum: Int, maximumOfProject: Int, post: @escaping Post) {
        taken = CountingGate(maximum: maximum, share: max(maximumOfProject, (maximum + maximumOfProject) / 2))
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
        calling.count(of: project) < maximumOfProject && taken.hasRoom(for: project, in: groups(share, project))
    }

    /// Takes a slot for one request of a project; nil if there is no room.
    func slot(in project: String, for share: BlockingHookShare = .proven) -> BlockingHookSlot? {
        guard calling.count(of: project) < maximumOfProject, taken.enter(project, in: groups(share, project)) else {
            MetricFamily.hookCalls.count(project, "no-slot")
            return nil
        }
        return BlockingHookSlot(of: project, share, self)
    }

    /// Returns the groups of a slot: each share below ``BlockingHookShare/proven`` that includes its share.
    private func groups(_ share: BlockingHookShare, _ project: String) -> [CountingGate.Group] {
        BlockingHookShare.allCases.filter { $0.rawValue >= share.rawValue && $0 != .proven }
            .map { ("\(project) \($0)", $0.slots(of: maximumOfProject)) }
    }

    fileprivate func beginCalling(in project: String) { _ = calling.enter(project) }

    fileprivate func end(in project: String, _ share: BlockingHookShare, hasCalled: Bool) {
        if hasCalled { calling.leave(project) }
        taken.leave(project, in: groups(share, project))
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

/// What a request that needs a hook slot has proven, least first.
enum BlockingHookShare: Int, CaseIterable {
    /// Nothing: a sign-up with a new address and a password of the client's choice.
    case signUp
    /// A password.
    case password
    /// A verification session whose message was sent after app verification, or an ID token.
    case proven

    /// Returns how many of a project's slots this share and the lower ones may take together. Some slots are reserved
    /// for the higher shares, if there are at least two slots.
    func slots(of maximum: Int) -> Int {
        switch self {
        case .signUp: max(1, maximum / 2)
        case .password: max(1, maximum * 3 / 4)
        case .proven: maximum
        }
    }
}

/// A POST request to a hook.
public struct BlockingHookRequest: Sendable, Confidential {
    /// The hook's URL.
    public let url: ServiceURL
    /// The JSON body.
    public let body: [UInt8]
    /// The time from connecting to the last byte of the response.
    public let deadline: Duration
}

/// The outcome of a request to a hook.
public enum BlockingHookReply: Sendable, Confidential {
    /// A complete response, whatever its status, redirects included; the body is empty if it exceeded the maximum
    /// length.
    case answered(status: Int, body: [UInt8])
    /// No complete response within the deadline.
    case timedOut
    /// No response; the reason in a word for the log.
    case unreachable(String)
}

extension BlockingHookReply {
    /// The outcome in a word, for metrics.
    var word: String {
        switch self {
        case .answered(200..<300, _): "allowed"
        case .answered: "denied"
        case .timedOut: "timed-out"
        case .unreachable: "unreachable"
        }
    }
}
