internal import RedisStore

/// A user's account.
public struct Account: Sendable {
    /// The `localId`.
    public let uid: String
    /// The number in E.164 form, where it has one.
    public let phoneNumber: String?
    /// The name that the user gave.
    public let displayName: String?
    /// The picture that the user gave.
    public let photoURL: String?
    /// Whether it may not sign in.
    public let isDisabled: Bool
    /// When it was made.
    public let createdAt: Instant
    /// When it last signed in.
    public let lastLoginAt: Instant
    /// When it last got an ID token.
    public let lastRefreshAt: Instant
    /// Tokens issued before this moment are revoked; seconds.
    public let validSince: Int64

    init(_ identity: AccountIdentity, _ record: AccountRecord, _ keys: ServerKeys) {
        uid = identity.uid
        phoneNumber = record.sealedNumber
            .flatMap { keys.data.open($0, context: Self.sealingContext(identity)) }
            .map { String(decoding: $0, as: UTF8.self) }
        displayName = record.displayName
        photoURL = record.photoURL
        isDisabled = record.isDisabled
        createdAt = Instant(milliseconds: record.createdAt)
        lastLoginAt = Instant(milliseconds: record.lastLoginAt)
        lastRefreshAt = Instant(milliseconds: record.lastRefreshAt)
        validSince = record.validSince ?? createdAt.seconds
    }

    static func sealingContext(_ identity: AccountIdentity) -> [UInt8] {
        Array("account/\(identity.project)/\(identity.uid)".utf8)
    }
}
