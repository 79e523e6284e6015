public import Encodings
public import RedisStore

/// A silent push that is to be sent now.
public struct PendingPush: Sendable, Confidential {
    /// The app's project.
    public let project: String
    /// The app's bundle id: the push's topic.
    public let bundleID: String
    /// The device.
    public let deviceToken: DeviceToken
    /// Where to try first.
    public let environment: PushEnvironment
    /// What the client waits for.
    public let receipt: String
    /// What proves that it got there.
    public let secret: String
    /// When it is of no use any more.
    public let expiresAt: Instant
    let queued: QueuedPush
}

/// How the sending of a push ended.
public enum PushResult: Sendable, Equatable {
    /// APNs took it in this environment.
    case delivered(PushEnvironment)
    /// The app is gone from the device.
    case unreachable
    /// APNs does not know the device token.
    case badToken
    /// APNs refused it for a reason that either the device's own token or the app's settings may be.
    case doubtful
    /// APNs refused it for a fault of the app's credential or topic.
    case refused
    /// Its time was up.
    case late
}

extension PendingPush: OutboxContent {
    /// Where it lies.
    public static var outbox: Outbox { .pushes }

    /// Opens an item; nil for what this deployment's keys do not open.
    public init?(_ item: OutboxItem, _ authenticator: Authenticator) {
        let keys = authenticator.keys
        guard let push = QueuedPush(item),
            let bytes = keys.data.open(
                push.sealedToken,
                context: Authenticator.deviceTokenContext(push.project, push.bundleID)
            ),
            let deviceToken = DeviceToken(hexadecimal: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let receipt = PushReceipt(id: push.receipt)
        project = push.project
        bundleID = push.bundleID
        self.deviceToken = deviceToken
        environment = push.environment
        self.receipt = receipt.text
        secret = receipt.secret(for: push.bundleID, in: push.project, keys)
        expiresAt = Instant(milliseconds: push.expiresAt)
        queued = push
    }

    /// Whether a key file that was read later may open it.
    public static func isSealedByUnknownKey(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool {
        QueuedPush(item).map { !authenticator.keys.knows($0.sealedToken) } ?? false
    }

    /// What it was read from.
    public var item: OutboxItem { queued.item }
}

extension Authenticator {
    /// Remembers what came of a push, counts it and takes it off the outbox.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless but for the count.
    public func finish(_ push: PendingPush, _ result: PushResult) throws(StoreUnavailable) {
        let now = environment.now().milliseconds
        let lesson: PushLesson =
            switch result {
            case .delivered(let environment): .reachable(environment)
            case .unreachable: .unreachable(until: now + Policy.unreachableDeviceMemory.milliseconds)
            case .badToken, .doubtful: .bad(until: now + Policy.badDeviceTokenMemory.milliseconds)
            case .refused, .late: .nothing
            }
        try store.finish(
            push.queued,
            to: push.deviceToken.identity(for: push.bundleID, in: push.project, keys, among: store.shards),
            lesson,
            deviceMilliseconds: Policy.deviceMemory.milliseconds,
            unusedReceiptMilliseconds: Policy.unusedReceiptLifetime.milliseconds,
            now: now
        )
        if try isAppRefused(push, result, now) {
            let until = now + Policy.refusedPushMemory.milliseconds
            try store.setPushesRefused(of: push.project, bundleID: push.bundleID, until: until)
        }
        if case .delivered(let environment) = result {
            store.count(.sent, of: push.project, bundleID: push.bundleID, environment, now: now)
        } else {
            store.count(.failed, of: push.project, bundleID: push.bundleID, push.environment, now: now)
        }
    }

    /// Whether the app's settings are to blame for how a push ended, and not a device. A device token of another app,
    /// or of an environment that the app's key is not for, must not stop the pushes to everybody else; several
    /// networks' devices are not all wrong.
    private func isAppRefused(
        _ push: PendingPush,
        _ result: PushResult,
        _ now: Int64
    ) throws(StoreUnavailable) -> Bool {
        switch result {
        case .refused: return true
        case .doubtful:
            guard let widest = push.queued.networks.last else { return false }
            let networks = try store.countDoubtfulPush(
                of: push.project,
                bundleID: push.bundleID,
                from: widest,
                windowMilliseconds: Policy.doubtfulPushMemory.milliseconds,
                now: now
            )
            return networks >= Policy.networksThatDoubtPushes
        case .delivered:
            try store.forgetDoubtfulPushes(of: push.project, bundleID: push.bundleID)
            return false
        case .unreachable, .badToken, .late: return false
        }
    }

    /// What was counted of a project's pushes in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func pushCounts(of project: Project, days: Int) throws(StoreUnavailable) -> [PushCount] {
        try store.pushCounts(of: project.id, days: days, now: environment.now().milliseconds)
    }
}
