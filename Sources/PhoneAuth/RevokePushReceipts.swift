public import RedisStore

/// The operator's ways to end app credentials before their time. A client whose credential is gone gets a new one by itself.
extension Authenticator {
    /// Revokes all push receipts of an app that were issued until now. Workers follow within a second.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func revokePushReceipts(of app: RegisteredApp, in project: Project) throws(StoreUnavailable) {
        let now = environment.now().milliseconds
        try store.revokePushReceipts(of: project.id, bundleID: app.bundleID, before: now + 1)
    }

    /// Revokes one push receipt, at once; false where there is no such receipt.
    /// - Throws: ``StoreUnavailable``; repeating it is harmless.
    public func revokePushReceipt(_ text: String) throws(StoreUnavailable) -> Bool {
        guard let receipt = PushReceipt(text, store.shards) else { return false }
        return try store.revokePushReceipt(receipt.id)
    }
}
