internal import Encodings
internal import RedisScripts

extension OperationContext {
    /// The time in which a request that has used a code may be repeated.
    private static let usedCodeMemory: Duration = .seconds(60)

    /// Creates a code and queues the e-mail with its link, or only returns the link.
    ///
    /// A code replaces the address's earlier one. Within ``Policy/lockLifetime``, a repeated request sends no second
    /// e-mail. Operators are not limited, nor are notices about changed addresses: an attacker must not be able to
    /// suppress them by using up the limits.
    /// - Returns: the code with its link, and the e-mail; nil if the user has a recent e-mail.
    /// - Throws: ``OperationFailure``; then nothing is queued or counted.
    @discardableResult
    func queue(
        _ action: EmailAction,
        _ link: ActionLink,
        sendsMail: Bool
    ) throws(OperationFailure) -> (code: EmailCode, link: String, mail: QueuedMessageID?)? {
        let code = EmailCode(environment)
        let text = link.text(action.kind, code)
        let identity = code.identity(in: project)
        let content = JSONWriter.object { json in
            action.write(to: &json)
            // Development tools show the links.
            guard policy.development != nil else { return }
            json.member("code", code.text)
            json.member("link", text)
        }
        let mail = JSONWriter.object { json in
            action.write(to: &json)
            json.member("link", text)
            json.member("locale", link.locale)
        }
        let recipient = identifier(action.recipient).identity
        let isLimited = sendsMail && action.kind != .recoverEmail
        let queued = EmailActionToQueue(
            kind: action.kind,
            code: identity,
            email: identifier(action.email).identity,
            recipient: recipient,
            content: try authenticator.seal(content, Self.sealingContext(identity)),
            mail: sendsMail ? try authenticator.seal(mail, Self.mailContext(project.id)) : [],
            lifetime: action.lifetime(under: policy),
            limits: isLimited ? mailLimits(to: recipient) : []
        )
        let outcome = try OperationFailure.wrapping(store.queue(queued, under: policy, at: now))
        switch outcome {
        case .queued(let mail): return (code, text, mail)
        case .repeated: return nil
        case .limited(let exceeded): throw .notAdmitted(.limited(RateLimitRefusal(exceeded)))
        }
    }

    /// Whether mails are sent, or shown to developers.
    var sendsMails: Bool { project.mailSender != nil || policy.development != nil }

    static func sealingContext(_ code: EmailCodeIdentity) -> SealingContext {
        SealingContext("email-action", of: "\(code.project)/\(code.hash)")
    }

    static func mailContext(_ project: String) -> SealingContext { SealingContext("mail", of: project) }

    /// Returns the rate limits of an e-mail that a client requests, without those that the operator has switched off.
    private func mailLimits(to recipient: EmailIdentity) -> [RateLimit] {
        guard let client = requester.limitedClient else { return [] }
        let perAddress = policy.mailsPerAddressPerHour
        var limits: [RateLimit] = []
        if perAddress > 0 {
            let limit = RateLimit.mails(to: recipient, .hour(perAddress))
            limits += [limit, limit.also(in: .day(2 * perAddress))]
        }
        return limits + mailLimits(ofNetwork: client.address) + projectMailLimits()
    }

    /// Returns the rate limits of e-mails that clients in a network request, without those that are switched off.
    func mailLimits(ofNetwork address: String) -> [RateLimit] {
        let perNetwork = policy.mailsPerNetworkPerHour
        guard perNetwork > 0 else { return [] }
        return networks(of: address, for: "mail-network").all.map { network in
            let maximum = network.width.maximum(perNetwork)
            return .mails(by: network, .hour(Policy.maximum(maximum, ofQuota: policy.mailsPerProjectPerHour)))
        }
    }

    private func projectMailLimits() -> [RateLimit] {
        let (perHour, perDay) = (policy.mailsPerProjectPerHour, policy.mailsPerProjectPerDay)
        let windows: [RateLimit.Window?] = [perHour > 0 ? .hour(perHour) : nil, perDay > 0 ? .day(perDay) : nil]
        return windows.compactMap { window in window.map { .mails(ofProject: project.id, $0) } }
    }

    /// Takes an e-mail that nobody may get back from the project's limits: requests for unknown addresses must not use
    /// up what users may get.
    func refund(mailCountedAs eventID: String) {
        let refund = RateLimitRefund(project: project.id, eventID: eventID, limits: projectMailLimits())
        bestEffort("refund an e-mail", try store.refund(refund, now: now.milliseconds))
    }

