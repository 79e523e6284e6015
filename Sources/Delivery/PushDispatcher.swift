public import Logging
public import PhoneAuth
internal import RedisStore
internal import Synchronization

/// Takes silent pushes off the outbox, sends them through APNs and remembers what it answered.
///
/// Any number of dispatchers share the outbox. A push is taken off it only when its fate is known, so one that a dispatcher
/// held when it died is sent by another: each is sent at least once, unless its time is up before.
public final class PushDispatcher: Sendable {
    /// An app of a project.
    public struct App: Hashable, Sendable {
        let project: String
        let bundleID: String

        /// Names an app.
        public init(project: String, bundleID: String) {
            self.project = project
            self.bundleID = bundleID
        }
    }

    /// How often held pushes are kept, and abandoned ones looked for.
    private static let keepingInterval: Duration = .seconds(2)
    /// After how long a push counts as abandoned: three intervals without a sign of its dispatcher.
    private static let abandonment: Duration = .seconds(6)
    /// How long to wait for pushes; shorter than the time-out of any command, and how long a stop may take to be noticed.
    private static let waiting: Duration = .milliseconds(300)
    /// How many pushes one dispatcher holds.
    private static let maximumHeld = 1000
    private static let backoff = RetryBackoff(first: .milliseconds(250), maximum: .seconds(10))

    private let reader: PushOutbox
    private let recorder: PushOutbox
    private let client: APNsClient
    private let credentials: [App: APNsCredential]
    private let environment: Environment
    private let logger: Logger
    private let held = Mutex<[String: PendingPush]>([:])
    private let isStopping = Atomic<Bool>(false)

    /// Puts the parts together. No other dispatcher may have this `name`; `connect` makes what one thread needs to reach the
    /// outbox.
    public init(
        name: String,
        connect: @Sendable () -> Authenticator,
        client: APNsClient,
        credentials: [App: APNsCredential],
        environment: Environment,
        logger: Logger
    ) {
        reader = PushOutbox(name: "push-outbox-reader", dispatcher: name, connect: connect)
        recorder = PushOutbox(name: "push-outbox-recorder", dispatcher: name, connect: connect)
        self.client = client
        self.credentials = credentials
        self.environment = environment
        self.logger = logger
    }

    /// Sends pushes until ``stop()``, and finishes what is under way.
    public func run() async {
        await withDiscardingTaskGroup { group in
            var isPrepared = false
            var nextKeeping = ContinuousClock.now
            var failures = 0
            while !isStopping.load(ordering: .relaxed) {
                do {
                    if !isPrepared { try await reader.prepare() }
                    isPrepared = true
                    if ContinuousClock.now >= nextKeeping {
                        nextKeeping = .now + Self.keepingInterval
                        let holding = held.withLock { Array($0.values) }
                        let inherited = try await reader.inherit(holding: holding, untouchedFor: Self.abandonment)
                        for push in inherited { start(push, in: &group) }
                    }
                    guard held.withLock({ $0.count }) < Self.maximumHeld else {
                        await pause(.milliseconds(10))
                        continue
                    }
                    for push in try await reader.take(wait: Self.waiting) { start(push, in: &group) }
                    failures = 0
                } catch {
                    // The outbox may be gone with Redis's data, so it is made anew.
                    isPrepared = false
                    failures += 1
                    logger.error("outbox", metadata: ["detail": "\(error)"])
                    await pause(delay(failures))
                }
            }
        }
        guard held.withLock({ $0.isEmpty }) else { return }
        try? await recorder.leave()
    }

    /// Asks to stop: no more pushes are taken, and one that waits for its next try is left to another dispatcher.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
    }

    private func start(_ push: PendingPush, in group: inout DiscardingTaskGroup) {
        let isNew = held.withLock { $0.updateValue(push, forKey: push.receipt) == nil }
        guard isNew else { return }
        group.addTask {
            guard let result = await self.send(push) else { return }
            await self.record(push, result)
            self.held.withLock { $0[push.receipt] = nil }
        }
    }

    /// Sends a push until its fate is known; nil where the dispatcher stops before.
    private func send(_ push: PendingPush) async -> PushResult? {
        let app = App(project: push.project, bundleID: push.bundleID)
        guard let credential = credentials[app], let topic = PushTopic(bundleID: push.bundleID) else {
            log(push, .error, "no APNs credential for the app")
            return .refused
        }
        guard environment.now() < push.expiresAt else {
            log(push, .warning, "its time was up")
            return .late
        }
        let notification = PushNotification(
            deviceToken: push.deviceToken,
            topic: topic,
            receipt: push.receipt,
            secret: push.secret,
            expiration: push.expiresAt.seconds
        )
        var failures = 0
        repeat {
            switch await client.send(notification, as: credential, tryingFirst: push.environment) {
            case .delivered(let environment):
                log(push, .info, "delivered", in: environment)
                return .delivered(environment)
            case .unregistered:
                log(push, .info, "unregistered")
                return .unreachable
            case .badDeviceToken:
                log(push, .warning, "neither environment knows the device token")
                return .unreachable
            case .refused(let reason):
                log(push, .error, "refused: \(reason)")
                return .refused
            case .retry(let retryAfter, let reason):
                failures += 1
                log(push, .warning, "to be tried again: \(reason)")
                let delay = min(delay(failures, retryAfter), push.expiresAt - environment.now())
                guard await pause(delay) else { return nil }
            }
        } while environment.now() < push.expiresAt
        log(push, .warning, "its time was up")
        return .late
    }

    /// Records a result. Where Redis does not answer until the push has expired, nobody needs it any more: some dispatcher will
    /// find that its time is up.
    private func record(_ push: PendingPush, _ result: PushResult) async {
        var failures = 0
        repeat {
            do {
                return try await recorder.finish(push, result)
            } catch {
                failures += 1
                logger.error("outbox", metadata: ["detail": "\(error)"])
            }
        } while await pause(delay(failures)) && environment.now() < push.expiresAt
    }

    /// Waits; false where a stop comes before the time is over.
    @discardableResult private func pause(_ duration: Duration) async -> Bool {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            guard !isStopping.load(ordering: .relaxed) else { return false }
            try? await Task.sleep(for: min(.milliseconds(100), end - .now))
        }
        return true
    }

    private func delay(_ failures: Int, _ retryAfter: Duration? = nil) -> Duration {
        var generator = SystemRandomNumberGenerator()
        return Self.backoff.delay(afterFailures: failures, retryAfter: retryAfter, using: &generator)
    }

    /// Neither device, receipt nor secret belong in a log.
    private func log(
        _ push: PendingPush,
        _ level: Logger.Level,
        _ outcome: String,
        in environment: PushEnvironment? = nil
    ) {
        logger.log(
            level: level,
            "push",
            metadata: [
                "project": "\(push.project)", "app": "\(push.bundleID)",
                "environment": "\((environment ?? push.environment).rawValue)", "outcome": "\(outcome)",
            ]
        )
    }
}
