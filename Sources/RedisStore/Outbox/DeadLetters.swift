/// A message that no gateway took.
public struct DeadLetter: Sendable {
    /// What was queued: the session whose code it carried …
    public let session: SessionID
    /// … the project's id …
    public let project: String
    /// … what the session was for …
    public let purpose: String
    /// … the number, sealed …
    public let sealedNumber: [UInt8]
    /// … and when the user asked for it; milliseconds since the Unix epoch.
    public let queuedAt: Int64
    /// The gateways that had it.
    public let tried: [String]
    /// Why it was given up.
    public let reason: String

    init?(_ item: OutboxItem) {
        guard let message = QueuedMessage(item), let reason = item.fields.text("reason") else { return nil }
        session = message.session
        project = message.project
        purpose = message.purpose
        sealedNumber = message.sealedNumber
        queuedAt = message.queuedAt
        tried = message.tried
        self.reason = reason
    }
}

extension Store {
    /// The latest messages that no gateway took, some hundreds of each shard, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func deadLetters() throws(StoreUnavailable) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        let streams = try pipeline("XRANGE", shards.shards.map { [KeyNames.deadLetters($0), "-", "+"] })
        for (shard, stream) in zip(shards.shards, streams) {
            letters += try Self.items(stream, .messages, shard).compactMap(DeadLetter.init)
        }
        return letters.sorted { $0.queuedAt < $1.queuedAt }
    }
}
