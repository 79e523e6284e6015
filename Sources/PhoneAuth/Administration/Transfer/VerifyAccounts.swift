internal import RedisScripts

/// What was found in accounts whose sealed values were all opened.
public struct VerifiedAccounts: Sendable {
    /// The number of accounts.
    public var accounts = 0
    /// The number of phone numbers.
    public var phoneNumbers = 0
    /// The number of e-mail addresses.
    public var emails = 0
    /// The number of password hashes.
    public var passwords = 0
    /// The number of second factors.
    public var secondFactors = 0
    /// The uids of accounts to which their number or e-mail address does not lead.
    public var unreachable: [String] = []

    /// Creates the result for no accounts.
    public init() {}
}

extension OperationContext {
    /// Opens every sealed value of the accounts with these uids, looks up their identifiers under the index key in
    /// force, and adds what was found.
    /// - Throws: ``ExportFailure``; `keysWrong` if a value cannot be opened.
    public func verifyAccounts(uids: [String], _ found: inout VerifiedAccounts) throws(ExportFailure) {
        let exported = try exportAccounts(uids: uids, includesCredentials: true)
        let accounts = exported.map(\.account)
        found.accounts += accounts.count
        found.passwords += exported.count { $0.password != nil }
        found.secondFactors += accounts.reduce(0) { $0 + $1.secondFactors.count }
        let phones = accounts.compactMap { account in
            account.phoneNumber.map { (uid: account.uid, identity: identity(of: $0)) }
        }
        let emails = accounts.compactMap { account in
            account.email.map { email in
                let identity = EmailIdentity(email, in: project.id, under: keys.indexKey, among: store.shards)
                return (uid: account.uid, identity: identity)
            }
        }
        found.phoneNumbers += phones.count
        found.emails += emails.count
        found.unreachable += try unreachable(phones) + unreachable(emails)
    }

    /// Returns the uids to which the identifiers beside them do not lead.
    private func unreachable(
        _ identifiers: [(uid: String, identity: some IdentifierIdentity)]
    ) throws(ExportFailure) -> [String] {
        let claims = try ExportFailure.wrapping(store.claims(of: identifiers.map(\.identity)))
        return zip(identifiers, claims).filter { $0.uid != $1?.uid }.map(\.0.uid)
    }

    /// Opens all test numbers of the project, and returns their number.
    /// - Throws: ``ExportFailure``.
    public func verifyTestNumbers() throws(ExportFailure) -> Int {
        let stored = try ExportFailure.wrapping(store.testNumbers(of: project.id))
        guard authenticator.opened(stored, of: project).count == stored.count else { throw .keysWrong }
        return stored.count
    }
}
