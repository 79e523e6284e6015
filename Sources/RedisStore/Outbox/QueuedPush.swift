internal import Redis

/// A silent push in the outbox of its shard.
public struct QueuedPush: Sendable {
    /// The item that the push was read from.
    public let item: OutboxItem
    /// The receipt that the push carries.
    public let receipt: PushReceiptID
    /// The project's id.
    public let project: String
    /// The app's bundle id.
    public let bundleID: String
    /// The device's token, sealed.
    public let sealedToken: [UInt8]
    /// The APNs environment to try first.
    public let environment: PushEnvironment
    /// The networks of the requesting client, the narrowest first.
    public let networks: [NetworkIdentity]
    /// When the push expires; milliseconds since the Unix epoch.
    public let expiresAt: Int64

    /// Reads an item. Returns nil if it is not a push.
    public init?(_ item: OutboxItem) {
        guard let receipt = item.fields["receipt"].flatMap({ PushReceiptID(shard: item.shard, text: $0) }),
            let project = item.fields.text("project"), let bundleID = item.fields.text("bundle"),
            let sealedToken = item.fields["token"],
            let environment = item.fields.text("environment").flatMap({ PushEnvironment(rawValue: $0) }),
            let expiresAt = item.fields.integer("expires"), let networks = item.fields.text("networks")
        else { return nil }
        self.item = item
        self.receipt = receipt
        self.project = project
        self.bundleID = bundleID
        self.sealedToken = sealedToken
        self.environment = environment
        self.expiresAt = expiresAt
        self.networks = networks.split(separator: ",").compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 2, let shard = UInt16(parts[0]) else { return nil }
            return NetworkIdentity(project: project, hash: String(parts[1]), shard: Shard(index: shard))
        }
    }

    /// Returns a network's name in the outbox.
    static func name(of network: NetworkIdentity) -> String { "\(network.shard.index).\(network.hash)" }
}

/// What the result of a push shows about its device.
public enum PushLesson: Sendable {
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
    /// Records the result of a push, first in the client's networks, then in the device's shard, and removes the push
    /// from the outbox. The record of a reachable device lives for `deviceMilliseconds`. A delivered receipt waits for
    /// its first use for `unusedReceiptMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func finish(
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
        let unprovenKeys = push.networks.map { KeyNames.unprovenPushes($0, bundleID: push.bundleID) }
        _ = try run(
            KeyNames.bySlot(unprovenKeys).map { keys in
                ScriptCall(
                    .recordUnprovenPush,
                    keys: NamedValues(list: "unprovenKeys", keys),
                    [
                        "receipt": .text(push.receipt.text),
                        "countsUntil": .text(countsUntil),
                        "life": .integer(life),
                    ]
                )
            }
        )
        _ = try run(
            .recordPush,
            keys: [
                "deviceKey": KeyNames.device(device),
                "receiptKey": KeyNames.receipt(push.receipt),
                "outboxKey": KeyNames.outbox(.pushes, push.item.shard),
            ],
            [
                "id": .text(push.item.entryID),
                "group": .text(Self.dispatchers),
                "environment": .text(environment),
                "unreachableUntil": .text(unreachableUntil),
                "life": .integer(life),
                "unusedReceiptLife": .integer(unusedReceiptMilliseconds),
            ]
        )
    }
}
