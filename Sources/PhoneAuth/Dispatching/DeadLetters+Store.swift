internal import RedisScripts

/// A message that no gateway accepted.
struct DeadLetter: Sendable {
    /// The session whose code the message carried.
    let session: VerificationID
    /// The project's id.
    public let project: String
    /// The session's purpose.
    let purpose: String
    /// The number, sealed.
    let sealedNumber: [UInt8]
    /// When the user requested the message; milliseconds since the Unix epoch.
    let queuedAt: Int64
    /// The gateways that had the message.
    let tried: [String]
    /// Why the dispatcher gave up on the message.
    let reason: String

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
    /// Returns the latest messages that no gateway accepted, up to about a thousand of each project, oldest first.
    /// - Throws: ``StoreUnavailable``.
    func deadLetters() throws(StoreUnavailable) -> [DeadLetter] {
        var letters: [DeadLetter] = []
        let streams = try sendAll("XRANGE", projects.map { [KeyNames.deadLetters(of: $0), "-", "+"] })
        for (project, stream) in zip(projects, streams) {
            letters += try Self.items(stream, .messages, project).compactMap(DeadLetter.init)
        }
        return letters.sorted { $0.queuedAt < $1.queuedAt }
    }
}
