internal import Passwords

/// Why an e-mail address or a password does not become an account's.
public enum CredentialRefusal: Error, Equatable {
    /// The operator has turned it off for the project.
    case passwordSignInDisabled
    /// There is a password, but no address that it would belong to.
    case emailMissing
    case emailInvalid
    /// Another account has the address.
    case emailExists
    /// Fewer than ``Policy/minimumPasswordCharacters``.
    case passwordTooShort
    /// More bytes than are hashed.
    case passwordTooLong
}

extension EmailAddress {
    /// Reads an address that an account is to get.
    static func new(_ text: String) throws(CredentialRefusal) -> EmailAddress {
        guard let email = EmailAddress(text) else { throw .emailInvalid }
        return email
    }
}

extension Password {
    /// Takes a password that an account is to get.
    static func new(_ text: String) throws(CredentialRefusal) -> Password {
        guard text.unicodeScalars.count >= Policy.minimumPasswordCharacters else { throw .passwordTooShort }
        guard let password = Password(text) else { throw .passwordTooLong }
        return password
    }
}
