/// A kind of identifier by which users sign in. The raw values name fields of an account's hash.
public enum IdentifierKind: String, CaseIterable, Sendable {
    /// A phone number.
    case phone
    /// An e-mail address.
    case email
}

/// A kind of hashed identity that is an identifier of accounts.
public protocol IdentifierSubject: Sendable {
    /// The kind of identifier.
    static var kind: IdentifierKind { get }
}

extension IdentitySubject.PhoneNumber: IdentifierSubject {
    /// A phone number.
    public static var kind: IdentifierKind { .phone }
}

extension IdentitySubject.EmailAddress: IdentifierSubject {
    /// An e-mail address.
    public static var kind: IdentifierKind { .email }
}
