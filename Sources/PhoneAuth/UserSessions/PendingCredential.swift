internal import Encodings

/// Proof that the first factor was verified, for use with the second factor: the protocol's `mfaPendingCredential`.
///
/// Its text is a ``SealedObject``, valid for ``PendingCredential/lifetime``. It carries the state of the account, so a
/// new password, a revocation, disabling or deleting the account invalidates it. Replaying it gains nothing, because
/// each proof of a second factor is single use.
struct PendingCredential: Sendable, Confidential {
    /// The time for which a proven first factor waits for the second factor: longer than the message and its code take.
    static let lifetime: Duration = .seconds(900)

    private static let use = "pending-credential"

    let uid: String
    /// The first factor.
    let provider: SignInProvider
    /// The account's revocation counter; nil if it has none.
    let revocation: Int64?
    /// In seconds since the Unix epoch; nil if no tokens were revoked.
    let validSince: Int64?
    /// When the password was set; milliseconds since the Unix epoch.
    let passwordUpdatedAt: Int64?
    /// Milliseconds since the Unix epoch.
    let expiresAt: Int64

    init(for account: AccountIdentity, _ record: AccountRecord, provenBy provider: SignInProvider, at now: Instant) {
        uid = account.uid
        self.provider = provider
        revocation = record.revocation
        validSince = record.validSince
        passwordUpdatedAt = record.passwordUpdatedAt
        expiresAt = (now + PendingCredential.lifetime).milliseconds
    }

    /// Opens a credential; nil unless this deployment made it for `project` and it has not expired.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, at now: Instant) {
        guard let object = SealedObject.open(text, for: Self.use, in: project, keys),
            let uid = object["uid"]?.text, let provider = object["provider"]?.text.flatMap(SignInProvider.init),
            let expiresAt = object["expires"]?.integer, now.milliseconds < expiresAt
        else { return nil }
        self.uid = uid
        self.provider = provider
        revocation = object["revocation"]?.integer
        validSince = object["validSince"]?.integer
        passwordUpdatedAt = object["passwordUpdated"]?.integer
        self.expiresAt = expiresAt
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        try SealedObject.text(for: Self.use, in: project, keys, environment) { json in
            json.member("uid", uid)
            json.member("provider", provider.rawValue)
            if let revocation { json.member("revocation", revocation) }
            if let validSince { json.member("validSince", validSince) }
            if let passwordUpdatedAt { json.member("passwordUpdated", passwordUpdatedAt) }
            json.member("expires", expiresAt)
        }
    }

    /// Returns whether the account's tokens and password are unchanged since the first factor was verified. The script
    /// that records the sign-in checks again.
    func isValid(for record: AccountRecord) -> Bool {
        record.revocation == revocation && record.validSince == validSince
            && record.passwordUpdatedAt == passwordUpdatedAt
    }
}
