public import Encodings
public import RedisScripts

/// A silent push that is due.
public struct PendingPush: Sendable, Confidential {
    /// The app's project.
    public let project: String
    /// The app's bundle id: the push's topic.
    public let bundleID: BundleID
    /// The device.
    public let deviceToken: DeviceToken
    /// The APNs environment to try first.
    public let environment: PushEnvironment
    /// The receipt for which the client waits.
    public let receipt: String
    /// The secret that proves delivery to the device.
    public let secret: String
    /// When the push expires.
    public let expiresAt: Instant
    let queued: QueuedPush
}

/// The outcome of sending a push.
public enum PushResult: Sendable, Equatable {
    /// APNs accepted the push in this environment.
    case delivered(PushEnvironment)
    /// The app was removed from the device.
    case unreachable
    /// APNs does not know the device token.
    case badToken
    /// APNs rejected the push for a reason that may be the device's own token or the app's settings.
    case doubtful
    /// APNs rejected the push because of the app's credential or topic.
    case refused
    /// The push expired.
    case late
}

extension PendingPush: OutboxContent {
    /// The outbox of pushes.
    public static var outbox: Outbox { .pushes }

    /// Opens an item; nil if its format is unknown or no data key opens it.
    public init?(_ item: OutboxItem, _ authenticator: Authenticator) {
        let keys = authenticator.keys
        guard let push = QueuedPush(item), let bundleID = BundleID(push.bundleID),
            let bytes = keys.data.open(
                push.sealedToken,
                context: DeviceToken.sealingContext(push.project, push.bundleID)
            ),
            let deviceToken = DeviceToken(hexadecimal: String(decoding: bytes, as: UTF8.self))
        else { return nil }
        let receipt = PushReceipt(id: push.receipt)
        project = push.project
        self.bundleID = bundleID
        self.deviceToken = deviceToken
        environment = push.environment
        self.receipt = receipt.text
        secret = receipt.secret(for: push.bundleID, in: push.project, keys)
        expiresAt = Instant(milliseconds: push.expiresAt)
        queued = push
    }

    /// Returns whether another dispatcher may open the item: its format or its data key is unknown here.
    public static func mayOpenElsewhere(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool {
        QueuedPush(item).map { !authenticator.keys.knows($0.sealedToken) } ?? true
    }

    /// The item from which it was read.
    public var item: OutboxItem { queued.item }
}

/// How long the outcomes of pushes are remembered.
private enum PushMemory {
    /// The time for which a device's APNs environment (sandbox or production) is remembered after a push was delivered.
    static let reachableDevice: Duration = .seconds(30 * 86_400)

    /// The time for which no push is sent to a device that no longer has the app. A reinstalled app has a new token.
    static let unreachableDevice: Duration = .seconds(86_400)

    /// The time for which no push is sent to a device token that APNs does not know, and for which the token counts
    /// against the networks of the client that sent it.
    static let badDeviceToken: Duration = .seconds(3600)

    /// The number of networks in which APNs must reject devices as if an app's settings were wrong before the app's
    /// pushes are paused: a device's own token may cause such a response, too.
    static let doubtfulNetworks = 5

    /// The window in which ``doubtfulNetworks`` are counted.
    static let doubtfulPush: Duration = .seconds(600)

    /// The time for which clients fall back to the challenge page at once after APNs rejected their app's push.
    static let refusedApp: Duration = .seconds(60)
}

extension Authenticator {
    /// Records the outcome of a push, counts it and removes the push from the outbox.
    /// - Throws: ``StoreUnavailable``; idempotent except for the count.
    public func finish(_ push: PendingPush, _ result: PushResult) throws(StoreUnavailable) {
        let now = environment.now().milliseconds
        let lesson: PushLesson =
            switch result {
            case .delivered(let environment): .reachable(environment)
            case .unreachable: .unreachable(until: now + PushMemory.unreachableDevice.milliseconds)
            case .badToken, .doubtful: .bad(until: now + PushMemory.badDeviceToken.milliseconds)
            case .refused, .late: .nothing
            }
        try store.finish(
            push.queued,
            to: push.deviceToken.identity(for: push.bundleID.text, in: push.project, keys, among: store.shards),
            lesson,
            deviceMilliseconds: PushMemory.reachableDevice.milliseconds,
            unusedReceiptMilliseconds: PushReceipt.unusedLifetime.milliseconds,
            now: now
        )
        if try isAppRefused(push, result, now) {
            let until = now + PushMemory.refusedApp.milliseconds
            try store.setPushesRefused(of: push.project, bundleID: push.bundleID.text, until: until)
        }
        if case .delivered(let environment) = result {
            store.count(.sent, of: push.project, bundleID: push.bundleID.text, environment, now: now)
        } else {
            store.count(.failed, of: push.project, bundleID: push.bundleID.text, push.environment, now: now)
        }
    }

    /// Returns whether the app's settings caused the outcome of a push, rather than a device. A device token of another
    /// app, or of an environment for which the app's key is not valid, must not stop the pushes to everyone else.
    /// Devices in several networks are unlikely to be all wrong.
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
                bundleID: push.bundleID.text,
                from: widest,
                windowMilliseconds: PushMemory.doubtfulPush.milliseconds,
                now: now
            )
            return networks >= PushMemory.doubtfulNetworks
        case .delivered:
            try store.forgetDoubtfulPushes(of: push.project, bundleID: push.bundleID.text)
            return false
        case .unreachable, .badToken, .late: return false
        }
    }
}

extension OperationContext {
    /// Returns the counts of a project's pushes in the last `days` days, including today.
    /// - Throws: ``StoreUnavailable``.
    public func pushCounts(days: Int) throws(StoreUnavailable) -> [PushCount] {
        try store.pushCounts(of: project.id, days: days, now: now.milliseconds)
    }
}
