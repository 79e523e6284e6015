internal import Redis
internal import RedisScripts

/// A silent push in the outbox of its project.
struct QueuedPush: Sendable {
    /// The item that the push was read from.
    let item: OutboxItem
    /// The receipt that the push carries.
    let receipt: PushReceiptID
    /// The app's bundle id.
    let bundleID: String
    /// The device's token, sealed.
    let sealedToken: [UInt8]
    /// The APNs environment to try first.
    let environment: PushEnvironment
    /// The networks of the requesting client, the narrowest first.
    let networks: [NetworkIdentity]
    /// When the push expires; milliseconds since the Unix epoch.
    let expiresAt: Int64

    /// Reads an item. Returns nil if it is not a push.
    public init?(_ item: OutboxItem) {
        guard let shard = item.fields.integer("shard").flatMap({ UInt16(exactly: $0) }),
            let receipt = item.fields["receipt"].flatMap({ PushReceiptID(shard: Shard(index: shard), text: $0) }),
            let bundleID = item.fields.text("bundle"),
            let sealedToken = item.fields["token"],
            let environment = item.fields.text("environment").flatMap({ PushEnvironment(rawValue: $0) }),
            let expiresAt = item.fields.integer("expires"), let networks = item.fields.text("networks")
        else { return nil }
        self.item = item
        self.receipt = receipt
        self.bundleID = bundleID
        self.sealedToken = sealedToken
        self.environment = environment
        self.expiresAt = expiresAt
        self.networks = networks.split(separator: ",").map {
            NetworkIdentity(project: item.project, hash: String($0))
        }
    }

    /// The project's id.
    public var project: String { item.project }
}

/// What the result of a push shows about its device.
enum PushLesson: Sendable {
    /// Nothing.
    case nothing
    /// APNs accepted the token in this environment.
    case reachable(PushEnvironment)
    /// The app is no longer on the device; valid until this time, in milliseconds since the Unix epoch.
    case unreachable(until: Int64)
    /// The device token does not belong to the app. The result is valid, and counts against the client that sent the
    /// token, until this time (milliseconds since the Unix epoch).
    case bad(until: Int64)
}

extension Store {
    /// Records the result of a push in its device's shard, then in the client's networks, and removes the push from the
    /// outbox. The record of a reachable device lives for `deviceMilliseconds`. A delivered receipt waits for
    /// its first use for `unusedReceiptMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func finish(
        _ push: QueuedPush,
        to device: DeviceIdentity,
        _ lesson: PushLesson,
        deviceMilliseconds: Int64,
        unusedReceiptMilliseconds: Int64,
        now: Int64
    ) throws(StoreUnavailable) {
        var environment = ""
        var unreachableUntil = ""
        var countsUntil = ""
        var life = deviceMilliseconds
        switch lesson {
        case .nothing: break
        case .reachable(let known): environment = known.rawValue
        case .unreachable(let until):
            unreachableUntil = String(until)
            life = until - now
        case .bad(let until):
            unreachableUntil = String(until)
            countsUntil = unreachableUntil
            life = until - now
        }
        let record = ScriptCall(
            .recordPush,
            keys: ["deviceKey": KeyNames.device(device), "receiptKey": KeyNames.receipt(push.receipt)],
            [
                "environment": .text(environment),
                "unreachableUntil": .text(unreachableUntil),
                "life": .integer(life),
                "unusedReceiptLife": .integer(unusedReceiptMilliseconds),
            ]
        )
        _ = try run(record)
        let finish = ScriptCall(
            .finishPush,
            keys: NamedValues(
                ["outboxKey": KeyNames.outbox(.pushes, of: push.project)],
                list: "unprovenKeys",
                push.networks.map { KeyNames.unprovenPushes($0, bundleID: push.bundleID) }
            ),
            [
                "id": .text(push.item.entryID),
                "group": .text(Self.dispatchers),
                "receipt": .text(push.receipt.text),
                "countsUntil": .text(countsUntil),
                "life": .integer(life),
            ]
        )
        _ = try run(finish)
    }
}
