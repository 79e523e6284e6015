public import Encodings
internal import RedisScripts

/// A user's account.
public struct Account: Sendable, Confidential {
    /// The maximum length of the URL of a user's picture, in bytes.
    public static let maximumPhotoURLBytes = 2048

    /// The `localId`.
    public let uid: String
    /// The phone number in E.164 form; nil if the account has none.
    public let phoneNumber: String?
    /// The e-mail address in lower case; nil if the account has none.
    public let email: String?
    /// Whether the e-mail address is verified.
    public let isEmailVerified: Bool
    /// Whether the account has a password.
    public let hasPassword: Bool
    /// When the password was last set.
    public let passwordUpdatedAt: Instant?
    /// Whether the user has signed in with a link to the e-mail address.
    public let signsInByLink: Bool
    /// Whether the user can sign in with the e-mail address, by a password or a link.
    public var signsInByEmail: Bool { email != nil && (hasPassword || signsInByLink) }
    /// The user's name.
    public let displayName: String?
    /// The URL of the user's picture.
    public let photoURL: String?
    /// The operator's custom claims; the account's ID tokens carry them.
    public let customClaims: CustomClaims?
    /// The second factors, in the order of their enrollment.
    public let secondFactors: [SecondFactor]
    /// The number of unused recovery codes.
    public let recoveryCodes: Int
    /// Whether sign-in is disabled.
    public let isDisabled: Bool
    /// When the account was created.
    public let createdAt: Instant
    /// The time of the last sign-in; nil if there was none.
    public let lastLoginAt: Instant?
    /// When an ID token was last issued for the account; nil if never.
    public let lastRefreshAt: Instant?
    /// The protocol's `validSince`: the time of the last token revocation, or else of the account's creation; seconds
    /// since the Unix epoch.
    public var validSince: Int64 { revokedAt ?? createdAt.seconds }
    /// The time of the last token revocation: tokens issued before are invalid; seconds since the Unix epoch. nil if
    /// there was none.
    public let revokedAt: Int64?

    /// Opens the sealed fields of a record. A `number` that is already known is not opened.
    init(_ identity: AccountIdentity, _ record: AccountRecord, _ keys: ServerKeys, number: String? = nil) {
        uid = identity.uid
        phoneNumber = number ?? record.sealedNumber.flatMap { Self.identifier(.phone, $0, of: identity, keys) }
        email = record.sealedEmail.flatMap { Self.identifier(.email, $0, of: identity, keys) }
        isEmailVerified = record.isEmailVerified
        hasPassword = record.sealedPassword != nil
        signsInByLink = record.signsInByLink
        passwordUpdatedAt = record.passwordUpdatedAt.map { Instant(milliseconds: $0) }
        displayName = record.displayName
        photoURL = record.photoURL
        customClaims = record.customAttributes.flatMap { CustomClaims(stored: $0) }
        secondFactors = record.secondFactors.map { SecondFactor($0, of: identity, keys) }
        recoveryCodes = record.recoveryCodes
        isDisabled = record.isDisabled
        createdAt = Instant(milliseconds: record.createdAt)
        lastLoginAt = record.lastLoginAt.map(Instant.init(milliseconds:))
        lastRefreshAt = record.lastRefreshAt.map(Instant.init(milliseconds:))
        revokedAt = record.validSince
    }
}

/// The identifiers of an account as Redis stores them: sealed for the account.
extension Account {
    /// Opens an identifier that was sealed for an account; nil if no data key opens it.
    static func identifier(
        _ kind: IdentifierKind,
        _ sealed: [UInt8],
        of identity: AccountIdentity,
        _ keys: ServerKeys
    ) -> String? {
        keys.data.open(sealed, context: sealingContext(kind, identity)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func sealingContext(_ kind: IdentifierKind, _ identity: AccountIdentity) -> SealingContext {
        SealingContext("account-\(kind.rawValue)", of: "\(identity.project)/\(identity.uid)")
    }
}

extension OperationContext {
    /// Seals an identifier for an account.
    func seal(
        _ kind: IdentifierKind,
        _ text: String,
        for account: AccountIdentity
    ) throws(OperationFailure) -> [UInt8] {
        try authenticator.seal(Array(text.utf8), Account.sealingContext(kind, account))
    }
}

/// A phone number or e-mail address that identifies an account: as text and as the hash under which Redis stores it.
struct AccountIdentifier<Identity: IdentifierIdentity>: Sendable, Confidential {
    let text: String
    let identity: Identity
    /// Whether the identifier is a number that the fixed code of a test number proved.
    var isTestNumber = false
}

extension OperationContext {
    func identifier(_ email: EmailAddress) -> AccountIdentifier<EmailIdentity> {
        AccountIdentifier(
            text: email.text,
            identity: EmailIdentity(email, in: project, keys, among: store.shards)
        )
    }
}
