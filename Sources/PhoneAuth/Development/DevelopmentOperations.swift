public import Encodings
internal import MessageTexts
internal import PhoneNumbers
public import RedisScripts

/// Operations for development tools only: read codes, and empty a project.
///
/// Codes are derived here as in a dispatcher: Redis stores no codes in development mode either.
extension OperationContext {
    /// Returns all open sessions of a project in the order of their creation.
    /// - Throws: ``StoreUnavailable``.
    public func pendingVerifications() throws(StoreUnavailable) -> [PendingVerification] {
        let testNumbers = try testNumbers()
        return try store.openSessions(of: project.id)
            .filter { now.milliseconds < $0.expiresAt }
            .sorted { ($0.createdAt, $0.id.text) < ($1.createdAt, $1.id.text) }
            .compactMap { session in
                guard let purpose = Purpose(rawValue: session.purpose),
                    let codeSource = CodeSource(rawValue: session.codeSource),
                    let ticket = VerificationTicket(
                        id: session.id,
                        purpose: purpose,
                        codeSource: codeSource,
                        sealedNumber: session.sealedNumber,
                        in: project.id,
                        keys
                    ),
                    let code = codeSource == .testNumber
                        ? testNumbers[ticket.phoneNumber] : VerificationCode(of: ticket, under: keys)
                else { return nil }
                return PendingVerification(
                    phoneNumber: ticket.phoneNumber,
                    sessionInfo: ticket.text(sealedNumber: session.sealedNumber),
                    code: code
                )
            }
    }

    /// Returns the codes of all e-mails that someone may receive and that are unused, in the order of their creation.
    /// - Throws: ``StoreUnavailable``.
    public func pendingEmailActions() throws(StoreUnavailable) -> [(EmailAction, code: String, link: String)] {
        var pending: [(EmailAction, code: String, link: String)] = []
        let actions = try store.emailActions(of: project.id).sorted { $0.1.sentAt < $1.1.sentAt }
        for (identity, stored) in actions where stored.usedBy == nil && now.milliseconds < stored.expiresAt {
            guard let content = content(of: stored, identity), let action = EmailAction(content),
                let code = content["code"]?.text, let link = content["link"]?.text, try isAddressed(action)
            else { continue }
            pending.append((action, code, link))
        }
        return pending
    }

    /// Returns the messages that were queued within the lifetime of a session, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func inbox() throws(StoreUnavailable) -> [InboxMessage] {
        let oldest = now.milliseconds - policy.verificationLifetime.milliseconds
        return try store.queuedMessages(of: project.id).filter { $0.queuedAt > oldest }
            .compactMap { PendingMessage($0, authenticator) }
            .map { message in
                InboxMessage(
                    id: message.id.text,
                    phoneNumber: message.phone.text,
                    text: message.text(in: project).text,
                    code: message.code,
                    queuedAt: message.queuedAt
                )
            }
    }

    /// Deletes every account of a project.
    /// - Throws: ``StoreUnavailable``; then some accounts may remain.
    public func deleteAllAccounts() throws(StoreUnavailable) {
        for shard in store.shards.shards {
            for uid in try store.accounts(of: project.id, in: shard) {
                let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
                _ = try deleteAccount(identity)
            }
        }
    }
}

/// A message of the development inbox.
public struct InboxMessage: Sendable, Confidential {
    /// The message's id in its project.
    public let id: String
    /// The number in E.164 form.
    public let phoneNumber: String
    /// The text of the message.
    public let text: String
    /// The code in it.
    public let code: VerificationCode
    /// When it was queued.
    public let queuedAt: Instant
}

/// An open verification session for development tools. Times are milliseconds since the Unix epoch.
struct ListedVerification: Sendable {
    /// The session's id.
    let id: VerificationID
    /// The session's number, sealed.
    let sealedNumber: [UInt8]
    /// The session's purpose.
    let purpose: String
    /// The source of the session's code.
    let codeSource: String
    /// When the session was opened.
    let createdAt: Int64
    /// When the session expires.
    let expiresAt: Int64

    init(id: VerificationID, _ stored: StoredVerification) {
        self.id = id
        sealedNumber = stored.sealedNumber
        purpose = stored.purpose
        codeSource = stored.codeSource
        createdAt = stored.createdAt
        expiresAt = stored.expiresAt
    }
}

/// A verification session that waits for its code, as the reference emulator lists it.
public struct PendingVerification: Sendable, Confidential {
    /// The number in E.164 form.
    public let phoneNumber: String
    /// The client's session info.
    public let sessionInfo: String
    /// The code.
    public let code: VerificationCode
}
