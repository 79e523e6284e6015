internal import Encodings
internal import RedisStore

/// What stands for a proven first factor until the second one is: the protocol's `mfaPendingCredential`.
///
/// Its text is a ``SealedObject``, good for ``Policy/pendingCredentialLifetime``. It ends with the state of the account that it names, so
/// that another password, a revocation, a disabled or a deleted account end it. It proves nothing twice, because each proof of a
/// second factor is good once.
struct PendingCredential: Sendable, Confidential {
    private static let use: StaticString = "pending-credential"

    let uid: String
    /// The first factor.
    let provider: SignInProvider
    /// The account's revocation counter; nil where it has none.
    let revocation: Int64?
    /// Seconds; nil where no tokens were revoked.
    let validSince: Int64?
    /// When the password was set; milliseconds.
    let passwordUpdatedAt: Int64?
    /// Milliseconds.
    let expiresAt: Int64

    init(for account: AccountIdentity, _ record: AccountRecord, provenBy provider: SignInProvider, at now: Instant) {
        uid = account.uid
        self.provider = provider
        revocation = record.revocation
        validSince = record.validSince
        passwordUpdatedAt = record.passwordUpdatedAt
        expiresAt = (now + Policy.pendingCredentialLifetime).milliseconds
    }

    /// Opens a credential; nil unless this deployment made it for `project` and its time is not up.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, at now: Instant) {
        guard let object = SealedObject.open(text, for: Self.use, in: project, keys),
            case .string(let uid) = object["uid"], case .string(let name) = object["provider"],
            let provider = SignInProvider(rawValue: name),
            let expiresAt = object.integer("expires"), now.milliseconds < expiresAt
        else { return nil }
        self.uid = uid
        self.provider = provider
        revocation = object.integer("revocation")
        validSince = object.integer("validSince")
        passwordUpdatedAt = object.integer("passwordUpdated")
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

    /// Whether the account's tokens and password are those from when the first factor was proven. The script that
    /// records the sign-in checks again.
    func isGood(for record: AccountRecord) -> Bool {
        record.revocation == revocation && record.validSince == validSince
            && record.passwordUpdatedAt == passwordUpdatedAt
    }
}