    /// Returns what a code authorizes, and does not use the code.
    /// - Throws: ``EmailActionRefusal``.
    public func action(of code: EmailCode) throws(EmailActionRefusal) -> EmailAction {
        let identity = code.identity(in: project)
        guard let stored = try EmailActionRefusal.wrapping(store.emailAction(identity)),
            stored.usedBy == nil || stored.usedBy == repeatID,
            var action = content(of: stored, identity).flatMap({ EmailAction($0) })
        else { throw .codeInvalid }
        guard stored.usedBy != nil || now.milliseconds < stored.expiresAt else { throw .codeExpired }
        action.sentAt = stored.sentAt
        return action
    }

    /// Opens the record of a code; nil if no data key opens it.
    func content(of stored: StoredEmailAction, _ code: EmailCodeIdentity) -> JSONObject? {
        keys.data.open(stored.content, context: Self.sealingContext(code)).flatMap { JSONObject(parsing: $0) }
    }

    /// Uses a code up (single use). A request that is repeated because its worker died gets the code again.
    func use(_ code: EmailCode) throws(EmailActionRefusal) {
        let use = try EmailActionRefusal.wrapping(
            store.take(
                code.identity(in: project),
                requestID: repeatID,
                usedMilliseconds: Self.usedCodeMemory.milliseconds,
                at: now
            )
        )
        switch use {
        case .taken: return
        case .unknown: throw .codeInvalid
        case .expired: throw .codeExpired
        }
    }
}

extension OperationContext {
    /// Lets a code be used again, by a request that has done nothing with it.
    func giveBack(_ code: EmailCode) {
        let identity = code.identity(in: project)
        let memory = policy.tombstoneLifetime.milliseconds
        bestEffort("give back a code", try store.giveBack(identity, memory: memory, now: now.milliseconds))
    }
}

/// Whom e-mails may reach, and what their links may do.
extension OperationContext {
    /// Returns the account whose password the reader of an address's mail may set; nil if there is none.
    ///
    /// An account whose user has never verified the address, but something else, is not the reader's
    /// (``AccountRecord/isOpenToReaderOfMail``).
    func accountToReset(_ email: EmailAddress) throws(StoreUnavailable) -> IdentifierHolder? {
        guard let holder = try holder(of: identifier(email).identity),
            holder.record.isOpenToReaderOfMail
        else { return nil }
        return holder
    }

    /// Returns the account that an action is for, if the action is still valid. A change must not outlive the session
    /// that requested it: an attacker's session may have ended because of a reset of the password.
    func account(of action: EmailAction) throws(StoreUnavailable) -> (identity: AccountIdentity, record: AccountRecord)?
    {
        guard let uid = action.uid else { return nil }
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        guard let record = try store.account(identity) else { return nil }
        let email = Account(identity, record, keys).email
        let isValid =
            switch action.kind {
            case .recoverEmail:
                email == action.email.text
                    || action.sentAt.map { record.recoveries.allows(noticeSentAt: $0) } ?? true
            // A repeated request finds the new address.
            case .changeEmail:
                email == action.newEmail?.text
                    || email == action.email.text && record.revocation == action.revocation
            case .verifyEmail, .passwordReset, .signIn: email == action.email.text
            }
        return isValid ? (identity, record) : nil
    }

    /// Returns whether an e-mail should be sent. Requests are not answered by whether accounts exist, so this is
    /// decided afterwards (no user enumeration).
    func isAddressed(_ action: EmailAction) throws(StoreUnavailable) -> Bool {
        switch action.kind {
        case .signIn: return true
        case .passwordReset: return try accountToReset(action.email).map { !$0.record.isDisabled } ?? false
        case .verifyEmail, .recoverEmail: return try account(of: action) != nil
        case .changeEmail:
            guard let newEmail = action.newEmail, try account(of: action) != nil else { return false }
            return try holder(of: identifier(newEmail).identity) == nil
        }
    }
}

extension OperationContext {
    /// Queues a notice to the former address of a user who has changed it, with a link that restores it. Only a
    /// verified address gets one: whoever reads its mail could otherwise take an account that was never theirs.
    func notifyFormerAddress(
        of account: Account,
        _ record: AccountRecord,
        changedTo newEmail: EmailAddress,
        _ link: ActionLink?,
        ifVerified: Bool = true
    ) {
        guard let link, let former = account.email.flatMap({ EmailAddress($0) }), former != newEmail,
            account.isEmailVerified || !ifVerified, sendsMails
        else { return }
        var action = EmailAction(.recoverEmail, of: former, uid: account.uid)
        action.newEmail = newEmail
        action.numberClaim = record.numberClaimID ?? ""
        bestEffort("notify a former address", try queueNotice(action, link))
    }

    private func queueNotice(_ action: EmailAction, _ link: ActionLink) throws(StoreUnavailable) {
        do {
            try queue(action, link, sendsMail: true)
        } catch {
            throw StoreUnavailable(description: "\(error)")
        }
    }
}
