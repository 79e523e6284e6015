internal import PhoneNumbers
public import RedisScripts

extension OperationContext {
    /// Returns the existing accounts with these uids, in their order.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(uids: [String]) throws(StoreUnavailable) -> [Account] {
        let identities = uids.map { AccountIdentity(project: project.id, uid: $0, among: store.shards) }
        return zip(identities, try store.accounts(identities)).compactMap { identity, record in
            record.map { Account(identity, $0, keys) }
        }
    }

    /// Returns the account that holds a number; nil if there is none, or the text is not a phone number.
    /// - Throws: ``StoreUnavailable``.
    public func account(ofPhoneNumber number: String) throws(StoreUnavailable) -> Account? {
        guard let phone = try? phoneNumbers.parse(number),
            let claim = try store.claim(of: identity(of: phone.text))
        else { return nil }
        // A claim alone has no effect: the account's record decides which number it holds.
        return try accounts(uids: [claim.uid]).first { $0.phoneNumber == phone.text }
    }

    /// Returns the account that holds an e-mail address; nil if there is none, or the text is not an e-mail address.
    /// - Throws: ``StoreUnavailable``.
    public func account(ofEmail text: String) throws(StoreUnavailable) -> Account? {
        guard let email = EmailAddress(text), let holder = try holder(of: identifier(email).identity)
        else { return nil }
        return Account(holder.identity, holder.record, keys)
    }

    /// Returns the next accounts of a project in the order of their uids, after `uid` or from the beginning. `last` is
    /// nil if there are no more.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(
        after uid: String?,
        limit: Int
    ) throws(StoreUnavailable) -> (accounts: [Account], last: String?) {
        let uids = try store.uids(of: project.id, after: uid, limit: limit)
        return (try accounts(uids: uids), uids.count == limit ? uids.last : nil)
    }

    /// Returns the number of a project's accounts.
    /// - Throws: ``StoreUnavailable``.
    public func accountCount() throws(StoreUnavailable) -> Int64 {
        try store.accountCount(of: project.id)
    }
}
