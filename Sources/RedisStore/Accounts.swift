internal import Redis

extension Store {
    /// An account, or nil where there is none.
    /// - Throws: ``StoreUnavailable``.
    public func account(_ account: AccountIdentity) throws(StoreUnavailable) -> AccountRecord? {
        AccountRecord(fields: try send("HGETALL", KeyNames.user(account)).fields(from: 0))
    }

    /// The uids of all accounts of a project in one shard, in their lexical order.
    /// - Throws: ``StoreUnavailable``.
    public func accounts(of project: String, in shard: Shard) throws(StoreUnavailable) -> [String] {
        try send("ZRANGE", KeyNames.users(shard, project), "0", "-1").texts()
    }

    /// Deletes an account in one atomic step. Its refresh tokens find it gone and end by themselves; a sign-in that is on its
    /// way to it within `markMilliseconds` does not bring it back.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func deleteAccount(_ account: AccountIdentity, markMilliseconds: Int64) throws(StoreUnavailable) {
        _ = try run(
            Scripts.deleteAccount,
            keys: [
                KeyNames.user(account),
                KeyNames.users(account.shard, account.project),
                KeyNames.refreshTokens(account),
                KeyNames.deletedUser(account),
            ],
            [.text(account.uid), .integer(markMilliseconds)]
        )
    }

    /// Lets a number go from its account, unless another account has it by now.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func releasePhone(_ phone: PhoneIdentity, from uid: String) throws(StoreUnavailable) {
        _ = try run(Scripts.deleteIfEqual, keys: [KeyNames.phone(phone)], [.text(uid)])
    }
}
