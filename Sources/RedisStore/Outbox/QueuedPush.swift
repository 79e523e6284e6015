internal import Redis

/// A silent push that waits in the outbox of its shard.
public struct QueuedPush: Sendable {
    /// What it was read from.
    public let item: OutboxItem
    /// The receipt that the push carries.
    public let receipt: PushReceiptID
    /// The project's id.
    public let project: String
    /// The app's bundle id.
    public let bundleID: String
    /// The device's token, sealed.
    public let sealedToken: [UInt8]
    /// Where to try first.
    public let environment: PushEnvironment
    /// When it is of no use any more; milliseconds since the Unix epoch.
    public let expiresAt: Int64

    /// Reads an item; nil for what is no push.
    public init?(_ item: OutboxItem) {
        guard let receipt = item.fields["receipt"].flatMap({ PushReceiptID(shard: item.shard, text: $0) }),
            let project = item.fields.text("project"), let bundleID = item.fields.text("bundle"),
            let sealedToken = item.fields["token"],
            let environment = item.fields.text("environment").flatMap({ PushEnvironment(rawValue: $0) }),
            let expiresAt = item.fields.integer("expires")
        else { return nil }
        self.item = item
        self.receipt = receipt
        self.project = project
        self.bundleID = bundleID
        self.sealedToken = sealedToken
        self.environment = environment
        self.expiresAt = expiresAt
    }
}

/// What a push taught about its device.
public enum PushLesson: Sendable {
    /// Nothing.
    case nothing
    /// APNs accepted the token there.
    case reachable(PushEnvironment)
    /// APNs does not know the token; until when to believe so, in milliseconds since the Unix epoch.
    case unreachable(until: Int64)
}

extension Store {
    /// Remembers what a push taught and takes it off the outbox, in one atomic step.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func finish(
        _ push: QueuedPush,
        to device: DeviceIdentity,
        _ lesson: PushLesson,
        deviceMilliseconds: Int64
    ) throws(StoreUnavailable) {
        let (environment, unreachableUntil): (String, String) =
            switch lesson {
            case .nothing: ("", "")
            case .reachable(let environment): (environment.rawValue, "")
            case .unreachable(let until): ("", String(until))
            }
        _ = try run(
            Scripts.recordPush,
            keys: [
                KeyNames.device(device), KeyNames.receipt(push.receipt), KeyNames.outbox(.pushes, push.item.shard),
            ],
            [
                .text(push.item.entryID), .text(Self.dispatchers), .text(environment), .text(unreachableUntil),
                .integer(deviceMilliseconds),
            ]
        )
    }
}
