public import Encodings
internal import Metrics
public import RedisScripts

/// An e-mail with an action link that is due.
public struct PendingMail: Sendable, Confidential {
    /// The e-mail's id. It is not a secret, and gateways may see it.
    public let id: QueuedMessageID
    /// The project's id.
    public let project: String
    /// What its link is for.
    public let kind: EmailActionKind
    /// The recipient.
    public let recipient: EmailAddress
    /// The complete action link.
    public let link: String
    /// The address that a change gives to the account; of a recovery, the one that it takes away.
    public let newEmail: String?
    /// The client's preferred languages, unparsed.
    public let locale: String
    /// When the e-mail was requested.
    public let queuedAt: Instant
    /// When its link expires.
    public let expiresAt: Instant
    /// The item from which it was read.
    public let item: OutboxItem
    let action: EmailAction
}

extension PendingMail: OutboxContent {
    /// The outbox of e-mails.
    public static var outbox: Outbox { .mails }

    /// Opens an item; nil if its format is unknown or no data key opens it.
    public init?(_ item: OutboxItem, _ authenticator: Authenticator) {
        guard let sealed = item.fields["mail"],
            let content = authenticator.keys.data.open(sealed, context: OperationContext.mailContext(item.project))
                .flatMap({ JSONObject(parsing: $0) }),
            let action = EmailAction(content), let link = content["link"]?.text, let locale = content["locale"]?.text,
            let queuedAt = item.fields.integer("queued"), let expiresAt = item.fields.integer("expires")
        else { return nil }
        id = item.id
        project = item.project
        kind = action.kind
        recipient = action.recipient
        self.link = link
        newEmail = action.newEmail?.text
        self.locale = locale
        self.queuedAt = Instant(milliseconds: queuedAt)
        self.expiresAt = Instant(milliseconds: expiresAt)
        self.item = item
        self.action = action
    }

    /// Returns whether another dispatcher may open the item: its format or its data key is unknown here.
    public static func mayOpenElsewhere(_ item: OutboxItem, _ authenticator: Authenticator) -> Bool {
        item.fields["mail"].map { !authenticator.keys.knows($0) } ?? true
    }
}

/// The outcome of sending an e-mail.
public enum MailResult: Sendable, Equatable {
    /// A gateway accepted the e-mail.
    case accepted(gateway: String)
    /// No account may receive the e-mail, so it was not sent.
    case unaddressed
    /// No gateway accepted the e-mail; the reason is for operators.
    case dead(reason: String)
    /// The link expired before the e-mail was sent.
    case late
}

extension Authenticator {
    /// Returns whether someone may receive this e-mail.
    /// - Throws: ``StoreUnavailable``.
    public func isAddressed(_ mail: PendingMail) throws(StoreUnavailable) -> Bool {
        try operation(in: Project(id: mail.project, authorizedDomains: [])).isAddressed(mail.action)
    }

    /// Records the outcome of an e-mail, counts it and removes the e-mail from the outbox.
    ///
    /// - Parameters:
    ///   - mail: the e-mail from the outbox.
    ///   - result: the outcome.
    ///   - refused: the gateways that rejected it.
    /// - Throws: ``StoreUnavailable``; idempotent except for the count.
    public func finish(
        _ mail: PendingMail,
        _ result: MailResult,
        refusedBy refused: [String]
    ) throws(StoreUnavailable) {
        let now = environment.now().milliseconds
        let (outcome, event, fields): (String, MessageEvent, [(String, String)]) =
            switch result {
            case .accepted(let gateway): ("accepted", .accepted, [("gateway", gateway)])
            case .unaddressed: ("unaddressed", .unaddressed, [])
            case .dead(let reason): ("dead", .dead, [("reason", reason)])
            case .late: ("late", .ended, [])
            }
        var gateway: String?
        if case .accepted(let name) = result { gateway = name }
        let tried = refused + (gateway.map { [$0] } ?? [])
        guard try store.finish(mail, outcome, fields + [("tried", tried.joined(separator: ","))], now: now) else {
            return
        }
        if result == .unaddressed, let eventID = mail.item.fields.text("event") {
            operation(in: Project(id: mail.project, authorizedDomains: [])).refund(mailCountedAs: eventID)
        }
        for gateway in refused { count(.passedOn, of: mail.project, gateway: gateway, now: now) }
        count(event, of: mail.project, gateway: gateway, now: now)
    }

    /// Counts an event for `dialtone outbox`, and in the metrics.
    private func count(_ event: MessageEvent, of project: String, gateway: String?, now: Int64) {
        store.count(event, in: .mails, of: project, gateway: gateway, now: now)
        MetricFamily.mails.count(project, event.rawValue, gateway ?? "none")
    }
}
