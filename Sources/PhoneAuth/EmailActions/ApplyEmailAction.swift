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
        try operation.use(code)
        _ = try operation.apply(update, to: holder.identity, holder.record)
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
            try use(code)
            return try apply(AccountUpdate(fields: [.isEmailVerified: "1"]), to: identity, record)
        case .changeEmail, .recoverEmail:
            let email = action.recipient
            let assignments = IdentifierAssignments(
                number: nil,
                keepsNumber: false,
                email: identifier(email),
                isEmailVerified: true
            )
            let before = Account(identity, record, keys)
            do {
                try refuseTaken(assignments, for: identity)
            } catch {
                throw EmailActionRefusal(error)
            }
            try use(code)
            do {
                let known = identifiers(of: before, record)
                let changed = try assign(assignments, to: identity, knownToHave: known, revokingTokens: true)
                if action.kind == .changeEmail { notifyFormerAddress(of: before, changedTo: email, link) }
                return Account(identity, changed ?? record, keys)
            } catch {
                throw EmailActionRefusal(error)
            }
        }
    }

    /// Changes an account, if it still has the address that it had when it was read.
    func apply(
        _ update: AccountUpdate,
        to identity: AccountIdentity,
        _ record: AccountRecord,
        by actor: AuditActor? = nil
    ) throws(EmailActionRefusal) -> Account {
        let outcome = try EmailActionRefusal.wrapping(
            store.updateAccount(
                identity,
                update,
                provingEmailClaim: record.emailClaimID ?? "",
                audit: audit(by: actor, about: identifiers(of: Account(identity, record, keys), record))
            )
        )
        guard case .updated(let changed, let former) = outcome else { throw .codeInvalid }
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
