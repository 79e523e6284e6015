internal import Encodings
public import RedisScripts

/// The receipt that a device gets by silent push and returns as proof, together with the receipt's secret.
///
/// The receipt's text is base64url of: format (1 byte) ‖ shard (2) ‖ id (16). The secret is derived from the receipt
/// under the server key, for one project and app. So Redis does not store the secret, and a forged pair is rejected
/// without a round trip.
struct PushReceipt: Sendable {
    /// The time for which a delivered push receipt waits for its first use.
    static let unusedLifetime: Duration = .seconds(3600)

    /// The time for which a device and a receipt that APNs has not confirmed are remembered after the dispatcher gave
    /// up on the push.
    static let unprovenMemory: Duration = .seconds(60)

    private static let format: UInt8 = 1

    let id: PushReceiptID

    init(id: PushReceiptID) {
        self.id = id
    }

    /// Parses a receipt; nil if the text is not a receipt.
    init?(_ text: String, _ shards: ShardCount) {
        guard var token = TokenReader(text, format: Self.format, atMost: 64),
            let id = token.pushReceiptID(among: shards), token.rest.isEmpty
        else { return nil }
        self.id = id
    }

    /// The text that the SDK stores.
    var text: String { token.text }

    private var token: TokenWriter {
        var token = TokenWriter(format: Self.format)
        token.append(id)
        return token
    }

    /// Returns the secret of this receipt for an app.
    func secret(for bundleID: String, in project: String, _ keys: ServerKeys) -> String {
        secret(for: bundleID, in: project, keys.codes)
    }

    private func secret(for bundleID: String, in project: String, _ codes: KeyedHash) -> String {
        let idBytes = Array(token.bytes.dropFirst())
        return Base64URL.string(codes("push-secret", .text(project), .text(bundleID), .bytes(idBytes)))
    }

    /// Returns whether `answer` is the secret under any accepted generation of the server key. Compares in constant
    /// time for all wrong secrets of the correct length.
    func hasSecret(_ answer: String, for bundleID: String, in project: String, _ keys: ServerKeys) -> Bool {
        keys.acceptedCodes.contains {
            equalInConstantTime(Array(secret(for: bundleID, in: project, $0).utf8), Array(answer.utf8))
        }
    }
}

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
