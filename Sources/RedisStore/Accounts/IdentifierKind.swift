/// What leads to an account from outside. An account's hash names its fields after them.
public enum IdentifierKind: String, CaseIterable, Sendable {
    /// A phone number.
    case phone
    /// An e-mail address.
    case email
}

/// A kind of what is known by a hash that leads to accounts.
public protocol IdentifierSubject: Sendable {
    /// Which one.
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
