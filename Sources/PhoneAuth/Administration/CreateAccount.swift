internal import PhoneNumbers
internal import RedisStore

extension Authenticator {
    /// Makes an account for an operator; without a `uid` it gets a new one.
    ///
    /// An account with a number first notes that it is about to get it, as one does that is given another number: where a
    /// worker dies on the way, the account is there, and the next sign-in with the number, or the operator, gives it the
    /// number. `requestID` names this request.
    /// - Throws: ``AccountRefusal``; then there is no such account, or it was there before.
    public func createAccount(
        uid: String?,
        _ change: AccountChange,
        requestID: String,
        in project: Project
    ) throws(AccountRefusal) -> Account {
        try change.checkSizes()
        let uid = uid ?? AccountID.make(environment)
        guard (1...Policy.maximumUIDCharacters).contains(uid.unicodeScalars.count) else { throw .uidInvalid }
        let identity = AccountIdentity(project: project.id, uid: uid, among: store.shards)
        let now = environment.now()
        var gift: NumberGift?
        if case .set(let number) = change.phoneNumber {
            gift = try newGift(of: number, to: identity, in: project, now)
            if let gift { try refuseHeldNumber(gift, in: project) }
        }
        let record: AccountRecord?
        do {
            record = try store.createAccount(
                AccountCreation(
                    account: identity,
                    requestID: requestID,
                    now: now.milliseconds,
                    fields: change.fields.compactMapValues { $0 },
                    pending: gift.map { ($0.claim, $0.sealedNumber) }
                )
            )
        } catch {
            throw .failed(.unavailable(error))
        }
        guard let record else { throw .uidTaken }
        guard let gift else { return Account(identity, record, keys) }
        do {
            return try give(gift, in: project)
        } catch {
            // Somebody else got the number in between: an account without it is not what was asked for.
            if case .numberExists = error { _ = try? deleteAccount(identity, requestID: requestID, in: project) }
            throw error
        }
    }

    private func refuseHeldNumber(_ gift: NumberGift, in project: Project) throws(AccountRefusal) {
        do {
            guard let standing = try store.claim(of: gift.phone), standing.uid != gift.account.uid else { return }
            guard try holdsClaim(standing, in: project, gift.now) else { return }
        } catch {
            throw .failed(.unavailable(error))
        }
        throw .numberExists
    }
}
