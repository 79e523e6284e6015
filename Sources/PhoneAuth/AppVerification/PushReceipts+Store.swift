internal import Redis
internal import RedisScripts

/// A push receipt that was accepted as proof of the app.
struct UsedPushReceipt: Sendable {
    /// The environment in which its push was delivered, or the one that the app reported.
    let environment: PushEnvironment
    /// Whether this is the receipt's first use.
    let isFirstUse: Bool
    /// The device that the push was sent to.
    let device: DeviceIdentity
}

extension Store {
    /// Verifies a push receipt as proof of an app and restarts its lifetime of `lifeMilliseconds`. Returns nil if the
    /// receipt is unknown, belongs to another app, was issued before `earliestIssue` (milliseconds since the Unix
    /// epoch), or if a newer receipt of its device has been used.
    /// - Throws: ``StoreUnavailable``; a retry with the same request id is harmless.
    func usePushReceipt(
        _ id: PushReceiptID,
        of project: String,
        bundleID: String,
        now: Int64,
        earliestIssue: Int64,
        lifeMilliseconds: Int64,
        requestID: String
    ) throws(StoreUnavailable) -> UsedPushReceipt? {
        let call = ScriptCall(
            .usePushReceipt,
            keys: ["receiptKey": KeyNames.receipt(id), "devicePrefix": KeyNames.devicePrefix(id.shard, project)],
            [
                "now": .integer(now),
                "project": .text(project),
                "bundle": .text(bundleID),
                "earliestIssue": .integer(earliestIssue),
                "life": .integer(lifeMilliseconds),
                "request": .text(requestID),
            ]
        )
        let reply = try run(call)
        switch try reply.outcome() {
        case "unknown": return nil
        case "good":
            guard let environment = PushEnvironment(rawValue: try reply.text(at: 1)) else { throw .unexpectedReply }
            return UsedPushReceipt(
                environment: environment,
                isFirstUse: try reply.integer(at: 2) == 1,
                device: DeviceIdentity(project: project, hash: try reply.text(at: 3), shard: id.shard)
            )
        default: throw .unexpectedReply
        }
    }

    /// Revokes one receipt. Returns false if it did not exist.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func revokePushReceipt(_ id: PushReceiptID) throws(StoreUnavailable) -> Bool {
        try send("DEL", [KeyNames.receipt(id)], isConfirmed: true).integer() == 1
    }

    /// Revokes all receipts of an app that were issued before `time` (milliseconds since the Unix epoch).
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func revokePushReceipts(of project: String, bundleID: String, before time: Int64) throws(StoreUnavailable) {
        _ = try send("HSET", [KeyNames.revokedReceipts(project), bundleID, String(time)], isConfirmed: true)
    }

    /// Records that APNs refuses an app's pushes. The record is valid until `time` (milliseconds since the Unix epoch).
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func setPushesRefused(of project: String, bundleID: String, until time: Int64) throws(StoreUnavailable) {
        _ = try send("HSET", KeyNames.refusedPushes(project), bundleID, String(time))
    }

    /// Records that APNs refused a push to a device as if the app's settings were wrong. A bad device token may also
    /// cause this refusal.
    /// - Returns: the number of networks in which this happened within the last `windowMilliseconds`.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func countDoubtfulPush(
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

    /// Deletes the record of these refusals: APNs accepted a push for the app, so its settings are correct.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func forgetDoubtfulPushes(of project: String, bundleID: String) throws(StoreUnavailable) {
        _ = try send("DEL", KeyNames.doubtfulPushes(project, bundleID: bundleID))
    }
}
