internal import Encodings
internal import Passwords
internal import RedisScripts

extension OperationContext {
    /// Sets the password of the account whose user has forgotten it, and verifies the address that received the code.
    ///
    /// All sessions and tokens end. Second factors stay, so a mailbox alone does not suffice to sign in to an account
    /// that has some. What can fail for another reason comes before the code is used.
    /// - Throws: ``EmailActionRefusal``.
    public func resetPassword(
        _ code: EmailCode,
        to newPassword: String
    ) throws(EmailActionRefusal) -> EmailAction {
        guard project.isPasswordSignInEnabled else { throw .passwordSignInDisabled }
        try EmailActionRefusal.wrapping(failureOf: admit(.passwordHash))
        let action = try action(of: code)
        guard action.kind == .passwordReset else { throw .codeInvalid }
        let password: Password
        do { password = try Password.new(newPassword) } catch { throw .credential(error) }
        guard let holder = try EmailActionRefusal.wrapping(accountToReset(action.email)) else { throw .codeInvalid }
        guard !holder.record.isDisabled else { throw .accountDisabled }
        var update = AccountUpdate()
        do {
            update = try passwordChange(try hash(password, for: .signIn), for: holder.identity)
        } catch {
            throw .failed(error)
        }
        let operation = resumed()
        update.fields[.isEmailVerified] = "1"
        // `+ 1` also revokes tokens of this very second: none are issued here.
        update.fields[.validSince] = String(operation.now.seconds + 1)
        _ = try operation.apply(update, by: code, to: holder.identity, holder.record)
        if let client = requester.limitedClient {
            forgetWrongPasswords(for: identifier(action.email).identity, from: client.address)
        }
        return action
    }

    /// Verifies, changes or restores the address of an account by a code that was sent to it. `link` is for the notice
    /// to the former address.
    /// - Throws: ``EmailActionRefusal``.
    public func applyEmailAction(_ code: EmailCode, _ link: ActionLink) throws(EmailActionRefusal) -> Account {
        let action = try action(of: code)
        guard let (identity, record) = try EmailActionRefusal.wrapping(account(of: action)) else { throw .codeInvalid }
        guard !record.isDisabled else { throw .accountDisabled }
        switch action.kind {
        case .passwordReset, .signIn: throw .codeInvalid
        case .verifyEmail:
            return try apply(AccountUpdate(fields: [.isEmailVerified: "1"]), by: code, to: identity, record)
        case .changeEmail, .recoverEmail:
            let email = identifier(action.recipient)
            let holder = try EmailActionRefusal.wrapping(holder(of: email.identity))
            if let holder, !holder.identity.uid.hasSameBytes(as: identity.uid) {
                // Otherwise anyone could prevent a recovery by signing up with the former address.
                guard action.kind == .recoverEmail, !holder.record.isEmailVerified else {
                    throw .credential(.emailExists)
                }
                try takeAway(from: holder, by: code)
            }
            try use(code)
            return try take(email, by: action, code, for: identity, record, link)
        }
    }

    /// Gives an account the address that a code was sent to, and revokes its tokens. A recovery also ends what whoever
    /// changed the address may have added: the password, and another number.
    private func take(
        _ email: AccountIdentifier<EmailIdentity>,
        by action: EmailAction,
        _ code: EmailCode,
        for identity: AccountIdentity,
        _ record: AccountRecord,
        _ link: ActionLink
    ) throws(EmailActionRefusal) -> Account {
        let before = Account(identity, record, keys)
        let isRecovery = action.kind == .recoverEmail
        let changed: AccountRecord?
        do {
            changed = try assign(
                IdentifierAssignments(number: nil, keepsNumber: false, email: email, isEmailVerified: true),
                to: identity,
                knownToHave: identifiers(of: before, record),
                having: isRecovery ? record.revocation : action.revocation,
                revokingTokens: true
            )
        } catch {
            throw EmailActionRefusal(error)
        }
        guard isRecovery else {
            notifyFormerAddress(of: before, record, changedTo: action.recipient, link)
            return Account(identity, changed ?? record, keys)
        }
        // A thief could have linked a number until the tokens were revoked.
        let restored = changed ?? record
        var recoveries = restored.recoveries
        recoveries.add(noticeSentAt: action.sentAt ?? 0, usedAt: now.milliseconds)
        let update = AccountUpdate(
            fields: [.emailRecoveries: recoveries.text, .password: nil, .passwordUpdatedAt: nil],
            removesNumber: restored.numberClaimID != nil && restored.numberClaimID != action.numberClaim
        )
        return try apply(update, by: code, to: identity, restored)
    }

    /// Takes an address away from an account whose user has never verified it, for someone who has.
    func takeAway(from holder: IdentifierHolder, by code: EmailCode) throws(EmailActionRefusal) {
        _ = try apply(AccountUpdate(removesEmail: true), by: code, to: holder.identity, holder.record, as: .server)
    }

    /// Uses a code up and changes an account, if its user can still sign in in the same ways as when it was read.
    /// Otherwise the code can be used again.
    func apply(
        _ update: AccountUpdate,
        by code: EmailCode,
        to identity: AccountIdentity,
        _ record: AccountRecord,
        as actor: AuditActor? = nil
    ) throws(EmailActionRefusal) -> Account {
        try use(code)
        let outcome = try EmailActionRefusal.wrapping(
            store.updateAccount(
                identity,
                update,
                provingEmailOf: record,
                audit: audit(by: actor, about: identifiers(of: Account(identity, record, keys), record))
            )
        )
        guard case .updated(let changed, let former) = outcome else {
            giveBack(code)
            throw .failed(.interrupted)
        }
        release(former, of: identity)
        return Account(identity, changed, keys)
    }
}

extension EmailActionRefusal {
    /// Creates the refusal of an address that the account cannot have.
    fileprivate init(_ refusal: AccountRefusal) {
        switch refusal {
        case .credential(let refusal): self = .credential(refusal)
        case .failed(let failure): self = .failed(failure)
        default: self = .codeInvalid
        }
    }
}
