internal import Passwords

/// Why an e-mail address or a password was not accepted for an account.
public enum CredentialRefusal: Error, Equatable {
    /// The operator has disabled password sign-in for the project.
    case passwordSignInDisabled
    /// The account would have a password but no e-mail address.
    case emailMissing
    case emailInvalid
    /// Another account has the address.
    case emailExists
    /// The password has fewer characters than ``CredentialRefusal/minimumPasswordCharacters``.
    case passwordTooShort
    /// The password has more bytes than ``CredentialRefusal/maximumPasswordBytes``.
    case passwordTooLong

    /// The minimum length of a password, in characters: the protocol's, and Firebase's.
    public static let minimumPasswordCharacters = 6

    /// The maximum length of a password, in bytes: the longest that is hashed.
    public static let maximumPasswordBytes = Password.maximumBytes
}

extension EmailAddress {
    /// Parses a new e-mail address of an account.
    static func new(_ text: String) throws(CredentialRefusal) -> EmailAddress {
        guard let email = EmailAddress(text) else { throw .emailInvalid }
        return email
    }
}

extension Password {
    /// Parses a new password of an account.
    static func new(_ text: String) throws(CredentialRefusal) -> Password {
        guard text.unicodeScalars.count >= CredentialRefusal.minimumPasswordCharacters else { throw .passwordTooShort }
        guard let password = Password(text) else { throw .passwordTooLong }
        return password
    }
}
