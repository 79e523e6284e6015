internal import Redis
public import RedisScripts

/// The settings of a project that are in the store.
public struct StoredProjectSettings: Sendable {
    /// The operators' changes to the project's configuration.
    public let configuration: StoredConfiguration
    /// Test numbers: keyed hash → number and code, sealed.
    public let testNumbers: [String: [UInt8]]
    /// Bundle id → push receipts issued before this time are revoked; milliseconds since the Unix epoch.
    public let revokedPushReceipts: [String: Int64]
    /// Bundle id → until when APNs is expected to refuse the app's pushes; milliseconds since the Unix epoch.
    public let refusedPushes: [String: Int64]
    /// The decoys of the project's password hashes, in text form.
    public let passwordDecoys: [String]
}

extension Store {
    /// Reads a project's settings in one round trip.
    /// - Throws: ``StoreUnavailable``.
    public func projectSettings(of project: String) throws(StoreUnavailable) -> StoredProjectSettings {
        let keys = [
            KeyNames.configuration(project), KeyNames.testNumbers(project), KeyNames.revokedReceipts(project),
            KeyNames.refusedPushes(project), KeyNames.passwordDecoys(project),
        ]
        let replies = try sendAll("HGETALL", keys.map { [$0] })
        guard replies.count == keys.count else { throw .unexpectedReply }
        return StoredProjectSettings(
            configuration: StoredConfiguration(replies[0].fields(from: 0)),
            testNumbers: replies[1].fields(from: 0).dictionary,
            revokedPushReceipts: replies[2].fields(from: 0).integers,
            refusedPushes: replies[3].fields(from: 0).integers,
            passwordDecoys: Array(replies[4].fields(from: 0).dictionary.keys)
        )
    }

    /// Records the decoy of password hashes that a project will have, or has.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func addPasswordDecoy(_ text: String, of project: String) throws(StoreUnavailable) {
        _ = try sendConfirmed("HSET", [KeyNames.passwordDecoys(project), text, "1"])
    }
}

extension Store {
    /// Returns a project's test numbers: keyed hash → number and code, sealed.
    /// - Throws: ``StoreUnavailable``.
    public func testNumbers(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.testNumbers(project)).fields(from: 0).dictionary
    }
}
