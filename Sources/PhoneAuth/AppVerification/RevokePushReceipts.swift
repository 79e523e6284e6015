internal import Encodings
public import RedisScripts

/// Revocation of app credentials by the operator. A client whose credential was revoked gets a new one automatically.
extension OperationContext {
    /// Revokes all push receipts of an app that were issued until now. Workers follow within a second.
    /// - Throws: ``StoreUnavailable``; retrying is safe (idempotent).
    public func revokePushReceipts(of app: RegisteredApp) throws(StoreUnavailable) {
        try recordChange("push-receipts revoke all of \(app.bundleID)")
        try store.revokePushReceipts(of: project.id, bundleID: app.bundleID.text, before: now.milliseconds + 1)
    }

    /// Revokes one push receipt at once. Returns false if the receipt does not exist.
    /// - Throws: ``StoreUnavailable``; retrying is safe (idempotent).
    public func revokePushReceipt(_ text: String) throws(StoreUnavailable) -> Bool {
        guard let receipt = PushReceipt(text, store.shards) else { return false }
        try recordChange("push-receipts revoke one")
        return try store.revokePushReceipt(receipt.id)
    }
}
