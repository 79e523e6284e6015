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
    /// APNs does not know the device.
    case unreachable
    /// APNs refused it for a fault of the app's credential or topic.
    case refused
    /// Its time was up.
    case late
}

/// The dispatcher's side of the outbox of silent pushes.
extension Authenticator {
    /// Makes the outbox ready for dispatchers.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func preparePushOutbox() throws(StoreUnavailable) {
        try store.preparePushOutbox()
    }

    /// Waits a while for pushes that no dispatcher has, and takes some.
    /// - Throws: ``StoreUnavailable``.
    public func takePushes(for dispatcher: String, wait: Duration) throws(StoreUnavailable) -> [PendingPush] {
        try pending(try store.takePushes(for: dispatcher, atMost: 16, waitMilliseconds: wait.milliseconds))
    }

    /// Takes over pushes that a dispatcher has not touched for a while, because it died.
    /// - Throws: ``StoreUnavailable``.
    public func takeAbandonedPushes(for dispatcher: String, untouchedFor time: Duration) throws(StoreUnavailable)
        -> [PendingPush]
    {
        try pending(
            try store.takeAbandonedPushes(for: dispatcher, atMost: 16, idleMilliseconds: time.milliseconds)
        )
    }

    /// Says that these pushes are still being worked on.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func touch(_ pushes: [PendingPush], for dispatcher: String) throws(StoreUnavailable) {
        try store.touch(pushes.map(\.queued), for: dispatcher)
    }

    /// Remembers what came of a push, counts it and takes it off the outbox.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless but for the count.
    public func finish(_ push: PendingPush, _ result: PushResult) throws(StoreUnavailable) {
        let now = environment.now().milliseconds
        let lesson: PushLesson =
            switch result {
            case .delivered(let environment): .reachable(environment)
            case .unreachable: .unreachable(until: now + Policy.unreachableDeviceMemory.milliseconds)
            case .refused, .late: .nothing
            }
        try store.finish(
            push.queued,
            to: push.deviceToken.identity(for: push.bundleID, in: push.project, keys, among: store.shards),
            lesson,
            deviceMilliseconds: Policy.deviceMemory.milliseconds
        )
        if result == .refused {
            let until = now + Policy.refusedPushMemory.milliseconds
            try store.setPushesRefused(of: push.project, bundleID: push.bundleID, until: until)
        }
        if case .delivered(let environment) = result {
            store.count(.sent, of: push.project, bundleID: push.bundleID, environment, now: now)
        } else {
            store.count(.failed, of: push.project, bundleID: push.bundleID, push.environment, now: now)
        }
    }

    /// Leaves the outbox; the dispatcher must hold no push any more.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func leavePushOutbox(_ dispatcher: String) throws(StoreUnavailable) {
        try store.leavePushOutbox(dispatcher)
    }

    /// How many pushes are queued or being sent.
    /// - Throws: ``StoreUnavailable``.
    public func queuedPushes() throws(StoreUnavailable) -> Int {
        try store.queuedPushes()
    }

    /// What was counted of a project's pushes in the last `days` days, today's among them.
    /// - Throws: ``StoreUnavailable``.
    public func pushCounts(of project: Project, days: Int) throws(StoreUnavailable) -> [PushCount] {
        try store.pushCounts(of: project.id, days: days, now: environment.now().milliseconds)
    }

    private func pending(_ pushes: [QueuedPush]) throws(StoreUnavailable) -> [PendingPush] {
        var pending: [PendingPush] = []
        for push in pushes {
            let context = Self.deviceTokenContext(push.project, push.bundleID)
            guard let bytes = keys.data.open(push.sealedToken, context: context),
                let deviceToken = DeviceToken(hexadecimal: String(decoding: bytes, as: UTF8.self))
            else {
                try store.discard(push)
                continue
            }
            let receipt = PushReceipt(id: push.receipt)
            pending.append(
                PendingPush(
                    project: push.project,
                    bundleID: push.bundleID,
                    deviceToken: deviceToken,
                    environment: push.environment,
                    receipt: receipt.text,
                    secret: receipt.secret(for: push.bundleID, in: push.project, keys),
                    expiresAt: Instant(milliseconds: push.expiresAt),
                    queued: push
                )
            )
        }
        return pending
    }
}
