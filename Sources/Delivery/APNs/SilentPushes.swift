internal import Encodings
internal import Logging
internal import Metrics
internal import PhoneAuth
internal import Threads

/// The outbox work that sends silent pushes through APNs and stores its responses.
struct SilentPushes: OutboxWork {
    let name = "pushes"
    let client: APNsClient
    let credentials: [Dispatcher.App: APNsCredential]
    let environment: Environment
    let logger: Logger
    private let gate: CountingGate

    init(
        client: APNsClient,
        credentials: [Dispatcher.App: APNsCredential],
        environment: Environment,
        logger: Logger
    ) {
        self.client = client
        self.credentials = credentials
        self.environment = environment
        self.logger = logger
        gate = CountingGate(destinations: credentials.count)
    }

    /// Returns the destination of an app's pushes. Each app is its own destination, because APNs may refuse or throttle
    /// one app's pushes and accept another's.
    private static func destination(of app: Dispatcher.App) -> String { "\(app.project)/\(app.bundleID)" }

    private func destination(of push: PendingPush) -> String {
        Self.destination(of: Dispatcher.App(project: push.project, bundleID: push.bundleID))
    }

    func admit(_ push: PendingPush) -> Admission<Void> {
        gate.enter(destination(of: push)) ? .admitted(()) : .postponed(waiting(push, push.item.history))
    }

    func room() -> [String: DestinationRoom] { gate.room(of: credentials.keys.map { Self.destination(of: $0) }) }

    private func waiting(_ push: PendingPush, _ history: AttemptHistory, _ delay: Duration = .zero) -> Postponement {
        Postponement(
            delayMilliseconds: max(0, delay.milliseconds),
            until: push.expiresAt.milliseconds,
            destinations: [destination(of: push)],
            history: history
        )
    }

    func carryOut(
        _ push: PendingPush,
        _ reservation: Void,
        _ outbox: OutboxConnection<PendingPush>
    ) async -> AttemptOutcome<PushResult> {
        defer { gate.leave(destination(of: push)) }
        let app = Dispatcher.App(project: push.project, bundleID: push.bundleID)
        guard let credential = credentials[app] else {
            log(push, .error, "no APNs credential for the app")
            MetricFamily.pushes.count(push.project, "no-credential")
            return .over(.refused)
        }
        guard environment.now() < push.expiresAt else {
            log(push, .warning, "not sent in time")
            MetricFamily.pushes.count(push.project, "late")
            return .over(.late)
        }
        let notification = PushNotification(
            deviceToken: push.deviceToken,
            topic: push.bundleID,
            receipt: push.receipt,
            secret: push.secret,
            expiration: push.expiresAt.seconds
        )
        switch await client.send(notification, as: credential, tryingFirst: push.environment) {
        case .delivered(let environment):
            log(push, .info, "delivered", in: environment)
            MetricFamily.pushes.count(push.project, "delivered")
            return .over(.delivered(environment))
        case .unregistered:
            log(push, .info, "unregistered")
            MetricFamily.pushes.count(push.project, "unregistered")
            return .over(.unreachable)
        case .badDeviceToken:
            log(push, .warning, "neither environment knows the device token")
            MetricFamily.pushes.count(push.project, "bad-token")
            return .over(.badToken)
        case .refused(let reason):
            log(push, .error, "refused: \(reason)")
            MetricFamily.pushes.count(push.project, "refused")
            return .over(reason.mayBeAboutDevice ? .doubtful : .refused)
        case .retry(let retryAfter, let reason):
            log(push, .warning, "will be retried: \(reason)")
            MetricFamily.pushes.count(push.project, "retry")
            var history = push.item.history
            history.failures += 1
            let delay = Backoff.betweenAttempts.delay(afterFailures: history.failures, notBefore: retryAfter)
            return .postponed(waiting(push, history, min(delay, push.expiresAt - environment.now())))
        }
    }

    func finish(
        _ push: PendingPush,
        _ result: PushResult,
        _ authenticator: Authenticator
    ) throws(StoreUnavailable) {
        try authenticator.finish(push, result)
    }

    func runMaintenance(_ authenticator: Authenticator) {}

    /// Logs an outcome. The device token, the receipt and the secret must not be logged.
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
