internal import Logging
internal import PhoneAuth
internal import Synchronization
internal import Threads

/// A dispatcher of the outboxes of some projects, which takes their items and works on many of them concurrently.
///
/// A dispatcher holds only the items that it is attempting, and for each destination no more than its bulkhead allows.
/// An item that must wait for its next attempt, or for room, returns to the outbox with a due time. A destination that
/// hangs or fails therefore delays only its own items.
///
/// Any number of dispatchers share an outbox. An item stays in the outbox until its outcome is known. If a dispatcher
/// dies, another takes over its items, so delivery is at least once, unless the item expires first.
final class OutboxDispatcher<Work: OutboxWork>: Sendable {
    typealias Content = Work.Content

    private let reader: OutboxConnection<Content>
    private let recorder: OutboxConnection<Content>
    private let work: Work
    private let projects: [String]
    private let environment: Environment
    private let logger: Logger
    private let held = Mutex<[String: Content]>([:])
    private let patience = Patience()
    /// When the last round began, on the steady clock.
    private let roundBegan = Mutex(ContinuousClock.now)

    /// Whether it stops, or has begun a round within a minute. A round takes seconds even if Redis does not respond.
    var isAlive: Bool { patience.isStopped || ContinuousClock.now - roundBegan.withLock { $0 } < .seconds(60) }

    /// Creates a dispatcher. Its `name` must be unique among dispatchers of these projects; `connect` creates one
    /// thread's connection to the outboxes of the projects.
    init(
        _ work: Work,
        of projects: [String],
        name: String,
        connect: @Sendable (_ projects: [String]) -> Authenticator,
        environment: Environment,
        logger: Logger
    ) {
        self.work = work
        self.projects = projects
        reader = OutboxConnection(name: "\(work.name)-reader", dispatcher: name) { connect(projects) }
        recorder = OutboxConnection(name: "\(work.name)-recorder", dispatcher: name) { connect(projects) }
        self.environment = environment
        self.logger = logger
    }

    /// Runs until ``stop()``, and then finishes the work in progress.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.maintain() }
            var isPrepared = false
            var nextKeeping = ContinuousClock.now
            var failures = 0
            while !patience.isStopped {
                roundBegan.withLock { $0 = .now }
                do throws(StoreUnavailable) {
                    if !isPrepared { try await reader.prepare() }
                    isPrepared = true
                    let mustKeep = ContinuousClock.now >= nextKeeping
                    if mustKeep {
                        nextKeeping = .now + DispatcherTimes.keepingInterval
                        try await reader.touch(holding)
                    }
                    let waiting = try await reader.takeWaiting(room: work.room())
                    try await start(waiting.contents, in: &group)
                    if mustKeep { try await takeLost(&group) }
                    let heldCount = held.withLock { $0.count }
                    guard heldCount < DispatcherLimits.maximumHeld else {
                        await patience.pause(.milliseconds(10))
                        continue
                    }
                    // Finished work makes room for waiting items or postpones items, so the wait is short while work
                    // is in progress.
                    var wait = heldCount > 0 ? DispatcherTimes.shortWait : DispatcherTimes.wait
                    if let next = waiting.next { wait = min(wait, next > .zero ? next : DispatcherTimes.shortWait) }
                    try await start(try await reader.take(wait: wait), in: &group)
                    failures = 0
                } catch {
                    // Redis may have lost its data and with it the outbox, so create it again.
                    isPrepared = false
                    // A reply with items may have been lost.
                    nextKeeping = .now
                    failures += 1
                    logOccasionally(error, failures)
                    await patience.pause(Backoff.untilRedisIsBack.delay(afterFailures: failures))
                }
            }
        }
        guard held.withLock({ $0.isEmpty }) else { return }
        do {
            try await recorder.leave()
        } catch {
            log(error, 1)
        }
    }

    /// Requests a stop. The dispatcher then takes nothing more; items to retry wait in the outbox.
    func stop() {
        patience.stop()
    }

    /// Starts attempts at items that other dispatchers have abandoned, or that were lost on the way to this one. As
    /// long as no replica confirms these, it fails, so no new items are taken.
    private func takeLost(_ group: inout DiscardingTaskGroup) async throws(StoreUnavailable) {
        let abandoned = try await reader.takeAbandoned(untouchedFor: DispatcherTimes.abandonment)
        try await start(abandoned, in: &group)
        try await start(try await reader.retake(except: holding), in: &group)
    }

    /// Performs maintenance until the dispatcher stops. Its failures do not delay items.
    private func maintain() async {
        var failures = 0
        repeat {
            do throws(StoreUnavailable) {
                try await recorder.run { [work] authenticator throws(StoreUnavailable) in
                    try work.runMaintenance(authenticator)
                }
                failures = 0
            } catch {
                failures += 1
                logOccasionally(error, failures)
            }
        } while await patience.pause(DispatcherTimes.maintenanceInterval)
    }

    private var holding: [Content] { held.withLock { Array($0.values) } }

    /// Starts an attempt at each item that has room, and returns the others to the outbox. If Redis fails meanwhile,
    /// other dispatchers take these items over, as after a dispatcher's death.
    private func start(
        _ contents: [Content],
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
                    await self.record(content, outcome)
                    self.held.withLock { $0[id] = nil }
                }
            }
        }
        if !postponed.isEmpty { try await reader.postpone(postponed) }
    }

    private func id(of content: Content) -> String { "\(content.item.entryID).\(content.item.project)" }

    /// Records the outcome of an attempt, with retries. Once the item has expired, the outcome no longer matters, and
    /// another dispatcher handles the expired item.
    private func record(_ content: Content, _ outcome: AttemptOutcome<Work.Result>) async {
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
                log(error, failures)
            }
        } while await patience.pause(afterFailures: failures) && environment.now() < content.expiresAt
    }

    /// Logs the first failure and ever fewer of the following ones: their number grows with the logarithm of an
    /// outage's length.
    private func logOccasionally(_ error: StoreUnavailable, _ failures: Int) {
        if failures & (failures - 1) == 0 { log(error, failures) }
    }

    private func log(_ error: StoreUnavailable, _ failures: Int) {
        logger.error(
            "an outbox operation failed",
            metadata: [
                "outbox": "\(work.name)", "projects": "\(projects.joined(separator: ","))",
                "failures": .stringConvertible(failures), "detail": "\(error)",
            ]
        )
    }
}

