internal import RedisScripts

/// A text message in the outbox of its project.
public struct QueuedMessage: Sendable {
    /// The item that the message was read from.
    let item: OutboxItem
    /// The session whose code the message carries.
    let session: VerificationID
    /// The session's purpose.
    let purpose: String
    /// The number, sealed.
    let sealedNumber: [UInt8]
    /// The languages that the client prefers, as the client wrote them.
    let locale: String
    /// The ending for WebOTP or SMS Retriever autofill; empty for none.
    let ending: String
    /// When the user requested the message; milliseconds since the Unix epoch.
    let queuedAt: Int64
    /// When the session ends; milliseconds since the Unix epoch.
    let expiresAt: Int64
    /// The gateways of its route that go first.
    let route: MessageRoute
    /// The gateways that already had the message.
    let tried: [String]
    /// The price at which the day's spending counts the message, in millionths.
    let countedPrice: Int64
    /// Whether the number ranges count the message: its client is new to the number.
    let isCounted: Bool
    /// Whether an earlier gateway accepted the message and did not deliver it. The spending does not count such a
    /// message until a gateway accepts it.
    let isSentAgain: Bool

    /// Reads an item. Returns nil if it is not a message.
    public init?(_ item: OutboxItem) {
        let fields = PackedFields(item.fields, packed: ["content": MessageContent.lineNames])
        guard
            let session = fields.text("session").flatMap({ VerificationID(project: item.project, text: Array($0.utf8)) }
            ),
            let purpose = fields.text("purpose"), let sealedNumber = item.fields["phone"],
            let queuedAt = fields.integer("queued"), let expiresAt = fields.integer("expires")
        else { return nil }
        self.item = item
        self.session = session
        self.purpose = purpose
        self.sealedNumber = sealedNumber
        locale = fields.text("locale") ?? ""
        ending = fields.text("ending") ?? ""
        self.queuedAt = queuedAt
        self.expiresAt = expiresAt
        route = MessageRoute(stored: fields.text("route") ?? "")
        tried = (fields.text("tried") ?? "").split(separator: ",").map(String.init)
        countedPrice = fields.integer("price") ?? 0
        isCounted = fields.text("counted") == "1"
        isSentAgain = fields.text("again") == "1"
    }

    /// The project's id.
    public var project: String { item.project }

    /// The message's id.
    var id: QueuedMessageID { item.id }
}
