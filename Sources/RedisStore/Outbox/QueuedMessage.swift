internal import Encodings

/// A text message in the outbox of its number's shard.
public struct QueuedMessage: Sendable {
    /// The item that the message was read from.
    public let item: OutboxItem
    /// The session whose code the message carries.
    public let session: SessionID
    /// The project's id.
    public let project: String
    /// The session's purpose.
    public let purpose: String
    /// The number, sealed.
    public let sealedNumber: [UInt8]
    /// The languages that the client prefers, as the client wrote them.
    public let locale: String
    /// The ending for WebOTP or SMS Retriever autofill; empty for none.
    public let ending: String
    /// When the user requested the message; milliseconds since the Unix epoch.
    public let queuedAt: Int64
    /// When the session ends; milliseconds since the Unix epoch.
    public let expiresAt: Int64
    /// The gateways that already had the message.
    public let tried: [String]
    /// The part of the day's spending that is reserved for the message, in millionths.
    let reserved: Int64
    /// Whether the number ranges count the message: its client is new to the number.
    let isCounted: Bool
    /// Whether an earlier gateway accepted the message and did not deliver it. Nothing is reserved for such a message:
    /// it counts when a gateway accepts it.
    let isSentAgain: Bool

    /// Reads an item. Returns nil if it is not a message.
    public init?(_ item: OutboxItem) {
        let fields = PackedFields(item.fields, packed: ["content": MessageContent.lineNames])
        guard let session = fields.text("session").flatMap({ SessionID(shard: item.shard, text: Array($0.utf8)) }),
            let project = fields.text("project"), let purpose = fields.text("purpose"),
            let sealedNumber = item.fields["phone"], let queuedAt = fields.integer("queued"),
            let expiresAt = fields.integer("expires")
        else { return nil }
        self.item = item
        self.session = session
        self.project = project
        self.purpose = purpose
        self.sealedNumber = sealedNumber
        locale = fields.text("locale") ?? ""
        ending = fields.text("ending") ?? ""
        self.queuedAt = queuedAt
        self.expiresAt = expiresAt
        tried = (fields.text("tried") ?? "").split(separator: ",").map(String.init)
        reserved = fields.integer("price") ?? 0
        isCounted = fields.text("counted") == "1"
        isSentAgain = fields.text("again") == "1"
    }

    /// The message's id, unique over all shards.
    public var id: QueuedMessageID { QueuedMessageID(shard: item.shard, entryID: item.entryID) }
}

/// The id of a message, unique over all shards. It grants no access and may be shown to gateways.
public struct QueuedMessageID: Hashable, Sendable {
    let shard: Shard
    let entryID: String

    /// The shard and the stream's entry id: `17-1800000000000-0`.
    public var text: String { "\(shard.index)-\(entryID)" }

    init(shard: Shard, entryID: String) {
        self.shard = shard
        self.entryID = entryID
    }

    /// Parses an id. Returns nil if it is invalid in a deployment with this number of shards.
    public init?(_ text: String, among shards: ShardCount) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3,
            parts.allSatisfy({ (1...20).contains($0.utf8.count) && $0.isASCIIDigits }),
            let index = UInt16(parts[0]), Int(index) < shards.value
        else { return nil }
        self.init(shard: Shard(index: index), entryID: "\(parts[1])-\(parts[2])")
    }
}
