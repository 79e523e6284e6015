internal import Encodings
internal import MessageTexts
internal import PhoneNumbers
public import RedisStore

/// What development tools may do and no client may: look at codes, and empty a project.
///
/// Codes are derived here as a dispatcher would derive them; Redis holds none in development mode either.
extension Authenticator {
    /// All open sessions of a project in the order of their creation.
    /// - Throws: ``StoreUnavailable``.
    public func pendingVerifications(of project: Project) throws(StoreUnavailable) -> [PendingVerification] {
        let testNumbers = try testNumbers(of: project)
        let now = environment.now().milliseconds
        return try store.openSessions(of: project.id)
            .filter { now < $0.expiresAt }
            .sorted { ($0.createdAt, $0.id.text) < ($1.createdAt, $1.id.text) }
            .compactMap { session in
                guard let purpose = Purpose(rawValue: session.purpose),
                    let codeSource = CodeSource(rawValue: session.codeSource),
                    let ticket = SessionTicket(
                        id: session.id,
                        purpose: purpose,
                        codeSource: codeSource,
                        sealedNumber: session.sealedNumber,
                        in: project.id,
                        keys
                    ),
                    let code = codeSource == .testNumber ? testNumbers[ticket.phoneNumber] : derivedCode(of: ticket)
                else { return nil }
                return PendingVerification(
                    phoneNumber: ticket.phoneNumber,
                    sessionInfo: ticket.text(sealedNumber: session.sealedNumber),
                    code: code
                )
            }
    }

    /// The messages that were queued within the life of a session, oldest first.
    /// - Throws: ``StoreUnavailable``.
    public func inbox(of project: Project) throws(StoreUnavailable) -> [InboxMessage] {
        let oldest = environment.now().milliseconds - policy.sessionLifetime.milliseconds
        return try store.queuedMessages()
            .filter { $0.project == project.id && $0.queuedAt > oldest }
            .compactMap { PendingMessage($0, self) }
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
    ///
    /// The number lets go of its account first: should it end half-way, an account is left that nobody reaches by phone and
    /// that the next call deletes, never a number that leads nowhere.
    /// - Throws: ``StoreUnavailable``; then some accounts may be left.
    public func deleteAllAccounts(of project: Project) throws(StoreUnavailable) {
        for shard in store.shards.shards {
            for uid in try store.accounts(of: project.id, in: shard) {
                let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
                if let record = try store.account(identity) {
                    let account = Account(identity, record, keys)
                    if let number = account.phoneNumber {
                        try store.releasePhone(self.identity(of: number, in: project), from: uid)
                    }
                }
                try store.deleteAccount(identity, markMilliseconds: Policy.deletionMarkLifetime.milliseconds)
            }
        }
    }

    /// What the reference emulator's configuration says.
    /// - Throws: ``StoreUnavailable``.
    public func emulatorConfig(of project: Project) throws(StoreUnavailable) -> EmulatorConfig {
        try store.emulatorConfig(of: project.id)
    }

    /// Replaces what the reference emulator's configuration says.
    /// - Throws: ``StoreUnavailable``.
    public func setEmulatorConfig(_ config: EmulatorConfig, of project: Project) throws(StoreUnavailable) {
        try store.setEmulatorConfig(config, of: project.id)
    }

    func derivedCode(of ticket: SessionTicket) -> VerificationCode {
        VerificationCode(of: ticket.id, for: ticket.phoneNumber, purpose: ticket.purpose, under: keys)
    }
}