extension Backoff {
    /// The delay before the outbox is read again. It is short, because it delays messages after a failover. The
    /// connection limits the attempts to connect by its own backoff.
    fileprivate static let untilRedisIsBack = Backoff(
        first: .milliseconds(50),
        maximum: .milliseconds(400),
        jitter: 0...1
    )
}

/// The timing by which dispatchers share an outbox.
private enum DispatcherTimes {
    /// The interval at which dispatchers renew the hold on their items and look for lost and abandoned items.
    static let keepingInterval: Duration = .seconds(1)
    /// The interval of maintenance.
    static let maintenanceInterval: Duration = .seconds(2)
    /// The time after which an item is abandoned: six intervals without a renewal.
    static let abandonment: Duration = .seconds(6)
    /// The longest wait for new items. It bounds the delay of a stop, and of an item that another dispatcher postponed.
    static let wait: Duration = .milliseconds(500)
    /// The wait for new items while work is in progress, or while an item waits for room.
    static let shortWait: Duration = .milliseconds(50)
}

/// The limits of one dispatcher.
enum DispatcherLimits {
    /// The maximum number of items that a dispatcher works on at a time.
    static let maximumHeld = 1000
}

/// Waits that end early if the dispatcher is stopped.
final class Patience: Sendable {
    /// The current waits; nil once the dispatcher has been stopped.
    private let waits = Mutex<Set<Task<Void, Never>>?>([])

    var isStopped: Bool { waits.withLock { $0 == nil } }

    /// Ends all waits.
    func stop() {
        let current = waits.withLock { waits in
            defer { waits = nil }
            return waits
        }
        for wait in current ?? [] { wait.cancel() }
    }

    /// Waits. Returns false if a stop ends the wait.
    @discardableResult func pause(_ duration: Duration) async -> Bool {
        let wait = Task { _ = try? await Task.sleep(for: duration) }
        guard waits.withLock({ $0?.insert(wait) }) != nil else {
            wait.cancel()
            return false
        }
        await wait.value
        return waits.withLock { $0?.remove(wait) } != nil
    }

    /// Waits longer after each failure. Returns false if a stop ends the wait.
    @discardableResult func pause(afterFailures failures: Int) async -> Bool {
        await pause(Backoff.betweenAttempts.delay(afterFailures: failures))
    }
}
