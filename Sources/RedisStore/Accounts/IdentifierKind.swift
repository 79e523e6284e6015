/// A kind of identifier by which users sign in. The raw values name fields of an account's hash.
public enum IdentifierKind: String, CaseIterable, Sendable {
    /// A phone number.
    case phone
    /// An e-mail address.
    case email
}

/// A hashed identity that is an identifier of accounts.
public protocol IdentifierIdentity: Hashable, Sendable {
    /// The kind of identifier.
    static var kind: IdentifierKind { get }
    /// The project's id.
    var project: String { get }
    /// The hash that identifies the subject.
    var hash: String { get }
    /// The shard of the identifier's claim; nil if the claim is in the project's slot.
    var claimShard: Shard? { get }
}

extension PhoneIdentity: IdentifierIdentity {
    /// A phone number.
    public static var kind: IdentifierKind { .phone }
    /// The claim is in the project's slot.
    public var claimShard: Shard? { nil }
}

extension EmailIdentity: IdentifierIdentity {
    /// An e-mail address.
    public static var kind: IdentifierKind { .email }
    /// The address's shard.
    public var claimShard: Shard? { shard }
}
