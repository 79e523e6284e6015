internal import Encodings
internal import Passwords
internal import RedisScripts

extension OperationContext {
    /// Changes an account for an operator: number and e-mail address first, because they may be rejected, then the rest
    /// in one atomic step.
    ///
    /// A changed e-mail address or password revokes earlier tokens, as it does when the user changes it, in the same
    /// atomic step. So a request that failed and is repeated leaves no earlier tokens valid.
    /// - Throws: ``AccountRefusal``; then nothing has changed, unless another account got the identifier concurrently.
    public func changeAccount(uid: String, _ change: AccountChange) throws(AccountRefusal) -> Account {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        try change.check(at: now)
        let assignments = try assignments(of: change, to: identity)
        let secondFactors = try secondFactorAssignments(of: change)
        try refuseTaken(assignments, for: identity)
        let record = try accountRecord(identity)
        let before = Account(identity, record, keys)
        let known = identifiers(of: before, record)
        var update = try update(change, secondFactors, of: identity, having: record.secondFactors)
        if change.validSince == nil, change.changesCredentials(of: before) {
            update.fields[.validSince] = String(now.seconds)
        }
        try assign(assignments, to: identity, knownToHave: known, revokingTokens: change.validSince == nil)
        let outcome = try AccountRefusal.wrapping(store.updateAccount(identity, update, audit: audit(about: known)))
        guard case .updated(let changed, let former) = outcome else { throw .accountUnknown }
        release(former, of: identity)
        return Account(identity, changed, keys)
    }

    /// Returns the changes to the hash of an account with these second factors, with the new password hashed.
    func update(
        _ change: AccountChange,
        _ secondFactors: [SecondFactorAssignment]?,
        of account: AccountIdentity,
        having present: [SecondFactorRecord]
    ) throws(AccountRefusal) -> AccountUpdate {
        var update = change.update(at: now)
        if let secondFactors { try assign(secondFactors, to: account, having: present, by: &update) }
        switch change.password {
        case .unchanged: break
        case .removed:
            update.fields[.password] = .some(nil)
            update.fields[.passwordUpdatedAt] = .some(nil)
        case .set(let text):
            let password: Password
            do { password = try Password.new(text) } catch { throw .credential(error) }
            update.sealedPassword = try AccountRefusal.wrapping(
                failureOf: seal(hash(password, for: .known), for: account)
            )
            update.fields[.passwordUpdatedAt] = String(now.milliseconds)
        case .imported(let stored):
            try AccountRefusal.wrapping(addDecoy(of: stored))
            update.sealedPassword = try AccountRefusal.wrapping(failureOf: seal(stored, for: account))
            update.fields[.passwordUpdatedAt] = String((change.passwordUpdatedAt ?? now).milliseconds)
        }
        return update
    }

    /// Deletes an account for an operator.
    /// - Throws: ``AccountRefusal``.
    public func deleteAccount(uid: String) throws(AccountRefusal) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let deletion = try AccountRefusal.wrapping(deleteAccount(identity))
        guard case .deleted = deletion else { throw .accountUnknown }
    }
}

extension AccountChange {
    /// Returns whether the change sets a new password, or removes the password or the e-mail address. A new address
    /// revokes tokens when it is taken.
    fileprivate func changesCredentials(of account: Account) -> Bool {
        switch password {
        case .set, .imported: return true
        case .removed where account.hasPassword: return true
        case .removed, .unchanged: break
        }
        if case .removed = email { return account.email != nil }
        return false
    }
}
