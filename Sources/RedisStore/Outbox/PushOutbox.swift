internal import Redis

/// A silent push that waits in the outbox of its shard.
public struct QueuedPush: Sendable {
    /// The stream's entry.
    public let entryID: String
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

    init?(shard: Shard, entryID: String, fields: [String: [UInt8]]) {
        func text(_ name: String) -> String? { fields[name].map { String(decoding: $0, as: UTF8.self) } }
        guard let receipt = fields["receipt"].flatMap({ PushReceiptID(shard: shard, text: $0) }),
            let project = text("project"), let bundleID = text("bundle"), let sealedToken = fields["token"],
            let environment = text("environment").flatMap({ PushEnvironment(rawValue: $0) }),
            let expiresAt = text("expires").flatMap({ Int64($0) })
        else { return nil }
        self.entryID = entryID
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

/// The outbox streams of silent pushes, one a shard, read by a group of dispatchers: each entry goes to one of them, which
/// takes it off when APNs has answered. What a dispatcher that died was holding goes to another one.
extension Store {
    private static let group = "dispatchers"

    /// Makes the streams and their group where they are missing.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func preparePushOutbox() throws(StoreUnavailable) {
        // A group that exists answers with an error, which is as good.
        _ = try pipeline(
            "XGROUP",
            shards.shards.map { ["CREATE", KeyNames.pushOutbox($0), Self.group, "0", "MKSTREAM"] }
        )
    }

    /// Waits for pushes that no dispatcher has, and takes some of each shard for the dispatcher called `consumer`. The wait
    /// must be shorter than the connection's time-out for commands.
    /// - Throws: ``StoreUnavailable``.
    public func takePushes(
        for consumer: String,
        atMost count: Int,
        waitMilliseconds: Int64
    ) throws(StoreUnavailable) -> [QueuedPush] {
        let streams = shards.shards.map(KeyNames.pushOutbox)
        let arguments =
            ["GROUP", Self.group, consumer, "COUNT", String(count), "BLOCK", String(waitMilliseconds), "STREAMS"]
            + streams + streams.map { _ in ">" }
        let reply = try send("XREADGROUP", arguments)
        guard !reply.isNull else { return [] }
        var pushes: [QueuedPush] = []
        for stream in try reply.replies() {
            guard let shard = KeyNames.shard(ofPushOutbox: try stream.text(at: 0)) else { throw .unexpectedReply }
            pushes += try readable(try stream.reply(at: 1), shard)
        }
        return pushes
    }

    /// Takes over pushes that another dispatcher took and has not touched for `idleMilliseconds`.
    /// - Throws: ``StoreUnavailable``.
    public func takeAbandonedPushes(
        for consumer: String,
        atMost count: Int,
        idleMilliseconds: Int64
    ) throws(StoreUnavailable) -> [QueuedPush] {
        let claims = shards.shards.map {
            [KeyNames.pushOutbox($0), Self.group, consumer, String(idleMilliseconds), "0", "COUNT", String(count)]
        }
        var pushes: [QueuedPush] = []
        for (shard, reply) in zip(shards.shards, try pipeline("XAUTOCLAIM", claims)) {
            pushes += try readable(try reply.reply(at: 1), shard)
        }
        return pushes
    }

    /// Says that a dispatcher still works on these pushes, so that no other takes them over.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func touch(_ pushes: [QueuedPush], for consumer: String) throws(StoreUnavailable) {
        guard !pushes.isEmpty else { return }
        _ = try pipeline(
            "XCLAIM",
            pushes.map { [KeyNames.pushOutbox($0.receipt.shard), Self.group, consumer, "0", $0.entryID, "JUSTID"] }
        )
    }

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
                KeyNames.device(device), KeyNames.receipt(push.receipt), KeyNames.pushOutbox(push.receipt.shard),
            ],
            [
                .text(push.entryID), .text(Self.group), .text(environment), .text(unreachableUntil),
                .integer(deviceMilliseconds),
            ]
        )
    }

    /// Takes a push off the outbox that cannot be sent.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func discard(_ push: QueuedPush) throws(StoreUnavailable) {
        try discard(push.entryID, in: push.receipt.shard)
    }

    private func discard(_ entryID: String, in shard: Shard) throws(StoreUnavailable) {
        _ = try send("XACK", KeyNames.pushOutbox(shard), Self.group, entryID)
        _ = try send("XDEL", KeyNames.pushOutbox(shard), entryID)
    }

    /// Leaves the group. What the dispatcher still holds is lost, so it must hold nothing.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func leavePushOutbox(_ consumer: String) throws(StoreUnavailable) {
        _ = try pipeline(
            "XGROUP",
            shards.shards.map { ["DELCONSUMER", KeyNames.pushOutbox($0), Self.group, consumer] }
        )
    }

    /// How many pushes are queued or being sent.
    /// - Throws: ``StoreUnavailable``.
    public func queuedPushes() throws(StoreUnavailable) -> Int {
        var count = 0
        for reply in try pipeline("XLEN", shards.shards.map({ [KeyNames.pushOutbox($0)] })) {
            count += Int(try reply.integer())
        }
        return count
    }

    private func readable(_ entries: ScriptReply, _ shard: Shard) throws(StoreUnavailable) -> [QueuedPush] {
        var pushes: [QueuedPush] = []
        for entry in try entries.replies() where !entry.isNull {
            let id = try entry.text(at: 0)
            if let push = QueuedPush(shard: shard, entryID: id, fields: try entry.reply(at: 1).fields(from: 0)) {
                pushes.append(push)
            } else {
                // Nobody will ever understand it.
                try discard(id, in: shard)
            }
        }
        return pushes
    }
}
