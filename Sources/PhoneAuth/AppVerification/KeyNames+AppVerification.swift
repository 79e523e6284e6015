internal import RedisScripts

extension KeyNames {
    /// The record of an app's installation on one device.
    static func device(_ device: DeviceIdentity) -> String {
        devicePrefix(device.shard, device.project) + device.hash
    }

    /// Returns a device's key without its hash.
    static func devicePrefix(_ shard: Shard, _ project: String) -> String { name("r", shard, "device", project, "") }

    static func receipt(_ id: PushReceiptID) -> String { name("r", id.shard, "receipt", id.text) }

    /// Sorted set: receipts of pushes from a network to an app's devices that APNs does not know, or may not know, by
    /// the time until which they count.
    static func unprovenPushes(_ network: NetworkIdentity, bundleID: String) -> String {
        ofProject(network.project, "unproven-pushes", network.hash, bundleID)
    }

    /// The receipt of the push that a request queued.
    static func queuedPush(_ requestID: String, of project: String) -> String {
        ofProject(project, "queued-push", requestID)
    }

    /// Sorted set: networks to whose devices APNs refused an app's pushes as if the app's settings were wrong, by the
    /// time of the refusal.
    static func doubtfulPushes(_ project: String, bundleID: String) -> String {
        ofProject(project, "doubtful-pushes", bundleID)
    }

    /// Marks a challenge as solved for as long as its solution could be replayed.
    static func solvedChallenge(_ challenge: ChallengeIdentity) -> String {
        ofProject(challenge.project, "solved", challenge.hash)
    }

    static func challengeToken(_ token: ChallengeTokenIdentity) -> String {
        ofProject(token.project, "challenge-token", token.hash)
    }

    /// Marks a Play Integrity token as used by a request.
    static func usedIntegrityToken(_ token: IntegrityTokenIdentity) -> String {
        ofProject(token.project, "used-integrity-token", token.hash)
    }

    /// How many challenges a network requested recently.
    static func challenges(_ network: NetworkIdentity) -> String {
        ofProject(network.project, "challenges", network.hash)
    }

    /// Marks a network whose clients must solve the hard challenge.
    static func challengedNetwork(_ network: NetworkIdentity) -> String {
        ofProject(network.project, "challenged", network.hash)
    }

    /// Hash of a day: app, environment and event → count.
    static func pushCounts(_ project: String, day: Int64) -> String { ofProject(project, "push-counts", String(day)) }
}
