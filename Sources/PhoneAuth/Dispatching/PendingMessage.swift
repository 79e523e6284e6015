public import Encodings
public import MessageTexts
public import PhoneNumbers

/// A text message that is due.
public struct PendingMessage: Sendable, Confidential {
    /// The time for which the outcome of a message is remembered.
    static let outcomeMemory: Duration = .seconds(86_400)

    /// The message's id. It is not a secret, and gateways may see it.
    public let id: QueuedMessageID
    /// The project's id.
    public let project: String
    /// The recipient.
    public let phone: E164
    /// The verification code.
    let code: VerificationCode
    /// The client's preferred languages, unparsed.
    let locale: String
    /// The ending for WebOTP or SMS Retriever autofill.
    let ending: MessageEnding?
    /// When the user requested the code.
    public let queuedAt: Instant
    /// When its session ends.
    public let expiresAt: Instant
    /// The gateways of its route that go first.
    public let route: MessageRoute
    /// The gateways of its route that do not get it: see ``Policy/tooDear(for:after:)``.
    public let tooDear: Set<String>
    /// The gateways that were already tried without success.
    public let tried: [String]
    let queued: QueuedMessage

    init?(_ message: QueuedMessage, _ authenticator: Authenticator) {
        guard let purpose = Purpose(rawValue: message.purpose),
            let ticket = VerificationTicket(
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
        code = VerificationCode(of: ticket, under: authenticator.keys)
        locale = message.locale
        ending = MessageEnding(stored: message.ending)
        queuedAt = Instant(milliseconds: message.queuedAt)
        expiresAt = Instant(milliseconds: message.expiresAt)
        route = message.route
        tooDear = authenticator.policy.tooDear(for: phone, after: message.route.first.first)
        tried = message.tried
        queued = message
    }
}

extension PendingMessage {
    /// Returns the text in the first of the user's languages that has one.
    public func text(in project: Project) -> MessageText {
        project.message(code: code.digits, locale: locale, ending: ending)
    }

    /// Returns the text for a phone call, and the locale of its voice.
    public func speech(in project: Project) -> (text: String, locale: String) {
        project.messages.speech(code: code.digits, languages: LanguagePreferences([locale]))
    }

    /// The digits of the code.
    public var digits: String { code.digits }
}

extension Project {
    func message(code: String, locale: String, ending: MessageEnding?) -> MessageText {
        messages.message(code: code, languages: LanguagePreferences([locale]), ending: ending)
    }
}

extension PendingMessage: OutboxContent {
    /// The outbox of messages.
    public static var outbox: Outbox { .messages }

    /// Opens an item; nil if its format is unknown or no data key opens it.
    public init?(_ item: OutboxItem, _ authenticator: Authenticator) {
        guard let message = QueuedMessage(item) else { return nil }
        self.init(message, authenticator)
    }

    /// Returns whether another dispatcher may open the item: its format or its data key is unknown here.
    public static func mayOpenElsewhere(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool {
        QueuedMessage(item).map { !authenticator.keys.knows($0.sealedNumber) } ?? true
    }

    /// The item from which it was read.
    public var item: OutboxItem { queued.item }
}

extension Authenticator {
    /// Returns the ledger entry of a message that a gateway accepted at this price; zero if none did. A series that
    /// cannot be sealed has no name in reports.
    func ledgerEntry(of message: PendingMessage, price: Money) -> LedgerEntry {
        let phone = message.phone
        let series = try? RangePrefix.series(of: phone).sealed(in: message.project, keys, environment)
        return LedgerEntry(
            ranges: NumberRanges(of: phone, in: message.project, keys),
            sealedSeries: series ?? [],
            price: price.micros,
            rangeHalfLifeMilliseconds: TollFraudPolicy.halfLife.milliseconds,
            ledgerMilliseconds: TollFraudPolicy.ledgerLife.milliseconds,
            explores: policy.routing.exploration > 0
        )
    }
}
