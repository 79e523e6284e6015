internal import RedisScripts

/// The settings of a project that are in the store.
struct StoredProjectSettings: Sendable {
    /// The operators' changes to the project's configuration.
    let configuration: StoredConfiguration
    /// Test numbers: keyed hash → number and code, sealed.
    let testNumbers: [String: [UInt8]]
    /// Bundle id → push receipts issued before this time are revoked; milliseconds since the Unix epoch.
    let revokedPushReceipts: [String: Int64]
    /// Bundle id → until when APNs is expected to refuse the app's pushes; milliseconds since the Unix epoch.
    let refusedPushes: [String: Int64]
    /// The decoys of the project's password hashes, in text form.
    let passwordDecoys: [String]
    /// Region and gateway → counts of messages and verified codes, see `number-ranges.lua`.
    let gatewayCounts: [String: [UInt8]]
}

extension Store {
    /// Reads a project's settings in one round trip.
    /// - Throws: ``StoreUnavailable``.
    func projectSettings(of project: String) throws(StoreUnavailable) -> StoredProjectSettings {
        let keys = [
            KeyNames.configuration(project), KeyNames.testNumbers(project), KeyNames.revokedReceipts(project),
            KeyNames.refusedPushes(project), KeyNames.passwordDecoys(project), KeyNames.gatewayCounts(project),
        ]
        let replies = try sendAll("HGETALL", keys.map { [$0] })
        guard replies.count == keys.count else { throw .unexpectedReply }
        return StoredProjectSettings(
            configuration: StoredConfiguration(replies[0].fields(from: 0)),
            testNumbers: replies[1].fields(from: 0).dictionary,
            revokedPushReceipts: replies[2].fields(from: 0).integers,
            refusedPushes: replies[3].fields(from: 0).integers,
            passwordDecoys: Array(replies[4].fields(from: 0).dictionary.keys),
            gatewayCounts: replies[5].fields(from: 0).dictionary
        )
    }

    /// Records the decoy of password hashes that a project will have, or has.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    func addPasswordDecoy(_ text: String, of project: String) throws(StoreUnavailable) {
        _ = try send("HSET", [KeyNames.passwordDecoys(project), text, "1"], isConfirmed: true)
    }
}

extension Store {
    /// Returns a project's test numbers: keyed hash → number and code, sealed.
    /// - Throws: ``StoreUnavailable``.
    func testNumbers(of project: String) throws(StoreUnavailable) -> [String: [UInt8]] {
        try send("HGETALL", KeyNames.testNumbers(project)).fields(from: 0).dictionary
    }
}
