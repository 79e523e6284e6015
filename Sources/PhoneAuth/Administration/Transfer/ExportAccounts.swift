public import Encodings
public import Passwords
public import RedisStore

/// An account as it leaves a deployment.
public struct ExportedAccount: Sendable, Confidential {
    /// The account.
    public let account: Account
    /// Its password's hash; nil where it has none, or none was asked for.
    public let password: StoredPassword?
}

/// Why accounts were not exported.
public enum ExportFailure: Error {
    case unavailable(StoreUnavailable)
    /// What an account holds does not open: the deployment's accounts were sealed under other keys.
    case keysWrong
}

extension Authenticator {
    /// The next uids of a project in their order, after `uid` or from the beginning; fewer than `limit` at the end only.
    /// - Throws: ``StoreUnavailable``.
    public func uids(after uid: String?, limit: Int, in project: Project) throws(StoreUnavailable) -> [String] {
        try store.uids(of: project.id, after: uid, limit: limit)
    }

    /// The accounts of these uids that there are, in their order, each as it is at one moment; with their passwords' hashes
    /// where `includesPasswords`.
    /// - Throws: ``ExportFailure``.
    public func exportAccounts(
        uids: [String],
        includesPasswords: Bool,
        in project: Project
    ) throws(ExportFailure) -> [ExportedAccount] {
        let identities = uids.map { AccountIdentity(project: project.id, uid: $0, among: store.shards) }
        let records: [AccountRecord?]
        do { records = try store.accounts(identities) } catch { throw .unavailable(error) }
        var exported: [ExportedAccount] = []
        exported.reserveCapacity(uids.count)
        for case (let identity, let record?) in zip(identities, records) {
            let account = Account(identity, record, keys)
            // An account without the number that it has would look like one that never had any.
            guard (record.sealedNumber == nil) == (account.phoneNumber == nil),
                (record.sealedEmail == nil) == (account.email == nil)
            else { throw .keysWrong }
            var password: StoredPassword?
            if includesPasswords, let sealed = record.sealedPassword {
                guard let stored = storedPassword(sealed, of: identity) else { throw .keysWrong }
                password = stored
            }
            exported.append(ExportedAccount(account: account, password: password))
        }
        return exported
    }
}
