public import Encodings
public import MessageTexts
public import PhoneNumbers
public import RedisStore

/// A text message that is to be sent now.
public struct PendingMessage: Sendable, Confidential {
    /// Names it; it opens nothing, and gateways may see it.
    public let id: QueuedMessageID
    /// The project's id.
    public let project: String
    /// Whom it is for.
    public let phone: E164
    /// What it says.
    public let code: VerificationCode
    /// The languages that the client asked for, in its own words.
    public let locale: String
    /// What machines are to read at its end.
    public let ending: MessageEnding?
    /// When the user asked for it.
    public let queuedAt: Instant
    /// When its session ends.
    public let expiresAt: Instant
    /// The gateways that had it already, without success.
    public let tried: [String]
    let queued: QueuedMessage

    init?(_ message: QueuedMessage, _ authenticator: Authenticator) {
        guard let purpose = Purpose(rawValue: message.purpose),
            let ticket = SessionTicket(
                id: message.session,
                purpose: purpose,
                codeSource: .derived,
                sealedNumber: message.sealedNumber,
                in: message.project,
                authenticator.keys
            ), let phone = try? authenticator.phoneNumbers.parse(ticket.phoneNumber)
        else { return nil }
        id = message.id
        project = message.project
        self.phone = phone
        code = authenticator.derivedCode(of: ticket)
        locale = message.locale
        ending = MessageEnding(stored: message.ending)
        queuedAt = Instant(milliseconds: message.queuedAt)
        expiresAt = Instant(milliseconds: message.expiresAt)
        tried = message.tried
        queued = message
    }
}

extension PendingMessage {
    /// What it says, in the first of the user's languages that there is a text for.
    public func text(in project: Project) -> MessageText {
        project.messages.message(code: code.digits, languages: LanguagePreferences([locale]), ending: ending)
    }
}

extension PendingMessage: OutboxContent {
    /// Where it lies.
    public static var outbox: Outbox { .messages }

    /// Opens an item; nil for what this deployment's keys do not open.
    public init?(_ item: OutboxItem, _ authenticator: Authenticator) {
        guard let message = QueuedMessage(item) else { return nil }
        self.init(message, authenticator)
    }

    /// Whether a key file that was read later may open it.
    public static func isSealedByUnknownKey(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool {
        QueuedMessage(item).map { !authenticator.keys.knows($0.sealedNumber) } ?? false
    }

    /// What it was read from.
    public var item: OutboxItem { queued.item }
}
