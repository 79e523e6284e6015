internal import Logging
internal import PhoneAuth
internal import RedisStore

/// Sends silent pushes through APNs, and remembers what it answered.
struct SilentPushes: OutboxWork {
    let name = "pushes"
    let client: APNsClient
    let credentials: [Dispatcher.App: APNsCredential]
    let environment: Environment
    let logger: Logger

    func carryOut(
        _ push: PendingPush,
        _ outbox: OutboxConnection<PendingPush>,
        _ patience: Patience
    ) async -> PushResult? {
        let app = Dispatcher.App(project: push.project, bundleID: push.bundleID)
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
                let delay = patience.delay(afterFailures: failures, retryAfter: retryAfter)
                guard await patience.pause(min(delay, push.expiresAt - environment.now())) else { return nil }
            }
        } while environment.now() < push.expiresAt
        log(push, .warning, "its time was up")
        return .late
    }

    func finish(
        _ push: PendingPush,
        _ result: PushResult,
        _ authenticator: Authenticator
    ) throws(StoreUnavailable) {
        try authenticator.finish(push, result)
    }

    func lookAfter(_ authenticator: Authenticator) {}

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
