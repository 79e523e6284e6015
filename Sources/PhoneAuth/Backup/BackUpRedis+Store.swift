public import RedisScripts

extension SnapshotScan {
    private static let kindsForOneUse: Set<Substring> = Set(
        Outbox.allCases.map { $0.rawValue[...] } + ["due-receipts", "sess", "lock", "challenge-token", "email-action"]
    )

    /// Prepares to read a backup from the servers of a store. It leaves out what is used once, and would be used again
    /// if it were restored: items to send, with those that wait, and open verifications with their codes.
    /// - Throws: ``StoreUnavailable``.
    public init(backingUp store: Store) throws(StoreUnavailable) {
        try self.init(store) { key in
            Self.kindsForOneUse.contains(key.dropFirst(KeyNames.slot(of: key).count + 1).prefix { $0 != ":" })
        }
    }
}
