internal import Redis

/// A push receipt that was taken as proof.
public struct UsedPushReceipt: Sendable {
    /// Where its push was delivered, or where the app said it would be.
    public let environment: PushEnvironment
    /// Whether this is the first time that it comes back.
    public let isFirstUse: Bool
    /// The device that it was sent to; nil for receipts of the version before.
    public let device: DeviceIdentity?
}

extension Store {
    /// Takes a push receipt as proof for an app and starts its life of `lifeMilliseconds` anew; nil where it is unknown,
    /// another app's, was issued before `earliestIssue` (milliseconds since the Unix epoch), or if a newer one of its
    /// device came back.
    /// - Throws: ``StoreUnavailable``; repeating it with the same request id is harmless.
    public func usePushReceipt(
        _ id: PushReceiptID,
        of project: String,
        bundleID: String,
        now: Int64,
        earliestIssue: Int64,
        lifeMilliseconds: Int64,
        requestID: String
    ) throws(StoreUnavailable) -> UsedPushReceipt? {
        let reply = try run(
            Scripts.usePushReceipt,
            keys: [KeyNames.receipt(id), KeyNames.devicePrefix(id.shard, project)],
            [
                .integer(now), .text(project), .text(bundleID), .integer(earliestIssue), .integer(lifeMilliseconds),
                .text(requestID),
            ]
        )
        switch try reply.outcome() {
        case "unknown": return nil
        case "good":
            guard let environment = PushEnvironment(rawValue: try reply.text(at: 1)) else { throw .unexpectedReply }
            let device = try reply.text(at: 3)
            return UsedPushReceipt(
                environment: environment,
                isFirstUse: try reply.integer(at: 2) == 1,
                device: device.isEmpty ? nil : DeviceIdentity(project: project, hash: device, shard: id.shard)
            )
        default: throw .unexpectedReply
        }
    }

    /// Revokes one receipt; false where there was none.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func revokePushReceipt(_ id: PushReceiptID) throws(StoreUnavailable) -> Bool {
        try send("DEL", KeyNames.receipt(id)).integer() == 1
    }

    /// Revokes all receipts of an app that were issued before `time` (milliseconds since the Unix epoch).
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func revokePushReceipts(of project: String, bundleID: String, before time: Int64) throws(StoreUnavailable) {
        _ = try send("HSET", KeyNames.revokedReceipts(project), bundleID, String(time))
    }

    /// Notes that APNs refuses an app's pushes, to be believed until `time` (milliseconds since the Unix epoch).
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func setPushesRefused(of project: String, bundleID: String, until time: Int64) throws(StoreUnavailable) {
        _ = try send("HSET", KeyNames.refusedPushes(project), bundleID, String(time))
    }

    /// Notes that APNs refused a push to an app's device as if the app's settings were wrong, which a device's own
    /// token may cause, too.
    /// - Returns: in how many networks that happened within the last `windowMilliseconds`.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func countDoubtfulPush(
        of project: String,
        bundleID: String,
        from network: NetworkIdentity,
        windowMilliseconds: Int64,
        now: Int64
    ) throws(StoreUnavailable) -> Int {
        let key = KeyNames.doubtfulPushes(project, bundleID: bundleID)
        _ = try send("ZADD", key, String(now), network.hash)
        _ = try send("ZREMRANGEBYSCORE", key, "-inf", String(now - windowMilliseconds))
        _ = try send("PEXPIRE", key, String(windowMilliseconds))
        return Int(try send("ZCARD", key).integer())
    }

    /// Forgets such refusals: APNs took a push for the app, so its settings are right.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func forgetDoubtfulPushes(of project: String, bundleID: String) throws(StoreUnavailable) {
        _ = try send("DEL", KeyNames.doubtfulPushes(project, bundleID: bundleID))
    }
}
