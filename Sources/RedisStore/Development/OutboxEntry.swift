/// A queued message.
public struct OutboxEntry: Sendable {
    /// Names the entry among all shards.
    public let entryID: String
    /// The session whose code it carries.
    public let session: SessionID
    /// The number, sealed.
    public let sealedNumber: [UInt8]
    /// What the session is for.
    public let purpose: String
    /// When it was queued; milliseconds since the Unix epoch.
    public let queuedAt: Int64
}
