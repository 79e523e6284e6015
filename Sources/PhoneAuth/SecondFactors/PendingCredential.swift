internal import Encodings
internal import RedisStore

/// What stands for a proven first factor until the second one is: the protocol's `mfaPendingCredential`.
///
/// The text is base64url of: format (1 byte) ‖ sealed JSON. Nothing of it is kept: it opens for this project and for nothing else, for
/// ``Policy/pendingCredentialLifetime``, and it ends with the state of the account that it names, so that another password, a
/// revocation, a disabled or a deleted account end it. It proves nothing twice, because each proof of a second factor is good once.
struct PendingCredential: Sendable, Confidential {
    private static let format: UInt8 = 1
    private static let maximumByteCount = 8192

    let uid: String
    /// The first factor.
    let provider: SignInProvider
    /// Seconds; nil where no tokens were revoked.
    let validSince: Int64?
    /// When the password was set; milliseconds.
    let passwordUpdatedAt: Int64?
    /// Milliseconds.
    let expiresAt: Int64

    init(for account: AccountIdentity, _ record: AccountRecord, provenBy provider: SignInProvider, at now: Instant) {
        uid = account.uid
        self.provider = provider
        validSince = record.validSince
        passwordUpdatedAt = record.passwordUpdatedAt
        expiresAt = (now + Policy.pendingCredentialLifetime).milliseconds
    }

    /// Opens a credential; nil unless this deployment made it for `project` and its time is not up.
    init?(_ text: String, in project: Project, _ keys: ServerKeys, at now: Instant) {
        guard text.utf8.count <= Self.maximumByteCount, let bytes = Base64URL.decode(text.utf8),
            bytes.first == Self.format,
            let opened = keys.data.open(bytes.dropFirst(), context: Self.context(project)),
            case .object(let object) = try? JSONValue.parse(opened),
            case .string(let uid) = object["uid"], case .string(let name) = object["provider"],
            let provider = SignInProvider(rawValue: name),
            let expiresAt = Self.integer("expires", object), now.milliseconds < expiresAt
        else { return nil }
        self.uid = uid
        self.provider = provider
        validSince = Self.integer("validSince", object)
        passwordUpdatedAt = Self.integer("passwordUpdated", object)
        self.expiresAt = expiresAt
    }

    func text(in project: Project, _ keys: ServerKeys, _ environment: Environment) throws(CryptographyFailure)
        -> String
    {
        let plaintext = JSONWriter.object { json in
            json.member("uid", uid)
            json.member("provider", provider.rawValue)
            if let validSince { json.member("validSince", validSince) }
            if let passwordUpdatedAt { json.member("passwordUpdated", passwordUpdatedAt) }
            json.member("expires", expiresAt)
        }
        let sealed = try keys.data.seal(
            plaintext,
            context: Self.context(project),
            nonce: environment.randomBytes(DataKeys.nonceByteCount)
        )
        return Base64URL.string([Self.format] + sealed)
    }

    /// Whether the account is as it was when the first factor was proven. The script that records the sign-in looks again.
    func isGood(for record: AccountRecord) -> Bool {
        !record.isDisabled && record.validSince == validSince && record.passwordUpdatedAt == passwordUpdatedAt
    }

    private static func integer(_ name: String, _ object: JSONObject) -> Int64? {
        guard case .number(let text) = object[name] else { return nil }
        return Int64(text)
    }

    private static func context(_ project: Project) -> [UInt8] { Array("pending-credential/\(project.id)".utf8) }
}
