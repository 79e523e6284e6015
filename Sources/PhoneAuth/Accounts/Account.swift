internal import RedisStore

/// A user's account.
public struct Account: Sendable, Confidential {
    /// The `localId`.
    public let uid: String
    /// The number in E.164 form, where it has one.
    public let phoneNumber: String?
    /// The name that the user gave.
    public let displayName: String?
    /// The picture that the user gave.
    public let photoURL: String?
    /// What the operator's own servers say of the user; its ID tokens carry it.
    public let customClaims: CustomClaims?
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
    private let revokedAt: Int64?

    init(_ identity: AccountIdentity, _ record: AccountRecord, _ keys: ServerKeys) {
        uid = identity.uid
        phoneNumber = record.sealedNumber.flatMap { Self.number($0, of: identity, keys) }
        displayName = record.displayName
        photoURL = record.photoURL
        customClaims = record.customAttributes.flatMap { CustomClaims(stored: $0) }
        isDisabled = record.isDisabled
        createdAt = Instant(milliseconds: record.createdAt)
        lastLoginAt = record.lastLoginAt.map(Instant.init)
        lastRefreshAt = record.lastRefreshAt.map(Instant.init)
        revokedAt = record.validSince
    }

    /// Whether tokens issued at this second are revoked. Only a revocation revokes: a worker whose clock is a little behind
    /// may issue tokens that look older than their account.
    func hasRevoked(issuedAt seconds: Int64) -> Bool {
        revokedAt.map { seconds < $0 } ?? false
    }

    /// A number that was sealed for an account, in E.164 form; nil where our keys do not open it.
    static func number(_ sealed: [UInt8], of identity: AccountIdentity, _ keys: ServerKeys) -> String? {
        keys.data.open(sealed, context: sealingContext(identity)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func sealingContext(_ identity: AccountIdentity) -> [UInt8] {
        Array("account/\(identity.project)/\(identity.uid)".utf8)
    }
}
