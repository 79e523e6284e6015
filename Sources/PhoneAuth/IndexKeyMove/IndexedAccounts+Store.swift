internal import RedisScripts

/// The data of an account that depends on an index key.
struct IndexedAccount: Sendable {
    /// The account.
    let identity: AccountIdentity
    /// The identifiers that the account holds or is about to take, sealed for it.
    let identifiers: [(kind: IdentifierKind, sealed: [UInt8])]
    /// The phones among its second factors, each with its field's value.
    let phones: [(factor: SecondFactorRecord, stored: [UInt8])]

    /// Reads the fields of a hash. Returns nil if there is no account.
    init?(_ identity: AccountIdentity, fields: HashFields) {
        guard fields[AccountField.createdAt.rawValue] != nil else { return nil }
        self.identity = identity
        identifiers = IdentifierKind.allCases.flatMap { kind in
            [kind.rawValue, "pending-" + kind.rawValue].compactMap { name in fields[name].map { (kind, $0) } }
        }
        phones = SecondFactorRecord.all(in: fields).compactMap { factor in
            guard factor.kind == .phone, let stored = fields[factor.field] else { return nil }
            return (factor, stored)
        }
    }
}

/// Iterates over the accounts of all projects, including projects that the settings no longer name.
struct IndexedAccounts {
    private let store: Store
    private var scan: KeyScan

    init(_ store: Store) {
        self.store = store
        scan = KeyScan(store, KeyNames.anyUser)
    }

    /// Returns the next accounts, possibly none, or nil at the end.
    /// - Throws: ``StoreUnavailable``.
    mutating func next() throws(StoreUnavailable) -> [IndexedAccount]? {
        guard let keys = try scan.next() else { return nil }
        guard !keys.isEmpty else { return [] }
        var accounts: [IndexedAccount] = []
        for (key, reply) in zip(keys, try store.sendAll("HGETALL", keys.map { [$0] })) {
            guard let identity = KeyNames.account(ofKey: key, among: store.shards),
                let account = IndexedAccount(identity, fields: reply.fields(from: 0))
            else { continue }
            accounts.append(account)
        }
        return accounts
    }
}

extension Store {
    /// Returns all accounts. Accounts created or deleted during the iteration may be missing or included.
    func indexedAccounts() -> IndexedAccounts { IndexedAccounts(self) }
}
