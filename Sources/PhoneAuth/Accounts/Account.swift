public import Encodings
internal import RedisStore

/// A user's account.
public struct Account: Sendable, Confidential {
    /// The `localId`.
    public let uid: String
    /// The number in E.164 form, where it has one.
    public let phoneNumber: String?
    /// The e-mail address in small letters, where it has one.
    public let email: String?
    /// Whether somebody has shown that the address is the user's.
    public let isEmailVerified: Bool
    /// Whether it has a password.
    public let hasPassword: Bool
    /// When the password was last set.
    public let passwordUpdatedAt: Instant?
    /// Whether its user may sign in with e-mail address and password.
    public var signsInWithPassword: Bool { email != nil && hasPassword }
    /// The name that the user gave.
    public let displayName: String?
    /// The picture that the user gave.
    public let photoURL: String?
    /// What the operator's own servers say of the user; its ID tokens carry it.
    public let customClaims: CustomClaims?
    /// What its user is asked for after the first factor, in the order of their enrolment.
    public let secondFactors: [SecondFactor]
    /// How many recovery codes were not used yet.
    public let recoveryCodes: Int
    /// Whether it may not sign in.
    public let isDisabled: Bool
    /// When it was made.
    public let createdAt: Instant
    /// When it last signed in; nil where it never did.
    public let lastLoginAt: Instant?
    /// When it last got an ID token; nil where it never did.
    public let lastRefreshAt: Instant?
    /// What the protocol calls `validSince`: when its tokens were last revoked, or else when it was made; seconds.
    public var validSince: Int64 { revokedAt ?? createdAt.seconds }
    /// When its tokens were last revoked: those issued before are; seconds. nil where none ever were.
    public let revokedAt: Int64?

    /// Opens what is sealed of a record, but not its number where that is known.
    init(_ identity: AccountIdentity, _ record: AccountRecord, _ keys: ServerKeys, number: String? = nil) {
        uid = identity.uid
        phoneNumber = number ?? record.sealedNumber.flatMap { Self.identifier(.phone, $0, of: identity, keys) }
        email = record.sealedEmail.flatMap { Self.identifier(.email, $0, of: identity, keys) }
        isEmailVerified = record.isEmailVerified
        hasPassword = record.sealedPassword != nil
        passwordUpdatedAt = record.passwordUpdatedAt.map { Instant(milliseconds: $0) }
        displayName = record.displayName
        photoURL = record.photoURL
        customClaims = record.customAttributes.flatMap { CustomClaims(stored: $0) }
        secondFactors = record.secondFactors.map { SecondFactor($0, of: identity, keys) }
        recoveryCodes = record.recoveryCodes
        isDisabled = record.isDisabled
        createdAt = Instant(milliseconds: record.createdAt)
        lastLoginAt = record.lastLoginAt.map(Instant.init)
        lastRefreshAt = record.lastRefreshAt.map(Instant.init)
        revokedAt = record.validSince
    }

    /// An identifier that was sealed for an account; nil where our keys do not open it.
    static func identifier(
        _ kind: IdentifierKind,
        _ sealed: [UInt8],
        of identity: AccountIdentity,
        _ keys: ServerKeys
    ) -> String? {
        keys.data.open(sealed, context: sealingContext(kind, identity)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func sealingContext(_ kind: IdentifierKind, _ identity: AccountIdentity) -> [UInt8] {
        Array("account-\(kind.rawValue)/\(identity.project)/\(identity.uid)".utf8)
    }
}
