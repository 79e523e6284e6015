internal import Logging
internal import PhoneAuth
internal import RedisStore
internal import Synchronization

/// Takes what lies in one outbox and has it worked on, many at a time.
///
/// A dispatcher holds only what is being attempted, and no more for each destination than its bulkhead admits. What can
/// only wait, for its next attempt or for room, goes back to the outbox with the time when it is due. So a destination
/// that hangs or fails holds up nothing but its own items.
///
/// Any number of dispatchers share an outbox. What one takes stays in it until its fate is known, so what a dispatcher held
/// when it died is worked on by another: each item is carried out at least once, unless its time is up before.
final class OutboxDispatcher<Work: OutboxWork>: Sendable {
    typealias Content = Work.Content

    private let reader: OutboxConnection<Content>
    private let recorder: OutboxConnection<Content>
    private let work: Work
    private let environment: Environment
    private let logger: Logger
    private let held = Mutex<[String: Content]>([:])
    private let isStopping = Atomic<Bool>(false)

    /// No other dispatcher may have this `name`; `connect` makes what one thread needs to reach the outbox.
    init(
        _ work: Work,
        name: String,
        connect: @Sendable () -> Authenticator,
        environment: Environment,
        logger: Logger
    ) {
        self.work = work
        reader = OutboxConnection(name: "\(work.name)-reader", dispatcher: name, connect: connect)
        recorder = OutboxConnection(name: "\(work.name)-recorder", dispatcher: name, connect: connect)
        self.environment = environment
        self.logger = logger
    }

    /// Works until ``stop()``, and finishes what is under way.
    func run() async {
        let patience = Patience { self.isStopping.load(ordering: .relaxed) }
        await withDiscardingTaskGroup { group in
            var isPrepared = false
            var nextKeeping = ContinuousClock.now
            var failures = 0
            while !isStopping.load(ordering: .relaxed) {
                do throws(StoreUnavailable) {
                    if !isPrepared { try await reader.prepare() }
                    isPrepared = true
                    if ContinuousClock.now >= nextKeeping {
                        nextKeeping = .now + DispatcherTimes.keepingInterval
                        try await keep(patience, &group)
                    }
                    try await start(try await reader.takeWaiting(room: work.room()), patience, in: &group)
                    let heldCount = held.withLock { $0.count }
                    guard heldCount < DispatcherLimits.maximumHeld else {
                        await patience.pause(.milliseconds(10))
                        continue
                    }
                    // Work that ends makes room for what waits.
                    let wait = heldCount > 0 ? DispatcherTimes.shortWait : DispatcherTimes.wait
                    try await start(try await reader.take(wait: wait), patience, in: &group)
                    failures = 0
                } catch {
                    // The outbox may be gone with Redis's data, so it is made anew.
                    isPrepared = false
                    failures += 1
                    log(error)
                    await patience.pause(afterFailures: failures)
                }
            }
        }
        guard held.withLock({ $0.isEmpty }) else { return }
        try? await recorder.leave()
    }

    /// Asks to stop: nothing more is taken, and what has to be tried again waits in the outbox.
    func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    private func keep(_ patience: Patience, _ group: inout DiscardingTaskGroup) async throws(StoreUnavailable) {
        let holding = held.withLock { Array($0.values) }
        let inherited = try await reader.inherit(holding: holding, untouchedFor: DispatcherTimes.abandonment)
        try await start(inherited, patience, in: &group)
        try await reader.run { [work] authenticator throws(StoreUnavailable) in try work.lookAfter(authenticator) }
    }

    /// Starts an attempt at each of these that has room, and lets the others wait in the outbox. If Redis fails
    /// meanwhile, those are taken over as after a dispatcher's death.
    private func start(
        _ contents: [Content],
        _ patience: Patience,
        in group: inout DiscardingTaskGroup
    ) async throws(StoreUnavailable) {
        var postponed: [(content: Content, Postponement)] = []
        for content in contents {
            let id = id(of: content)
            let isNew = held.withLock { $0.updateValue(content, forKey: id) == nil }
            guard isNew else { continue }
            switch work.admit(content) {
            case .postponed(let postponement):
                held.withLock { $0[id] = nil }
                postponed.append((content, postponement))
            case .admitted(let reservation):
                group.addTask {
                    let outcome = await self.work.carryOut(content, reservation, self.recorder)
                    await self.record(content, outcome, patience)
                    self.held.withLock { $0[id] = nil }
                }
            }
        }
        if !postponed.isEmpty { try await reader.postpone(postponed) }
    }

    private func id(of content: Content) -> String { "\(content.item.shard.index)-\(content.item.entryID)" }

    /// Records how an attempt ended. If Redis does not answer until the item has expired, no one needs it:
    /// some dispatcher will find that its time is up.
    private func record(_ content: Content, _ outcome: AttemptOutcome<Work.Result>, _ patience: Patience) async {
        var failures = 0
        repeat {
            do throws(StoreUnavailable) {
                switch outcome {
                case .over(let result):
                    return try await recorder.run { [work] authenticator throws(StoreUnavailable) in
                        try work.finish(content, result, authenticator)
                    }
                case .postponed(let postponement):
                    return try await recorder.postpone([(content, postponement)])
                }
            } catch {
                failures += 1
                log(error)
            }
        } while await patience.pause(afterFailures: failures) && environment.now() < content.expiresAt
    }

    private func log(_ error: StoreUnavailable) {
        logger.error("outbox", metadata: ["outbox": "\(work.name)", "detail": "\(error)"])
    }
}

/// How dispatchers share an outbox.
private enum DispatcherTimes {
    /// How often held items are kept, and abandoned ones looked for.
    static let keepingInterval: Duration = .seconds(2)
    /// After how long an item counts as abandoned: three intervals without a sign of its dispatcher.
    static let abandonment: Duration = .seconds(6)
    /// How long to wait for items; shorter than the time-out of any command, and how long a stop may take to be noticed.
    static let wait: Duration = .milliseconds(300)
    /// The same while work is under way.
    static let shortWait: Duration = .milliseconds(50)
}
