internal import Redis

/// What the store has of a project's settings.
public struct StoredProjectSettings: Sendable {
    /// What operators changed of the project.
    public let configuration: StoredConfiguration
    /// The keyed hashes of test numbers, each with number and code, sealed.
    public let testNumbers: [String: [UInt8]]
    /// For each bundle id whose receipts were revoked: those issued before this time, in milliseconds since the Unix epoch.
    public let revokedPushReceipts: [String: Int64]
    /// For each bundle id whose pushes were refused: until when to believe so, in milliseconds since the Unix epoch.
    public let refusedPushes: [String: Int64]
}

extension Store {
    /// Reads a project's settings in one round trip.
    /// - Throws: ``StoreUnavailable``.
    public func projectSettings(of project: String) throws(StoreUnavailable) -> StoredProjectSettings {
        let keys = [
            KeyNames.configuration(project), KeyNames.testNumbers(project), KeyNames.revokedReceipts(project),
            KeyNames.refusedPushes(project),
        ]
        let replies = try sendAll("HGETALL", keys.map { [$0] })
        guard replies.count == keys.count else { throw .unexpectedReply }
        return StoredProjectSettings(
            configuration: StoredConfiguration(replies[0].fields(from: 0)),
            testNumbers: replies[1].fields(from: 0).dictionary,
            revokedPushReceipts: replies[2].fields(from: 0).integers,
            refusedPushes: replies[3].fields(from: 0).integers
        )
    }
}
