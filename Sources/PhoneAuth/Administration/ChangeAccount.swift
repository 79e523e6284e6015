internal import Passwords
internal import RedisStore

extension Authenticator {
    /// Changes an account for an operator: number and e-mail address first, because they may be rejected, then the rest
    /// in one atomic step.
    ///
    /// A changed e-mail address or password revokes earlier tokens, as it does when the user changes it, in the same
    /// atomic step. So a request that failed and is repeated leaves no earlier tokens valid.
    /// - Throws: ``AccountRefusal``; then nothing has changed, unless another account got the identifier concurrently.
    public func changeAccount(
        uid: String,
        _ change: AccountChange,
        in project: Project
    ) throws(AccountRefusal) -> Account {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let now = environment.now()
        try change.check(at: now)
        let gifts = try gifts(of: change, in: project)
        let secondFactors = try secondFactorGifts(of: change, in: project)
        try refuseTaken(gifts, for: identity, in: project, now)
        let record = try accountRecord(identity)
        let before = Account(identity, record, keys)
        let known = identifiers(of: before, record, in: project)
        var update = try update(change, secondFactors, of: identity, having: record.secondFactors, now)
        if change.validSince == nil, change.changesCredentials(of: before) {
            update.fields[.validSince] = String(now.seconds)
        }
        try give(
            gifts,
            to: identity,
            knownToHave: known,
            revokingTokens: change.validSince == nil,
            in: project,
            now
        )
        let outcome: AccountUpdate.Outcome
        do {
            outcome = try store.updateAccount(identity, update, audit: audit(about: known, in: project))
        } catch {
            throw .failed(.unavailable(error))
        }
        guard case .updated(let changed, let former) = outcome else { throw .accountUnknown }
        release(former, of: identity, in: project)
        return Account(identity, changed, keys)
    }

    /// Returns the changes to the hash of an account with these second factors, with the new password hashed.
    func update(
        _ change: AccountChange,
        _ secondFactors: [SecondFactorGift]?,
        of account: AccountIdentity,
        having present: [SecondFactorRecord],
        _ now: Instant
    ) throws(AccountRefusal) -> AccountUpdate {
        var update = change.update(at: now)
        if let secondFactors { try give(secondFactors, to: account, having: present, by: &update, now) }
        switch change.password {
        case .unchanged: break
        case .removed:
            update.fields[.password] = .some(nil)
            update.fields[.passwordUpdatedAt] = .some(nil)
        case .set(let text):
            let password: Password
            do { password = try Password.new(text) } catch { throw .credential(error) }
            do { update.sealedPassword = try seal(try hash(password, for: .known), for: account) } catch {
                throw .failed(error)
            }
            update.fields[.passwordUpdatedAt] = String(now.milliseconds)
        case .imported(let stored):
            do { update.sealedPassword = try seal(stored, for: account) } catch { throw .failed(error) }
            update.fields[.passwordUpdatedAt] = String((change.passwordUpdatedAt ?? now).milliseconds)
        }
        return update
    }

    /// Returns the record of the account that an operation is about.
    func accountRecord(_ identity: AccountIdentity) throws(AccountRefusal) -> AccountRecord {
        let record: AccountRecord?
        do { record = try store.account(identity) } catch { throw .failed(.unavailable(error)) }
        guard let record else { throw .accountUnknown }
        return record
    }

    /// Deletes an account for an operator. `requestID` identifies the request; it is unchanged if a front end repeats
    /// the request.
    /// - Throws: ``AccountRefusal``.
    public func deleteAccount(uid: String, requestID: String, in project: Project) throws(AccountRefusal) {
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let deletion: AccountDeletion
        do {
            deletion = try deleteAccount(identity, requestID: requestID, in: project)
        } catch {
            throw .failed(.unavailable(error))
        }
        guard case .deleted = deletion else { throw .accountUnknown }
    }
}

extension AccountChange {
    /// Whether the change sets another password, or removes the password or the e-mail address. A new address revokes
    /// tokens when it is taken.
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
